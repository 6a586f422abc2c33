"""A gate on a terminal of 80 columns: the verdict, then why, then the tables."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from curator.domain.gate_report import Diff, GateReport, Line, Measured, Rate
from curator.text import counted, one_line

WIDTH = 80
SHOWN = 12
"""So many ids are told of a line; all stand in the JSON."""
VERDICTS = {"pass": "✓ PASS", "block": "✗ BLOCK", "none": "? NO VERDICT"}
_STATES = {"ok": "✓ met", "watch": "! WATCH", "below": "✗ below", "thin": "? thin"}
_DIMENSIONS = {
    "lengthStratum": "length", "domain": "domain", "sectionPosition": "position", "route": "route",
    "language": "language", "risk": "risk",
}  # fmt: skip


def lines(report: GateReport) -> Iterator[str]:
    """The whole report, line by line."""
    yield from _head(report)
    yield from _reasons(report)
    yield from _measures(report)
    yield from _targets(report)
    yield from _strata(report)
    yield from _failures(report)
    yield from _diff(report.diff) if report.diff else ()
    yield from _confusion(report)
    yield from _rest(report)


def _head(report: GateReport) -> Iterator[str]:
    name = one_line(f"{report.suite} {report.version}, run {report.run}", WIDTH - 14)
    yield f"{VERDICTS[report.verdict]}  {name}"
    c = report.counts
    told = [f"{counted(c.cases, 'case')} of {', '.join(report.partitions)}", f"{c.scored} scored"]
    told += [f"{n} {what}" for n, what in (
        (c.harness, "with a harness error"), (c.missing, "missing"), (c.unknown, "lines of no case"),
        (c.duplicates, "duplicates"), (c.unreadable, "unreadable lines"),
    ) if n]  # fmt: skip
    kinds = {"map": "by the map of align", "none": "not known"}
    told.append(f"evidence {kinds.get(report.ids, 'by ' + report.ids)}, first {report.k}")
    yield from _wrapped("; ".join(told), "  ")


def _reasons(report: GateReport) -> Iterator[str]:
    for title, glyph, entries in (("WHY", "✗", report.blocks), ("WATCH", "!", report.watch)):
        if entries:
            yield ""
            yield title
        for line in entries:
            yield from _reason(glyph, line)
    if report.notes:
        yield ""
        yield "NOT MEASURED"
        for note in report.notes:
            yield from _wrapped(note, "· ")


def _reason(glyph: str, line: Line) -> Iterator[str]:
    yield from _wrapped(line.text, f"{glyph} ")
    yield from _wrapped(line.step, "  → ")
    if line.cases:
        yield from _wrapped(_ids(line.cases), "    ")


def _measures(report: GateReport) -> Iterator[str]:
    if not report.measures:
        return
    weighted = any(_is_weighted(m.all) for m in report.measures)
    head = ("MEASURE", "ALL", "95 %", "N", "AFTER RETRIEVAL", *(("WEIGHTED",) if weighted else ()))
    yield ""
    yield from _table(head, [_measure(m, weighted) for m in report.measures])


def _measure(m: Measured, weighted: bool) -> tuple[str, ...]:
    after = f"{_percent(m.retrieved)} of {m.retrieved.n}" if m.retrieved.n else "-"
    row = (m.words, _percent(m.all), _interval(m.all), str(m.all.n), after)
    return (*row, f"{m.all.weighted:.0%}") if weighted else row


def _targets(report: GateReport) -> Iterator[str]:
    if report.targets:
        yield ""
        rows = [
            (one_line(t.name, 34), one_line(t.measure, 24), _percent(t.rate), f"{t.minimum:.0%}", _STATES[t.state])
            for t in report.targets
        ]
        yield from _table(("TARGET", "MEASURE", "IS", "ASKED", ""), rows)


def _strata(report: GateReport) -> Iterator[str]:
    if not report.strata:
        return
    weighted = any(_is_weighted(s.passed) for s in report.strata)
    yield ""
    rows = [
        (one_line(f"{_DIMENSIONS.get(s.dimension, s.dimension)} {s.value or '-'}", 28), str(s.cases),
        _percent(s.passed), _interval(s.passed), f"{_percent(s.after)} of {s.after.n}" if s.after.n else "-",
         _percent(s.evidence) if s.evidence.n else "-", *((f"{s.passed.weighted:.0%}",) if weighted else ()))
        for s in report.strata
    ]  # fmt: skip
    head = ("STRATUM", "N", "RIGHT", "95 %", "AFTER RETR.", "EVIDENCE", *(("WEIGHTED",) if weighted else ()))
    yield from _table(head, rows)


def _failures(report: GateReport) -> Iterator[str]:
    if report.stages:
        yield ""
        rows = [(s.stage, str(len(s.cases)), _ids(s.cases, 2)) for s in report.stages]
        yield from _table(("FAILED AT", "N", "CASES"), rows)
    if report.failed:
        yield ""
        yield "FAILED"
    for f in report.failed[:SHOWN]:
        yield from _wrapped(f"{f.case_id} ({f.risk}, {f.stage}): {'; '.join(f.why)}", "  ")
    if len(report.failed) > SHOWN:
        yield f"  and {len(report.failed) - SHOWN} more: --json has all"


def _diff(diff: Diff) -> Iterator[str]:
    yield ""
    yield from _wrapped(
        f"BASELINE {one_line(diff.run, 40)}: {counted(diff.both, 'case')} in both, {diff.lost} lost, "
        f"{diff.gained} gained (exact McNemar p = {diff.p:.3f}), {len(diff.new_misses)} with evidence missed anew", ""
    )  # fmt: skip
    for c in diff.changed[:SHOWN]:
        glyph = "−" if c.change == "lost" else "+"
        why = f": {'; '.join(c.why)}" if c.why else ""
        yield from _wrapped(f"{c.case_id} ({c.risk}) {c.change}{why}", f"  {glyph} ")
    if len(diff.changed) > SHOWN:
        yield f"  and {len(diff.changed) - SHOWN} more: --json has all"
    for s in diff.settings:
        yield from _wrapped(f"{s.name}: {s.before or '(not said)'} → {s.after or '(not said)'}", "  · ")
    spent = diff.spent
    if spent.timed:
        yield (f"  latency, median {spent.before_median_ms:.0f} → {spent.median_ms:.0f} ms, 95th percentile "
               f"{spent.before_p95_ms:.0f} → {spent.p95_ms:.0f} ms ({spent.timed} cases)")  # fmt: skip
    if spent.priced:
        yield f"  cost {spent.before_cost:.4f} → {spent.cost:.4f} USD ({spent.priced} cases)"


def _confusion(report: GateReport) -> Iterator[str]:
    if not report.confusion:
        return
    shown = [
        s for s in ("answer", "refuse", "escalate", "hedged", "unknown") if any(c.shown == s for c in report.confusion)
    ]
    counts = {(c.expected, c.shown): c.cases for c in report.confusion}
    expected = [e for e in ("answer", "refuse", "escalate") if any(c.expected == e for c in report.confusion)]
    yield ""
    rows = [(e, *(str(counts.get((e, s), 0)) for s in shown)) for e in expected]
    yield from _table(("EXPECTED \\ SHOWN", *shown), rows)


def _rest(report: GateReport) -> Iterator[str]:
    rows: list[Sequence[str]]
    if report.correlations:
        yield ""
        rows = [
            (one_line(c.score, 40), f"{c.rho:+.2f}", f"{c.low:+.2f} to {c.high:+.2f}", str(c.n))
            for c in report.correlations
        ]
        yield from _table(("SCORE AGAINST PAGES", "RHO", "95 %", "N"), rows)
    if report.judge:
        yield ""
        rows = [
            (one_line(f"{j.judge}: {j.value}", 30), f"{_percent(j.agree)} of {j.agree.n}", _interval(j.agree),
             f"{j.kappa:.2f}" if not j.why else "-", f"{j.rho:+.2f}" if not j.why_rho else "-", str(j.lenient),
             str(j.strict))
            for j in report.judge
        ]  # fmt: skip
        yield from _table(("JUDGE AND PEOPLE", "AGREE", "95 %", "KAPPA", "RHO", "LENIENT", "STRICT"), rows)
    if report.too_easy:
        yield ""
        yield from _wrapped(
            f"{counted(len(report.too_easy), 'case is', 'cases are')} too easy, both trivial baselines pass: "
            f"{_ids(report.too_easy)}", "· "
        )  # fmt: skip
    if report.missing:
        yield ""
        yield from _wrapped(f"without a line in the run: {_ids(report.missing)}", "· ")


def _ids(names: Sequence[str], most: int = SHOWN) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _percent(found: Rate) -> str:
    return f"{found.value:.0%}" if found.n else "-"


def _interval(found: Rate) -> str:
    return f"{found.low:.0%}-{found.high:.0%}" if found.n else "-"


def _is_weighted(found: Rate) -> bool:
    return found.n > 0 and abs(found.weighted - found.value) > 1e-9


def _wrapped(text: str, first: str) -> list[str]:
    from rich.cells import cell_len

    flat, width = one_line(text), WIDTH
    while True:
        found = textwrap.wrap(
            flat, width, initial_indent=first, subsequent_indent=" " * len(first), break_on_hyphens=False
        )
        if width <= WIDTH // 2 or max(map(cell_len, found), default=0) <= WIDTH:
            return found
        width -= 4  # letters that take two cells


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns as wide as their widest cell; the first one gives way where the terminal is too narrow."""
    from rich.cells import cell_len

    widths = [max(cell_len(row[i]) for row in (header, *rows)) for i in range(len(header))]
    widths[0] = min(widths[0], max(8, WIDTH - sum(widths[1:]) - 2 * (len(widths) - 1)))
    for first, *others in (header, *rows):
        while cell_len(first) > widths[0]:
            first = f"{first.removesuffix('…')[:-1]}…"
        cells = [cell + " " * (w - cell_len(cell)) for cell, w in zip((first, *others), widths, strict=True)]
        yield "  ".join(cells).rstrip()
