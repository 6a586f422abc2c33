"""Tables, words and cost of reading, ours beside camelot's hybrid (the extra `tables`) from one run.

    python -m benchmarks.parsing [--peer] [--shared ../shared]

Rows, headers and titles are counted by the scorers of `../shared/score` against hand-typed tables (`truth`, files of
`corpus`) and against the EU half of ICDAR-2013 (`icdar`); without that folder there is nothing to measure, and it says
so. Times are CPU seconds of all our processes for a page, start-up included; memory is the largest peak of a reading
process. Beside the peer, which keeps its libraries loaded from file to file, the time of the start-ups alone is printed
too: it is that of reading a file of one empty page, once for each file.

Words are the multiset of a regulation's words against pdfium's own text, running lines included. A footnote mark that
we keep off its word ("500[^1]") is put back for this, since pdfium's text glues it ("5001"); the figure without that
stands in brackets.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import json
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from curator.errors import CuratorError
from curator.parsing import parse_json, parse_pdf
from curator.parsing.child import used
from curator.parsing.extras import TABLES, installed, pip_line

REGULATIONS = ("un-r016.pdf", "un-r039.pdf", "un-r107.pdf", "gdpr.pdf", "fed-register.pdf")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--shared", type=Path, default=Path(__file__).resolve().parents[2] / "shared")
    options.add_argument("--peer", action="store_true", help="camelot as well: half a second a page")
    chosen = options.parse_args()
    if not (chosen.shared / "score").is_dir():
        sys.exit(f"no {chosen.shared}/score: nothing to measure against")
    if chosen.peer and not installed(TABLES):
        sys.exit(f"camelot is not installed: {pip_line(TABLES)}")
    with tempfile.TemporaryDirectory() as folder:
        _measure(chosen.shared, Path(folder), peer=chosen.peer)


def _measure(shared: Path, folder: Path, *, peer: bool) -> None:
    tables, text = _scorer(shared, "tables"), _scorer(shared, "text")
    corpus = sorted({shared / "corpus" / t["file"] for t in map(_json, (shared / "truth").glob("*.json"))})
    costs = _ours(corpus, folder / "truth")
    print("hand-typed:", _last(tables, ["--dir", str(folder / "truth"), "--truth", str(shared / "truth")]))
    icdar = sorted((shared / "icdar").glob("*.pdf"))
    costs += (own := _ours(icdar, folder / "icdar"))
    print("ICDAR EU:  ", _last(tables, ["--dir", str(folder / "icdar"), "--icdar", str(shared / "icdar")]))
    costs += _ours([shared / "corpus" / name for name in REGULATIONS], folder / "words")
    for name in REGULATIONS:
        parse = _json(folder / "words" / f"{name}.json")
        print(f"words of {name}:", _words(text, tables.footless, parse, shared / "corpus" / name))
    peak = used().memory
    long = [seconds / pages for pages, seconds in costs if pages >= 10]
    print(f"CPU a page, files of 10 pages and more: median {1000 * statistics.median(long):.0f} ms; peak {peak:.0f} MB")
    if peer:
        pages, seconds = sum(p for p, _ in own), sum(s for _, s in own)
        theirs = _camelot(icdar, folder / "peer")
        print("camelot:   ", _last(tables, ["--dir", str(folder / "peer"), "--icdar", str(shared / "icdar")]))
        started = len(own) * _start_up(folder / "empty")
        reading = seconds - started
        print(
            f"CPU, ICDAR EU, {pages} pages: peer {theirs:.1f} s; ours {seconds:.1f} s, {theirs / seconds:.1f} x less,"
            f" {reading:.1f} s of it reading, {theirs / reading:.1f} x less, {started:.1f} s start-ups of processes"
        )


def _ours(files: list[Path], out: Path) -> list[tuple[int, float]]:
    """Parses into a folder; pages and CPU seconds of each file."""
    out.mkdir()
    costs = []
    for path in files:
        before = _cpu()
        try:
            document = parse_pdf(path, ocr=False)
        except CuratorError as error:
            print(f"{path.name}: {error}")
            continue
        costs.append((document.page_count, _cpu() - before))
        (out / f"{path.name}.json").write_text(parse_json(document), "utf-8")
    return costs


def _start_up(folder: Path) -> float:
    """CPU seconds of reading a file of one empty page: the best of five."""
    from pypdf import PdfWriter

    folder.mkdir()
    writer = PdfWriter()
    writer.add_blank_page(612, 792)
    writer.write(folder / "empty.pdf")
    costs = []
    for _ in range(5):
        before = _cpu()
        parse_pdf(folder / "empty.pdf", ocr=False)
        costs.append(_cpu() - before)
    return min(costs)


def _camelot(files: list[Path], out: Path) -> float:
    """The peer's tables in the form of a parse; CPU seconds of all."""
    import camelot

    out.mkdir()
    before = time.process_time()
    for path in files:
        found = []
        with contextlib.suppress(Exception):
            for table in camelot.read_pdf(str(path), pages="all", flavor="hybrid", suppress_stdout=True):
                page = int(table.parsing_report["page"])
                rows = [{"page": page, "cells": [str(cell) for cell in row]} for row in table.df.to_numpy().tolist()]
                found.append({"pages": [page], "header": [], "rows": rows})
        (out / f"{path.name}.json").write_text(json.dumps({"file": path.name, "tables": found}), "utf-8")
    return time.process_time() - before


def _cpu() -> float:
    own = resource.getrusage(resource.RUSAGE_SELF)
    return own.ru_utime + own.ru_stime + used().seconds


def _scorer(shared: Path, name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"score_{name}", shared / "score" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _last(scorer: Any, arguments: list[str]) -> str:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        scorer.main(arguments)
    return said.getvalue().strip().splitlines()[-1]


def _words(scorer: Any, glued: Callable[[str], str], parse: dict[str, Any], path: Path) -> str:
    import pypdfium2

    ours, theirs = "", ""
    document = pypdfium2.PdfDocument(path)
    for number, page in enumerate(parse["pages"]):
        ours += "\n".join([page["text"], *page["running"], ""])
        theirs += document[number].get_textpage().get_text_range().replace("\r", "") + "\n"
    apart, a, b = scorer.words(ours), scorer.words(glued(ours)), scorer.words(theirs)
    return f"F1 {scorer.f1(a, b)[0]:.4f} ({scorer.f1(apart, b)[0]:.4f}), glued {100 * scorer.glued(apart):.2f} %"


def _json(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


if __name__ == "__main__":
    main()
