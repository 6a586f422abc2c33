"""Coverage as one HTML file that can be mailed: no script, nothing loaded from anywhere, light, dark and on paper.

Every text that comes from a file or a person goes through `_said`: shown as it is, never markup. What a browser may do
with the page is said in the page itself (`default-src 'none'`). Questions of failures and cases are not in it.
"""

from __future__ import annotations

import html
import importlib.resources
from collections.abc import Iterable, Iterator, Sequence

from curator.domain.coverage import Cell, DimensionCounts, Grid, Histogram, Margin
from curator.domain.coverage_report import CoverageReport
from curator.domain.filling import Work
from curator.domain.quotas import Asked
from curator.domain.size_panel import Size
from curator.domain.suite import TITLES
from curator.text import counted, one_line

_HEIGHT = 90
"""Pixels of the tallest bar."""


def coverage_html(report: CoverageReport) -> bytes:
    """The file."""
    name = report.suite or "all cases"
    style = importlib.resources.files("curator.exporting").joinpath("coverage.css").read_text("utf-8")
    parts = (
        _head(report, name),
        _warnings(report.warnings),
        _gaps(report),
        _heat_map(report.grid),
        _lengths(report.histogram, report),
        _sizes(report.sizes, report.assumptions),
        _dimensions(report.dimensions),
        _foot(report),
    )
    body = "\n".join(line for part in parts for line in part)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>Coverage: {_said(name)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    ).encode()


def _said(text: str, width: int = 0) -> str:
    """Outside text on one line: what a page would obey is escaped, what nobody would see is made visible."""
    return html.escape(one_line(text, width), quote=True)


def _head(report: CoverageReport, name: str) -> Iterator[str]:
    unmet = len(report.work)
    if unmet:
        verdict = f'<p class="verdict gap">! {counted(unmet, "quota")} not met</p>'
    elif report.quotas:
        verdict = f'<p class="verdict met">✓ {"every quota is" if len(report.quotas) > 1 else "its quota is"} met</p>'
    else:
        verdict = '<p class="verdict">no quotas</p>'
    yield f"<header><h1>Coverage: {_said(name)}</h1>{verdict}</header>"
    if report.description:
        yield f"<p>{_said(report.description)}</p>"
    yield (
        f'<p class="counts"><b>{counted(report.cases, "case")}</b> count: approved and current, '
        f"{report.holdout} of them in the holdout. {report.coming} on their way and {report.stale} stale do not.</p>"
    )
    if report.wear.cases:
        yield f'<p class="{"warning" if report.wear.worn else "counts"}">{_said(report.wear.words)}</p>'


def _warnings(warnings: Sequence[str]) -> Iterator[str]:
    for warning in warnings:
        yield f'<p class="warning">! {_said(warning)}</p>'


def _gaps(report: CoverageReport) -> Iterator[str]:
    if report.work:
        yield "<section><h2>What is missing, and what would fill it</h2>"
        yield from (line for work in report.work for line in _work(work, many=not report.suite))
        yield "</section>"
    if report.quotas:
        yield "<section><h2>Quotas</h2>"
        yield _listing("Quota", "#Has", "#Needs", "#Missing")
        yield from map(_quota, report.quotas)
        yield f"{_END}</section>"


def _listing(*names: str, kind: str = "list") -> str:
    """The head of a list, up to its first row; the names of columns of figures begin with "#". `_END` ends it."""
    heads = (f'<th scope=col class="n">{n[1:]}</th>' if n[:1] == "#" else f"<th scope=col>{n}</th>" for n in names)
    return f'<div class="wide"><table class="{kind}"><thead><tr>{"".join(heads)}</tr></thead><tbody>'


_END = "</tbody></table></div>"


