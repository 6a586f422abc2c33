"""The report that is mailed: one file, nothing from elsewhere, no text that becomes markup."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser

import pytest

from curator.domain import coverage as counting
from curator.domain.coverage import Counted, counted
from curator.domain.coverage_report import CoverageReport, Length
from curator.domain.filling import Filling, Place, Work
from curator.domain.quotas import asked
from curator.domain.size_panel import Assumptions, sizes
from curator.domain.suite import Quota
from curator.exporting.coverage_html import coverage_html
from curator.exporting.coverage_markdown import coverage_markdown

HOSTILE = (
    "</style><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "\x1b[31m\u202egnp.exe\x00",
    "[x](javascript:alert(1)) `code` | cell |",
    "{{7*7}} &amp; ${x} =cmd|'/c calc'!A1",
)
VOID = {"meta", "br", "img", "link", "input", "hr"}


class Page(HTMLParser):
    """Tags, attributes and text of a page; tags that are not closed are an error."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str | None]] = []
        self.said: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.said.append(data)


def case(number: int, domain: str, band: str = "base", route: str = "lookup") -> Counted:
    line = {
        "domain": domain, "documentType": "law", "expectedBehavior": "answer", "task": "question", "risk": "low",
        "difficulty": "easy", "route": route, "language": "en", "lengthStratum": band, "sectionPosition": "early",
        "conversation": "single", "sectionDepth": "1", "turns": ("",), "documents": [], "tags": (),
    }  # fmt: skip
    return counted(f"law-{number:06d}", "counted", "dev", f"doc-{number % 3}", line)


def report(words: tuple[str, ...] = ("law", "tax")) -> CoverageReport:
    """A suite with a met and an unmet quota; every text that comes from outside is one of these words."""
    cases = [case(n, words[n % len(words)], "10x" if n % 4 else "base", words[-1]) for n in range(12)]
    quotas = (Quota(minimum=3), Quota(where={"domain": words[0], "lengthStratum": "10x"}, minimum=40))
    found = asked(quotas, [c.line for c in cases])
    place = Place(
        document_id=words[0],
        title=words[-1],
        pages=9,
        position="late",
        first_page=7,
        last_page=9,
        cases=0,
        sections=words,
    )
    failure = Filling(failure_id="f1", question="a question that is not to be mailed", reasons=words)
    work = Work(
        suite=words[0], name="x", where={}, words=f"{words[0]}: has 1", missing=1, step=f"do {words[-1]}",
        places=(place,), failures=(failure,),
    )  # fmt: skip
    return CoverageReport(
        suite=words[0], description=words[-1], at="2026-03-01T09:00:00Z", by=("domain", "lengthStratum"), cases=12,
        coming=1, stale=0, holdout=0, length=Length(median=2, origin=words[0], as_of=words[-1]), warnings=words,
        grid=counting.grid(cases, "domain", "lengthStratum", found), dimensions=counting.dimensions(cases, found),
        quotas=found, work=(work,), histogram=counting.histogram(2, [1, 3, 50], [4, 20], [4] * 12),
        sizes=sizes(cases, ("domain", "route"), Assumptions()), assumed=Assumptions(),
    )  # fmt: skip


def test_it_is_one_file_that_loads_nothing_and_runs_nothing() -> None:
    text = coverage_html(report()).decode()
    page = Page(text)
    assert page.open == []
    assert not {"script", "link", "img", "iframe", "object", "form", "base", "svg"} & set(page.tags)
    assert not [a for a, _ in page.attributes if a.startswith("on") or a in ("href", "src")]
    assert "url(" not in text
    assert "@import" not in text
    policy = next(v for a, v in page.attributes if a == "content" and v and "default-src" in v)
    assert policy == "default-src 'none'; style-src 'unsafe-inline'"
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


def test_every_color_has_a_value_for_light_dark_and_paper() -> None:
    text = coverage_html(report()).decode()
    used = set(re.findall(r"var\((--[\w-]+)\)", text))
    blocks = re.findall(r":root \{(.*?)\}", text, re.S)
    assert len(blocks) == 3
    for block in blocks:
        assert used <= set(re.findall(r"(--[\w-]+):", block))


def test_the_state_of_a_cell_is_said_by_glyph_and_number() -> None:
    said = " ".join(" ".join(Page(coverage_html(report()).decode()).said).split())
    assert "! 1 quota not met" in said
    assert re.search(r"! 4 of 40|! 5 of 40|! 6 of 40|! 3 of 40", said)
    assert "✓ 12 of 3" in said
    assert "in production: 3" in said
    assert "not to be mailed" not in said


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_text_is_shown_and_obeyed_by_nothing(hostile: str) -> None:
    plain, page = Page(coverage_html(report()).decode()), Page(coverage_html(report((hostile, hostile + "2"))).decode())
    assert page.tags == plain.tags
    assert sorted({a for a, _ in page.attributes}) == sorted({a for a, _ in plain.attributes})
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", "".join(page.said))
    markdown = coverage_markdown(report((hostile, hostile + "2")))
    tables = [line for line in markdown.splitlines() if line.startswith("|")]
    harmless = [line for line in coverage_markdown(report()).splitlines() if line.startswith("|")]
    bar = re.compile(r"(?<!\\)\|")
    assert [len(bar.findall(line)) for line in tables] == [len(bar.findall(line)) for line in harmless]
    outside_code = re.sub(r"`[^`\n]*`", "", markdown)
    assert not re.search(r"(?<!\\)<(script|img|/style)", outside_code)
    assert "](javascript" not in markdown.replace("\\]", "")


def test_nothing_to_show_is_a_page_too() -> None:
    nothing = report().model_copy(
        update={
            "grid": counting.grid([], "risk"),
            "dimensions": counting.dimensions([]),
            "quotas": (),
            "work": (),
            "sizes": sizes([], ("risk",), Assumptions()),
            "histogram": counting.histogram(0, [], [], []),
        }
    )
    said = " ".join(Page(coverage_html(nothing).decode()).said)
    assert "no quotas" in said
    assert "No case: nothing can be said." in said
    assert "no case has a length" in said
    assert "no quotas" not in coverage_markdown(nothing)


def test_wide_tables_scroll_by_themselves_and_cells_keep_their_names_on_a_phone() -> None:
    page = Page(coverage_html(report()).decode())
    kinds = Counter(v for k, v in page.attributes if k == "class")
    assert kinds["wide"] == kinds["list"] + kinds["list sizes"] + kinds["heat"] > 3
    assert {v for k, v in page.attributes if k == "data-name"} == {"pages", "part", "cases there", "sections"}
