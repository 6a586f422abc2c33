"""Pages read by several processes, and again after a kill: always what one process gives that nobody disturbs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fpdf import FPDF

from curator.domain.document import ParsedDocument
from curator.errors import Cancelled, InputError
from curator.parsing import PARSER, Limits, kept_pages, parse_json, parse_pdf
from curator.parsing.limits import jobs_for
from curator.progress import Silent

SAMPLES = Path(__file__).parents[2] / "datasets" / "documents"
LONG = SAMPLES / "school-health-guideline.pdf"
PAGES = 40
Read = Callable[..., ParsedDocument]


class Counts(Silent):
    """Counts the steps of the last stage."""

    def __init__(self) -> None:
        self.total, self.done = 0, 0

    def stage(self, name: str, total: int | None = None) -> None:
        self.total, self.done = total or 0, 0

    def advance(self, steps: int = 1) -> None:
        self.done += steps


@pytest.fixture(scope="module")
def alone() -> str:
    """The long sample as one process reads it."""
    return parse_json(parse_pdf(LONG, jobs=1))


@pytest.mark.parametrize("jobs", [2, 3, 5])
def test_any_number_of_processes_gives_the_same_bytes(jobs: int, alone: str) -> None:
    progress = Counts()
    assert parse_json(parse_pdf(LONG, jobs=jobs, progress=progress)) == alone
    assert (progress.done, progress.total) == (PAGES, PAGES)


@pytest.mark.parametrize("name", ["annual-filing.pdf", "emission-regulation.pdf", "korean-health-guideline.pdf"])
def test_other_samples_too_in_the_smallest_pieces(name: str) -> None:
    one = parse_json(parse_pdf(SAMPLES / name, jobs=1))
    assert parse_json(parse_pdf(SAMPLES / name, jobs=3, limits=Limits(block=1))) == one


def said(number: int) -> str:
    """What stands on a page: letters, since numbers alone would make it a running line."""
    return f"{chr(96 + number) * 3} is the rule here."


def hostile(pdf: Any, *, bad: tuple[int, ...], count: int) -> bytes:
    """A file in which the content of some pages is larger than may be decoded, and others are fine."""
    pages = [pdf.bomb(30_000_000) if n in bad else pdf.text(said(n)) for n in range(1, count + 1)]
    made: bytes = pdf.simple(pages)
    return made


@pytest.mark.parametrize("jobs", [1, 3])
def test_bad_pages_cost_themselves_however_many_read(jobs: int, tmp_path: Path, pdf: Any) -> None:
    path = tmp_path / "bad.pdf"
    path.write_bytes(hostile(pdf, bad=(2, 9), count=12))
    found = parse_pdf(path, jobs=jobs, limits=Limits(block=2))
    assert [p.index for p in found.pages if p.kind == "damaged"] == [2, 9]
    assert [p.index for p in found.pages if p.text == said(p.index)] == [1, 3, 4, 5, 6, 7, 8, 10, 11, 12]


@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_pages_behind_too_many_failures_are_left_out_even_when_another_process_read_them(
    jobs: int, tmp_path: Path, pdf: Any
) -> None:
    path = tmp_path / "gone.pdf"
    gone = {10 + 2 * (n - 1): b"null" for n in (2, *range(6, 11))}
    path.write_bytes(pdf.simple([pdf.text(said(n)) for n in range(1, 21)], more=gone))
    found = parse_pdf(path, jobs=jobs, limits=Limits(failing_pages=5, block=3))
    assert [p.index for p in found.pages if p.text == said(p.index)] == [1, 3, 4, 5]
    assert [p.note for p in found.pages[10:]] == [
        f"page {n} not read: too many pages before it failed" for n in range(11, 21)
    ]
    assert [w.message for w in found.warnings if not w.page][-1:] == [
        "pages 11 to 20 not read: too many pages before it failed"
    ]
    assert parse_pdf(path, jobs=jobs, limits=Limits(failing_pages=6, block=3)).pages[19].text == said(20)


def test_a_large_file_is_read_by_fewer_processes() -> None:
    assert jobs_for(0, 1000) in (1, 2, 3, 4)
    assert (jobs_for(7, 1000), jobs_for(7, 100 * 1024**2), jobs_for(7, 500 * 1024**2)) == (7, 2, 1)


def test_pages_are_told_as_they_are_read(tmp_path: Path, pdf: Any) -> None:
    path = tmp_path / "told.pdf"
    path.write_bytes(hostile(pdf, bad=(3,), count=9))
    told: dict[int, str] = {}
    parse_pdf(path, jobs=2, seen=told.__setitem__, limits=Limits(block=2))
    assert sorted(told) == [1, 2, 4, 5, 6, 7, 8, 9]  # the one that was skipped was not read
    assert told[7] == said(7)


# -- after a kill -----------------------------------------------------------------------------------------------------


def lines(root: Path) -> list[bytes]:
    """The pages that are kept, as they stand in the files: whole lines behind the head of each."""
    found = []
    for path in root.rglob("*.jsonl"):
        found += path.read_bytes().split(b"\n")[1:-1]
    return found


def killed_after(pages: int, root: Path) -> int:
    """Read the long sample in a process of its own and kill that one when so many pages are there; gives how many."""
    code = (
        "import sys; from pathlib import Path; from curator.parsing import parse_pdf;"
        f"parse_pdf(Path({str(LONG)!r}), keep=Path({str(root)!r}), jobs=2)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parents[2], start_new_session=True)
    end = time.monotonic() + 120
    while len(lines(root)) < pages and process.poll() is None and time.monotonic() < end:
        time.sleep(0.002)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(timeout=60)
    return len(lines(root))


@pytest.mark.parametrize("pages", [(1,), (5, 17), (30, 36, 39)])
def test_pages_read_before_a_kill_are_not_read_again(pages: tuple[int, ...], alone: str, tmp_path: Path) -> None:
    before = 0
    for count in pages:
        before = killed_after(count, tmp_path)
    assert before >= pages[-1]
    assert parse_json(parse_pdf(LONG, keep=tmp_path, jobs=2)) == alone
    kept = lines(tmp_path)
    assert len(kept) == len(set(kept)) == PAGES  # each page was read once


def test_a_line_that_was_cut_or_is_none_is_read_again(alone: str, tmp_path: Path) -> None:
    parse_pdf(LONG, keep=tmp_path)
    (path,) = tmp_path.rglob("*.jsonl")
    head, *rest = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([head, rest[0], b'{"page": {"index": 5}}', b"[]", b"\xff\xfe", rest[1], rest[2][:-9]]))
    progress = Counts()
    assert parse_json(parse_pdf(LONG, keep=tmp_path, progress=progress)) == alone
    assert len(lines(tmp_path)) == 5 + PAGES - 2  # two lines were whole pages; the cut one is no line
    path.write_bytes(b'{"pypdfium2": "1.0"}\n' + rest[0].replace(b"School", b"Other") + b"\n")
    assert parse_json(parse_pdf(LONG, keep=tmp_path)) == alone  # by other libraries: it does not count


def test_stopping_keeps_the_pages_and_forgetting_removes_them(tmp_path: Path) -> None:
    class StopsAt(Silent):
        done = 0

        def advance(self, steps: int = 1) -> None:
            self.done += steps

        def checkpoint(self) -> None:
            if self.done >= 10:
                raise Cancelled

    with pytest.raises(Cancelled):
        parse_pdf(LONG, keep=tmp_path, progress=StopsAt())
    assert 10 <= len(lines(tmp_path)) < PAGES
    (folder,) = tmp_path.iterdir()
    sha256 = folder.name[:64]
    assert folder == kept_pages.folder_of(tmp_path, sha256, PARSER)
    assert folder.stat().st_mode & 0o077 == 0
    (tmp_path / "somebody-elses").mkdir()
    kept_pages.sweep(tmp_path, 3600)
    assert folder.is_dir()
    kept_pages.sweep(tmp_path, -1)
    assert [p.name for p in tmp_path.iterdir()] == ["somebody-elses"]


def test_a_place_where_nothing_can_be_kept_costs_nothing(alone: str, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    assert parse_json(parse_pdf(LONG, keep=blocked)) == alone


def test_no_process_of_a_file_is_left_when_its_reader_was_killed(tmp_path: Path) -> None:
    killed_after(3, tmp_path)
    end = time.monotonic() + 30
    while True:
        told = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
        orphans = [s for s in told.splitlines() if "curator.parsing.forks" in s and s.split()[1] == "1"]
        if not orphans or time.monotonic() > end:
            break
        time.sleep(0.1)
    assert orphans == []


def test_many_short_files_share_what_is_loaded_and_nothing_else(tmp_path: Path) -> None:
    found = []
    for number in range(12):
        path = tmp_path / f"{number}.pdf"
        made = FPDF()
        made.add_page()
        made.set_font("helvetica", size=12)
        made.cell(0, 10, f"Rule {number}: wash your hands.")
        made.output(str(path))
        found.append(parse_pdf(path).pages[0].text)
    assert found == [f"Rule {number}: wash your hands." for number in range(12)]
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7\n" + b"\x00" * 300)
    with pytest.raises(InputError):
        parse_pdf(broken)
    assert parse_pdf(tmp_path / "3.pdf").has_text