def _work(work: Work, *, many: bool) -> Iterator[str]:
    suite = f"{_said(work.suite)}: " if many else ""
    yield f'<article class="work"><h3>! {suite}{_said(work.words)}</h3><p>→ {_said(work.step)}</p>'
    if work.places:
        yield _listing("Document", "#Pages", "Part", "#Cases there", "Sections")
        for p in work.places:
            sections = "; ".join(_said(s, 60) for s in p.sections)
            yield (
                f"<tr><td>{_said(p.title or p.document_id, 60)} <code>{_said(p.document_id)}</code></td>"
                f'<td class="n" data-name="pages">{p.first_page}–{p.last_page} of {p.pages}</td>'
                f'<td data-name="part">{_said(p.position)}</td><td class="n" data-name="cases there">{p.cases}</td>'
                f'<td data-name="sections">{sections}</td></tr>'
            )
        yield _END
    if work.failures:
        told = (f"<code>{_said(f.failure_id)}</code> {_said(', '.join(f.reasons))}" for f in work.failures)
        yield f'<p class="failures">Failures: {"; ".join(told)}</p>'
    yield "</article>"


def _quota(asked: Asked) -> str:
    share = asked.quota.unit == "share"
    have, need = (f"{v:.1%}" if share else f"{v:g}" for v in (asked.have, asked.quota.minimum))
    state = "met" if asked.met else "gap"
    return (
        f'<tr class="{state}"><th scope="row">{"✓" if asked.met else "!"} {_said(asked.quota.name)}</th>'
        f'<td class="n">{have}</td><td class="n">{need}</td><td class="n">{asked.missing or ""}</td></tr>'
    )


def _heat_map(grid: Grid) -> Iterator[str]:
    title = " by ".join(_said(TITLES.get(d, d)) for d in (grid.rows_by, grid.columns_by) if d)
    largest = max((c.count for line in grid.cells for c in line), default=0)
    yield f'<section><h2>{title}</h2><div class="wide"><table class="heat"><thead><tr><td></td>'
    columns = grid.columns or (Margin(value=""),)
    if grid.columns_by:
        yield from (f'<th scope="col">{_value(m.value)}</th>' for m in columns)
    yield '<th scope="col" class="sum">all</th></tr></thead><tbody>'
    for margin, line in zip(grid.rows, grid.cells, strict=True):
        cells = "".join(_cell(c, largest) for c in line) if grid.columns_by else ""
        yield f'<tr><th scope="row">{_value(margin.value)}</th>{cells}{_margin(margin)}</tr>'
    yield '</tbody><tfoot><tr><th scope="row" class="sum">all</th>'
    if grid.columns_by:
        yield from map(_margin, grid.columns)
    yield f"{_margin(grid.total)}</tr></tfoot></table></div>"
    yield (
        '<p class="legend"><span>! below its quota</span> <span>✓ quota met</span> <span>· empty</span> '
        "<span>░ ▒ ▓ █ by quarters of the fullest cell</span> <span>+n on their way</span></p></section>"
    )


def _value(value: str) -> str:
    return _said(value, 40) or '<i class="none">not stated</i>'


