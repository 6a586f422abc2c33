"""The committed samples are what the script makes, and they have the lengths and places that the demo relies on."""

from __future__ import annotations

import csv
import json
import re
import statistics
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from pypdf import PdfReader

ROOT = Path(__file__).parents[2]
DATASETS = ROOT / "datasets"
PAGES = {
    "school-health-guideline": 40,
    "emission-regulation": 12,
    "emission-regulation-consolidated": 160,
    "annual-filing": 25,
    "korean-health-guideline": 6,
}
STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
# CRC-32 of a packed probe: zlib-ng packs the same pages into other bytes, so it gets a comparison of the contents.
USUAL = 0x6C0ED789


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every sample made anew, into a folder of its own."""
    target = tmp_path_factory.mktemp("samples")
    subprocess.run(
        [sys.executable, "-m", "datasets.build", "--to", str(target)], cwd=ROOT, check=True, capture_output=True
    )
    return target


def usual_zlib() -> bool:
    """Whether this Python's zlib packs as the one did that made the committed files (zlib-ng does not)."""
    return zlib.crc32(zlib.compress(b"".join(b"%d of %d. " % (n * n % 97, n) for n in range(2000)))) == USUAL


def unpacked(data: bytes) -> list[bytes]:
    """The streams of a PDF without their compression."""
    return [zlib.decompress(s) if s[:1] == b"x" else s for s in STREAM.findall(data)]


@pytest.mark.parametrize("name", PAGES)
def test_a_document_is_built_again_byte_for_byte(rebuilt: Path, name: str) -> None:
    made = (rebuilt / "documents" / f"{name}.pdf").read_bytes()
    kept = (DATASETS / "documents" / f"{name}.pdf").read_bytes()
    if usual_zlib():
        assert made == kept
    else:
        assert unpacked(made) == unpacked(kept)


@pytest.mark.parametrize("name", ["failures.csv", "production-lengths.csv"])
def test_a_table_is_built_again_byte_for_byte(rebuilt: Path, name: str) -> None:
    assert (rebuilt / name).read_bytes() == (DATASETS / name).read_bytes()


@pytest.mark.parametrize(("name", "pages"), PAGES.items())
def test_a_document_has_its_pages(name: str, pages: int) -> None:
    assert len(PdfReader(DATASETS / "documents" / f"{name}.pdf").pages) == pages


def test_the_penalty_clause_is_article_7_on_page_9() -> None:
    reader = PdfReader(DATASETS / "documents" / "emission-regulation.pdf")
    page = " ".join(reader.pages[8].extract_text().split())
    assert "Article 7 Penalties" in page
    assert "penalties up to $10 million or 4 % of annual turnover, whichever is higher" in page


def test_the_exclusion_table_runs_over_three_pages_with_its_header() -> None:
    reader = PdfReader(DATASETS / "documents" / "school-health-guideline.pdf")
    texts = [" ".join(page.extract_text().split()) for page in reader.pages]
    with_header = [n for n, text in enumerate(texts, 1) if "Disease Exclusion period Contacts Notify" in text]
    assert with_header == [10, 11, 12]


def test_the_median_of_the_production_lengths_is_8() -> None:
    with (DATASETS / "production-lengths.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len({row["document"] for row in rows}) == 200
    assert statistics.median(int(row["pages"]) for row in rows) == 8


def test_the_log_has_150_whole_records_and_follow_ups() -> None:
    with (DATASETS / "failures.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert len(rows) == 150
    assert {len(row) for row in rows} == {6}
    assert [row[0] for row in rows] == sorted(row[0] for row in rows)
    assert len({row[1] for row in rows}) < 140, "some sessions hold more than one question"
    kinds = {type(context) for row in rows for context in json.loads(row[5])}
    assert kinds == {str, dict}


def test_every_font_has_its_license_beside_it() -> None:
    fonts = sorted(path.name for path in (DATASETS / "fonts").glob("*.ttf"))
    licenses = {path.name: path.read_text(encoding="utf-8") for path in (DATASETS / "fonts").glob("*.txt")}
    assert fonts
    for font in fonts:
        kind = "DejaVu-LICENSE.txt" if font.startswith("DejaVu") else "SampleGothicKR-OFL.txt"
        assert len(licenses[kind]) > 2000
    assert "SIL OPEN FONT LICENSE" in licenses["SampleGothicKR-OFL.txt"]
    assert "Bitstream Vera" in licenses["DejaVu-LICENSE.txt"]
