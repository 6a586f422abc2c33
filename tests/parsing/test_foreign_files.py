"""Files that other people made: regulations and hostile ones, where they lie beside the repository."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from curator.domain.document import ParsedDocument
from curator.errors import InputError
from curator.parsing import iter_pdf_files, parse_pdf

CODES = {
    "01_flate_bomb_100MB": "decoded-too-large",
    "03_lzw_bomb_100MB": "decoded-too-large",
    "04_runlength_in_flate_100MB": "decoded-too-large",
    "09_count_lie": "page-count",
    "13_outline_cycle": "outline-ignored",
    "17_predictor_columns": "decoded-too-large",
    "20_open_action_javascript": "active-content-ignored",
    "22_embedded_file_traversal": "attachments-ignored",
    "26_text_nul_lone_surrogate": "characters-replaced",
    "27_scan_no_text": "no-text",
    "32_garbage_before_header": "junk-before-header",
    "35_hidden_white_text_prompt": "invisible-text",
}
REFUSED = {
    "06_page_tree_fanout_1M_pages": "over the limit",
    "30_empty": "empty file",
    "33_html_error_page": "looks like HTML",
    "37_encrypted_user_password": "needs a password",
}


def _parse(path: Path) -> ParsedDocument | str:
    try:
        return parse_pdf(path)
    except InputError as error:
        return str(error)


def test_every_hostile_file_has_its_outcome(shared: Path) -> None:
    files = sorted((shared / "bad_inputs" / "pdf").glob("*.pdf"))
    assert len(files) > 20
    for path in files:
        started = time.monotonic()
        outcome = _parse(path)
        assert time.monotonic() - started < 30, path.name
        if path.stem in REFUSED:
            assert isinstance(outcome, str), path.name
            assert REFUSED[path.stem] in outcome
        else:
            assert not isinstance(outcome, str), (path.name, outcome)
            if path.stem in CODES:
                assert CODES[path.stem] in {warning.code for warning in outcome.warnings}, path.name


_PROBE = """
import atexit, resource, sys
from pathlib import Path
# the first that is registered comes last: when the readers have ended
atexit.register(lambda: print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
from curator.errors import InputError
from curator.parsing.pdf import parse_pdf
for name in sys.argv[1:]:
    try:
        parse_pdf(Path(name))
    except InputError:
        pass
"""


def test_no_bomb_takes_more_memory_than_a_reader_may_have(shared: Path) -> None:
    """In a process of its own: a child's figure begins with the size of the process that started it."""
    words = ("bomb", "100MB", "fanout", "huge", "100000", "predictor", "nested")
    bombs = [str(p) for p in sorted((shared / "bad_inputs" / "pdf").glob("*.pdf")) if any(w in p.name for w in words)]
    assert len(bombs) > 5
    done = subprocess.run([sys.executable, "-c", _PROBE, *bombs], capture_output=True, text=True, check=True)
    assert 0 < int(done.stdout) < 1024 * 1024  # kB


def test_broken_files_end_in_a_document_or_one_line(shared: Path) -> None:
    for path in sorted((shared / "corpus").glob("H-*.pdf")):
        outcome = _parse(path)
        if isinstance(outcome, str):
            assert "\n" not in outcome
        else:
            assert len(outcome.pages) == outcome.page_count
            assert all(page.note for page in outcome.pages if page.kind != "text")


def test_awkward_names(shared: Path, tmp_path: Path) -> None:
    maker = shared / "bad_inputs" / "make_names.py"
    subprocess.run([sys.executable, maker, tmp_path / "names"], check=True, capture_output=True)
    found = list(iter_pdf_files([tmp_path / "names"]))
    assert len(found) >= 15
    assert not any(path.is_symlink() for path in found)
    assert all("hello world" in parse_pdf(path).pages[0].text for path in found[:3])


def test_a_long_regulation(shared: Path) -> None:
    before = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) + time.process_time()
    document = parse_pdf(shared / "corpus" / "un-r107.pdf")
    assert sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) + time.process_time() - before < 60
    assert document.pages[79].label == "84"
    rows = {row.id.split(":")[1]: row for table in document.tables if 80 in table.pages for row in table.rows}
    assert rows["a"].cells[2:] == ("550", "350", "500[^1]", "1,900[^1]", "900")
    assert rows["double-deck.ii"].section == "Double-deck"
    exits = next(table for table in document.tables if 104 in table.pages)
    assert exits.title == "The several kinds of exits shall have the following minimum dimensions:"
    assert exits.header == ("Aperture", "Minimum dimensions", "Remarks")
    assert exits.section_path[0].startswith("Annex 7 ")
    doors = [row for row in exits.rows if row.cells[0] == "Service Door"]
    assert len(doors) == 3
    keys = {chunk.id for chunk in document.chunks}
    assert {"un-r107:2.1.1.1", "un-r107:annex-3.7.6.1.1"} <= keys
    assert not [key for key in keys if re.search(r"[^\w.:-]", key)]


@pytest.mark.parametrize(
    ("name", "pages", "rows"), [("schools.pdf", (1, 2, 3, 4, 5), 221), ("warn-report.pdf", tuple(range(1, 16)), 633)]
)
def test_tables_over_many_pages(shared: Path, name: str, pages: tuple[int, ...], rows: int) -> None:
    table = parse_pdf(shared / "corpus" / name).tables[0]
    assert table.pages == pages
    assert len(table.rows) == pytest.approx(rows, abs=1)


def test_scans_say_so(shared: Path) -> None:
    document = parse_pdf(shared / "corpus" / "scan-german.pdf")
    assert [page.note for page in document.pages] == [f"page {n} is an image: no text" for n in (1, 2, 3)]
    assert not document.has_text