def _cell(cell: Cell, largest: int) -> str:
    """Shade, glyph and number: any one of them is enough to read it."""
    shade = min(4, -(-4 * cell.count // largest)) if largest else 0
    need = f"<small>of {cell.need:g}</small>" if cell.state != "free" else ""
    coming = f"<small>+{cell.coming}</small>" if cell.coming else ""
    number = f'<span class="g">{cell.glyph}</span> <b>{cell.count}</b>'
    return f'<td class="h{shade} {cell.state}">{number} {need} {coming}</td>'


def _margin(margin: Margin) -> str:
    mark = {"gap": "! ", "met": "✓ "}.get(margin.state, "")
    need = f" <small>of {margin.need:g}</small>" if margin.state != "free" else ""
    coming = f" <small>+{margin.coming}</small>" if margin.coming else ""
    return f'<td class="sum {margin.state}">{mark}<b>{margin.count}</b>{need}{coming}</td>'


_ROWS = (("production", "in production"), ("documents", "documents here"), ("cases", "cases"))


def _lengths(found: Histogram, report: CoverageReport) -> Iterator[str]:
    yield "<section><h2>Lengths</h2>"
    if not found.bars:
        yield "<p>No reference median is declared, so no case has a length.</p></section>"
        return
    origin = f", from {_said(report.length.origin)}" if report.length.origin else ""
    as_of = f", as of {_said(report.length.as_of)}" if report.length.as_of else ""
    median = f"the reference median of {found.median:g}{origin}{as_of}"
    yield f"<p>Pages against {median}. A bar stands for so many pages; none crosses the edge of a band.</p>"
    for field, words in _ROWS:
        counts = [int(getattr(bar, field)) for bar in found.bars]
        if any(counts) or field != "production":
            yield from _bars(found, counts, words)
    yield "</section>"


def _bars(found: Histogram, counts: Sequence[int], words: str) -> Iterator[str]:
    """One row of bars as a table: bands over it, a number on every bar, pages under it."""
    largest = max(counts) or 1
    yield f'<div class="figure"><table class="bars"><caption>{_said(words)}: {sum(counts)}</caption><thead><tr>'
    for number, (band, _) in enumerate(found.bands):
        width = sum(bar.band == band for bar in found.bars)
        yield f'<th scope="colgroup" colspan="{width}" class="b{number % 2}">{_said(band)}</th>'
    yield "</tr></thead><tbody><tr>"
    bands = [band for band, _ in found.bands]
    for bar, count in zip(found.bars, counts, strict=True):
        height = max(1, round(_HEIGHT * count / largest)) if count else 0
        yield f'<td class="b{bands.index(bar.band) % 2}">{count or ""}<div style="height:{height}px"></div></td>'
    yield "</tr></tbody><tfoot><tr>"
    yield from (f'<th scope="col">{_span(bar.low, bar.high)}</th>' for bar in found.bars)
    yield "</tr></tfoot></table></div>"


def _span(low: float, high: float) -> str:
    return f"{low:g}–{high:g}" if high else f"{low:g}+"


def _sizes(found: Sequence[Size], assumptions: str) -> Iterator[str]:
    yield "<section><h2>What these cases can show</h2>"
    if found:
        yield f'<p class="lead">{_said(found[0].sentence)}</p>'
    yield _listing("Stratum", "#n", "#documents", "#effective n", "#right", "#95% interval", "#smallest change",
                   kind="list sizes")  # fmt: skip
    for line in found:
        name = f"{_said(TITLES.get(line.dimension, line.dimension))}: {_value(line.value)}" if line.dimension else "all"
        change = "none" if line.change is None else f"{line.change * 100:.0f} points"
        right = f"{line.rate:.0%}" + ("" if line.measured else " <small>assumed</small>")
        yield (
            f'<tr><th scope="row">{name}</th><td class="n">{line.n}</td><td class="n">{line.documents}</td>'
            f'<td class="n">{line.effective:.1f}</td><td class="n">{right}</td>'
            f'<td class="n">{100 * line.low:.0f}–{line.high:.0%}</td><td class="n">{change}</td></tr>'
        )
    yield f'{_END}<p class="small">{_said(assumptions)}</p></section>'


def _dimensions(found: Iterable[DimensionCounts]) -> Iterator[str]:
    yield '<section><h2>Every dimension</h2><div class="dimensions">'
    for dimension in found:
        largest = max((m.count for m in dimension.values), default=0) or 1
        yield f'<div class="dimension"><h3>{_said(dimension.title)}</h3>'
        yield f'<p class="small">{_said(dimension.how)}</p><table>'
        for m in dimension.values:
            width = 100 * m.count / largest
            yield (
                f'<tr><th scope="row">{_value(m.value)}</th>{_margin(m)}'
                f'<td class="strip"><span style="width:{width:.0f}%"></span></td></tr>'
            )
        yield "</table></div>"
    yield "</div></section>"


def _foot(report: CoverageReport) -> Iterator[str]:
    made = f"Made {_said(report.at)} by Curator"
    yield f'<footer class="small">{made}. Counts only: no question and no answer is in it.</footer>'
