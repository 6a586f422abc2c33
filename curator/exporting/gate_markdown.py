"""A gate as GitHub Markdown, for the summary of a job or a pull request. It holds ids, never texts of cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curator.domain.gate_report import Diff, GateReport, Rate
from curator.exporting.markdown import code, plain, table
from curator.text import counted

MOST = 20
_VERDICTS = {"pass": "✅ PASS", "block": "❌ BLOCK", "none": "❔ NO VERDICT"}


def gate_markdown(report: GateReport) -> str:
    """The report as Markdown."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: GateReport) -> Iterator[str]:
    yield f"## {_VERDICTS[report.verdict]}: {plain(report.suite)} {plain(report.version)}"
    yield ""
    c = report.counts
    yield (f"Run {code(report.run)} ({plain(report.system) or plain(report.format)}): {counted(c.cases, 'case')}, "
           f"{c.scored} scored, {c.harness} harness errors, {c.missing} missing, {c.unknown} lines of no case, "
           f"{c.duplicates} duplicates, {c.unreadable} unreadable lines. "
           f"Evidence by {report.ids}, first {report.k}.")  # fmt: skip
    for title, entries in (("Why", report.blocks), ("Watch", report.watch)):
        if entries:
            yield from ("", f"### {title}", "")
        for line in entries:
            ids = f" ({_ids(line.cases)})" if line.cases else ""
            yield f"- **{plain(line.text)}**{ids} → {plain(line.step)}"
    if report.notes:
        yield from ("", "### Not measured", "", *(f"- {plain(note)}" for note in report.notes))
    if report.measures:
        rows: list[Sequence[object]]
        rows = [
            (m.words, _rate(m.all), m.all.n, _rate(m.retrieved), f"{m.all.weighted:.0%}") for m in report.measures
        ]  # fmt: skip
        yield from ("", "### Measures", "")
        yield from table(("measure", "all (95 %)", "n", "after retrieval (95 %)", "weighted"), rows)
    if report.targets:
        rows = [
            (plain(t.name), t.measure, _rate(t.rate), f"{t.minimum:.0%}", t.state.upper()) for t in report.targets
        ]  # fmt: skip
        yield from ("", "### Targets", "", *table(("where", "measure", "is (95 %)", "asked", "state"), rows))
    if report.diff:
        yield from _diff(report.diff)
    if report.failed:
        yield from ("", f"### Failed ({len(report.failed)})", "")
        rows = [
            (code(f.case_id), f.risk, f.stage, plain("; ".join(f.why))) for f in report.failed[:MOST]
        ]  # fmt: skip
        yield from table(("case", "risk", "stage", "why"), rows)
        if len(report.failed) > MOST:
            yield from ("", f"and {len(report.failed) - MOST} more")
    yield from _details(report)


def _diff(diff: Diff) -> Iterator[str]:
    yield from ("", f"### Beside {code(diff.run)}", "")
    yield (f"{counted(diff.both, 'case')} in both: {diff.lost} lost, {diff.gained} gained "
           f"(exact McNemar p = {diff.p:.3f}), {len(diff.new_misses)} with evidence missed anew.")  # fmt: skip
    spent = diff.spent
    if spent.timed:
        yield (f"Latency, median {spent.before_median_ms:.0f} → {spent.median_ms:.0f} ms, 95th percentile "
               f"{spent.before_p95_ms:.0f} → {spent.p95_ms:.0f} ms.")  # fmt: skip
    if spent.priced:
        yield f"Cost {spent.before_cost:.4f} → {spent.cost:.4f} USD."
    if diff.changed:
        rows: list[Sequence[object]]
        rows = [(code(c.case_id), c.risk, c.change, plain("; ".join(c.why)) or "-") for c in diff.changed[:MOST]]
        yield from ("", *table(("case", "risk", "change", "why"), rows))
    if diff.settings:
        rows = [(plain(s.name), plain(s.before) or "-", plain(s.after) or "-") for s in diff.settings]
        yield from ("", *table(("setting", "before", "now"), rows))


def _details(report: GateReport) -> Iterator[str]:
    if report.strata:
        rows: list[Sequence[object]]
        rows = [
            (s.dimension, plain(s.value) or "-", s.cases, _rate(s.passed), _rate(s.after), _rate(s.evidence),
             f"{s.passed.weighted:.0%}")
            for s in report.strata
        ]  # fmt: skip
        head = ("stratum", "value", "n", "right (95 %)", "after retrieval (95 %)", "evidence (95 %)", "weighted")
        yield from _folded("Strata", table(head, rows))
    if report.confusion:
        rows = [(c.expected, c.shown, c.cases) for c in report.confusion]
        yield from _folded("Behavior", table(("expected", "shown", "cases"), rows))
    if report.correlations:
        rows = [(plain(c.score), f"{c.rho:+.2f}", f"{c.low:+.2f} to {c.high:+.2f}", c.n) for c in report.correlations]
        yield from _folded("Scores against pages", table(("score", "rho", "95 %", "n"), rows))
    if report.judge:
        rows = [
            (plain(j.judge), plain(j.value), _rate(j.agree), j.agree.n, f"{j.kappa:.2f}" if not j.why else "-",
             f"{j.rho:+.2f}" if not j.why_rho else "-", j.lenient, j.strict)
            for j in report.judge
        ]  # fmt: skip
        names = ("judge", "of", "agree (95 %)", "n", "kappa", "rho", "lenient", "strict")
        yield from _folded("Judge and people", table(names, rows))
    if report.too_easy:
        yield from ("", f"Too easy, both trivial baselines pass: {_ids(report.too_easy)}")


def _folded(title: str, body: Sequence[str]) -> Iterator[str]:
    yield from ("", f"<details><summary>{title}</summary>", "", *body, "", "</details>")


def _rate(found: Rate) -> str:
    return f"{found.value:.0%} ({found.low:.0%}-{found.high:.0%})" if found.n else "-"


def _ids(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return ", ".join(map(code, names[:MOST])) + more
