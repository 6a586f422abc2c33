"""What a case says against what its evidence says: values, cited places, wording, and whether it is in force.

Everything here is advice (a warning): an answer may count or conclude. `curator.toml` can make it an error. Distractors
are no evidence. All functions are pure and take about a millisecond a case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from curator.domain.case import Case, Evidence, KeyProvision
from curator.domain.exchanged import exchanged, from_another_column
from curator.domain.opposites import opposed
from curator.domain.phrases import holds, share
from curator.domain.problem import Problem, advice
from curator.domain.references import Reference, references
from curator.domain.units import MONEY, PER, units_in
from curator.domain.values import Value, bears_out, other_unit, same, values, with_unit
from curator.text import counted

_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|er)$")
_SECTION_NUMBER = re.compile(r"(\d{1,3}(?:\.\d{1,3})*)\.?\s")
_ALIKE = {"§": "section"}
LABEL = "label"
"""The unit of a bare number in a heading: it backs another bare number, and nothing that is measured."""


def problems(case: Case, today: str = "") -> tuple[Problem, ...]:
    """Where the case and its evidence do not go together.

    Args:
        case: The case.
        today: ISO date on which evidence must be in force when the case names no date; "" = not asked.
    """
    proof = [e for e in case.evidence if e.role != "distractor"]
    found = [*_rows(case), *_in_force(case, proof, today), *_forbidden(case), *_provisions_answered(case)]
    if proof:
        found += [*_values(case, proof), *_places(case, proof), *_accepted(case, proof), *_opposed(case, proof)]
        found += _exchanged(case, proof)
    return tuple(dict.fromkeys(found))


def _cited_text(entry: Evidence) -> str:
    return "\n".join((entry.quote, entry.table_title, *entry.section_path, *entry.footnotes))


def _evidence_values(entries: Sequence[Evidence], language: str) -> list[Value]:
    found: list[Value] = []
    for entry in entries:
        for text in (entry.table_title, *entry.section_path, *entry.table_header):
            found += (v if v.unit or v.days else v._replace(unit=LABEL) for v in values(text, language))
        for text in entry.footnotes:
            found += _of_text(text, language)
        if entry.table_cells and len(entry.table_cells) == len(entry.table_header):
            in_title = units_in(entry.table_title)
            for head, cell in zip(entry.table_header, entry.table_cells, strict=True):
                units = units_in(head) or in_title
                found += [v for value in values(cell, language) for v in with_unit(_counted(value), units)]
        else:
            found += _of_text(entry.quote, language)
    return found


def _of_text(text: str, language: str) -> Iterator[Value]:
    """The values of running text, where no header says in millions of what a bare number is."""
    return (v if v.unit or v.days else _counted(v)._replace(raw=frozenset()) for v in values(text, language))


def _counted(value: Value) -> Value:
    """A "second" of nothing counts: it backs no 2 minutes."""
    return value._replace(unit=LABEL) if not value.unit and not value.days and _ORDINAL.search(value.said) else value


def _claims(text: str, language: str) -> list[Value]:
    """The values of a text that need proof: no ordinals, nor "one" and "two" of nothing."""
    return [
        v for v in values(text, language) if v.unit or v.days or not (_ORDINAL.search(v.said) or v.amounts <= {0, 1, 2})
    ]


def _backs(evidence: Value, claim: Value, language: str) -> bool:
    """Whether a value backs a claimed one; 0.30 euro for each kilometer backs 0.30 euro, but no mg/kg backs mg."""
    if bears_out(evidence, claim):
        return True
    above, _, below = evidence.unit.partition("/")
    if not below or "/" in claim.unit or above not in (*MONEY, "%"):
        return False
    return any(bears_out(v, claim) for v in values(PER.split(evidence.said)[0], language) if v.unit)


def _values(case: Case, proof: Sequence[Evidence]) -> Iterator[Problem]:
    language = case.language
    asked = [v for t in case.turns for v in _of_text(t, language)]
    there = _evidence_values(proof, language)
    if case.task != "summary":  # a summary speaks of the whole document; its provisions have their evidence
        for field, text in (
            ("referenceAnswer", case.reference_answer),
            *(("acceptableAnswers", a) for a in case.acceptable_answers),
            *(("turnExpectations", t.reference_answer) for t in case.turn_expectations),
        ):
            yield from _unproved(field, "", _claims(text, language), there, asked, language)
    for p in case.key_provisions:
        own = [e for e in proof if e.source_id == p.source_id] or proof
        here = _evidence_values(own, language) if len(own) < len(proof) else there
        for text in (p.text, *p.accept):
            yield from _unproved("keyProvisions", f"{p.id}: ", _claims(text, language), here, asked, language)


def _unproved(
    field: str, whose: str, claims: Sequence[Value], there: Sequence[Value], asked: Sequence[Value], language: str
) -> Iterator[Problem]:  # fmt: skip
    for claim in claims:
        if any(_backs(e, claim, language) for e in (*there, *asked)):
            continue
        other = next((e for e in there if e.unit != LABEL and other_unit(e, claim)), None)
        if other is not None:
            yield advice(
                "unit-differs", field, f"{whose}{claim.said}: the evidence says {other.said}", "correct the unit"
            )
        else:
            yield advice(
                "value-unsupported",
                field,
                f"{whose}{claim.said} is in none of the evidence",
                "correct it, or mark the source that says so",
            )


def _exchanged(case: Case, proof: Sequence[Evidence]) -> Iterator[Problem]:
    if case.task == "summary":
        return
    texts = [("referenceAnswer", case.reference_answer), *(("acceptableAnswers", a) for a in case.acceptable_answers)]
    for field, text in texts:
        for one, other in exchanged(text, case.question, proof, case.language):
            yield advice(
                "values-exchanged",
                field,
                f"{one} stands where the evidence has {other}, and {other} where it has {one}",
                "compare both with the source; exchange them, or say more clearly which is which",
            )
    for wrong in from_another_column(case.reference_answer, case.question, proof, case.language):
        yield advice(
            "column-not-asked",
            "referenceAnswer",
            f"{wrong.said} stands under {wrong.its_heading!r}; under {wrong.asked_heading!r} it is {wrong.there}",
            "compare it with the heading of the column that is asked for",
        )


def _places_of(entry: Evidence) -> list[Reference]:
    """Where an entry lies: numbers of its section path, its table, and its id."""
    found: list[Reference] = []
    for part in (*entry.section_path, entry.table_title):
        found += references(part)[:1]
        if number := _SECTION_NUMBER.match(part + " "):
            found.append(Reference("section", number[1], part, 0, 0))
    container, _, key = entry.source_id.partition(":")
    found += references(re.sub(r"[.-]p\d+$", "", key).replace("-", " ").upper())
    found += references(container.rpartition(".")[2].replace("-", " ").upper())
    return found


def _is_at(ref: Reference, place: Reference) -> bool:
    one, other = (_ALIKE.get(r.kind, r.kind) for r in (ref, place))
    if one != other:
        return False
    return f"{place.number}.".startswith(f"{ref.number}.") or f"{ref.number}.".startswith(f"{place.number}.")


def _places(case: Case, proof: Sequence[Evidence]) -> Iterator[Problem]:
    asked = [r for t in case.turns for r in references(t)]
    lies = {id(e): _places_of(e) for e in proof}
    said = {id(e): references(_cited_text(e)) for e in proof}
    everywhere = [r for e in proof for r in (*lies[id(e)], *said[id(e)])]
    if case.task != "summary":
        for ref in references(case.reference_answer):
            if ref.kind != "page" and not any(_is_at(ref, r) for r in (*everywhere, *asked)):
                yield _unsupported("referenceAnswer", "", ref)
    for p in case.key_provisions:
        own = [e for e in proof if e.source_id == p.source_id] or proof
        here = [r for e in own for r in lies[id(e)]]
        quoted = [r for e in own for r in said[id(e)]]
        for ref in references(p.text):
            if ref.kind != "page" and not any(_is_at(ref, r) for r in (*here, *quoted, *asked)):
                yield _unsupported("keyProvisions", f"{p.id}: ", ref)
        yield from _citation(p, own, here)


def _unsupported(field: str, whose: str, ref: Reference) -> Problem:
    return advice(
        "citation-unsupported",
        field,
        f"{whose}{ref.said} is neither where the evidence lies nor named in it",
        "correct it, or mark the source there",
    )


def _citation(p: KeyProvision, own: Sequence[Evidence], here: Sequence[Reference]) -> Iterator[Problem]:
    pages = {n for e in own for n in (str(e.page), e.page_label.casefold()) if n not in ("", "0")}
    for ref in references(p.citation):
        if ref.kind == "page":
            if pages and ref.number not in pages and not _spans(ref.number, own):
                yield advice(
                    "page-misplaced",
                    "keyProvisions",
                    f"{p.id}: {ref.said}, but its evidence lies on page {own[0].page}",
                    "correct the page",
                )
            continue
        kinds = [r for r in here if _ALIKE.get(r.kind, r.kind) == _ALIKE.get(ref.kind, ref.kind)]
        if kinds and not any(_is_at(ref, r) for r in kinds):
            yield advice(
                "citation-misplaced",
                "keyProvisions",
                f"{p.id}: {ref.said}, but its evidence lies in {kinds[-1].said}",
                "correct the citation, or mark the source there",
            )
    if number := re.match(r"(\d{1,3}(?:\.\d{1,3})+)\.?\s", p.citation + " "):
        numbered = [r for r in here if r.kind == "section"]
        ref = Reference("section", number[1], number[1], 0, 0)
        if numbered and not any(_is_at(ref, r) for r in numbered):
            yield advice(
                "citation-misplaced",
                "keyProvisions",
                f"{p.id}: {ref.said}, but its evidence lies in {numbered[-1].said}",
                "correct the citation, or mark the source there",
            )


def _spans(number: str, own: Sequence[Evidence]) -> bool:
    """Whether a page is the one after that on which an entry begins: a long chunk may run over."""
    return number.isdecimal() and any(e.page and int(number) == e.page + 1 for e in own)


def _accepted(case: Case, proof: Sequence[Evidence]) -> Iterator[Problem]:
    """A mandatory provision none of whose accepted phrases the evidence has."""
    for p in case.key_provisions:
        phrases = [a for a in p.accept if a.strip()]
        if not p.mandatory or not phrases:
            continue
        own = [e for e in proof if e.source_id == p.source_id] or proof
        texts = [_cited_text(e) for e in own]
        there = _evidence_values(own, case.language)
        if not any(_carried(case, a, text, there) for a in phrases for text in texts):
            yield advice(
                "accept-unsupported",
                "keyProvisions",
                f"{p.id}: its source has nothing like what is accepted",
                "quote the source, or cite another one",
            )


def _carried(case: Case, phrase: str, text: str, there: Sequence[Value]) -> bool:
    wanted = values(phrase, case.language)
    if wanted:
        return all(any(_backs(e, w, case.language) for e in there) for w in wanted)
    return holds(text, phrase, case.language) or share(phrase, text) >= 0.6


def _provisions_answered(case: Case) -> Iterator[Problem]:
    """The reference answer must pass its own test: it carries every mandatory provision."""
    answers = [a for a in (case.reference_answer, *case.acceptable_answers[:0]) if a.strip()]
    if not answers or case.expected_behavior == "refuse":
        return
    said = values(case.reference_answer, case.language)
    for p in case.key_provisions:
        phrases = [a for a in p.accept if a.strip()]
        if p.mandatory and phrases and not any(_stands_in(case, a, said) for a in phrases):
            yield advice(
                "answer-misses-provision",
                "referenceAnswer",
                f"the reference answer has nothing that {p.id} accepts",
                "say it in the answer, or accept how the answer says it",
            )


def _stands_in(case: Case, phrase: str, said: Sequence[Value]) -> bool:
    wanted = values(phrase, case.language)
    if wanted:
        return all(any(same(s, w) or _backs(s, w, case.language) for s in said) for w in wanted)
    return holds(case.reference_answer, phrase, case.language) or share(phrase, case.reference_answer) >= 0.75


def _forbidden(case: Case) -> Iterator[Problem]:
    """What must not be claimed is claimed by the answer or accepted by a provision."""
    said = [("referenceAnswer", case.reference_answer), *(("acceptableAnswers", a) for a in case.acceptable_answers)]
    said += [("keyProvisions", a) for p in case.key_provisions for a in p.accept]
    for phrase in (m for m in case.must_not_claim if m.strip()):
        for field, text in said:
            if holds(text, phrase, case.language) and not _within_a_number(text, phrase, case.language):
                yield advice(
                    "claim-forbidden",
                    field,
                    f"it says {phrase!r}, which must not be claimed",
                    "correct the answer, or take the phrase off the list",
                )


def _within_a_number(text: str, phrase: str, language: str) -> bool:
    """Whether a phrase only occurs inside another number: "5 days" in "15 days"."""
    wanted = values(phrase, language)
    there = values(text, language)
    return bool(wanted) and not all(any(same(t, w) for t in there) for w in wanted)


def _opposed(case: Case, proof: Sequence[Evidence]) -> Iterator[Problem]:
    texts = "\n".join((*map(_cited_text, proof), *(h for e in proof for h in e.table_header)))
    asked = "\n".join(case.turns)
    claims = [("referenceAnswer", case.reference_answer)] if case.task != "summary" else []
    claims += [("keyProvisions", t) for p in case.key_provisions for t in (p.text, *p.accept)]
    for field, text in claims:
        for mine, theirs in opposed(text, texts, asked):
            yield advice(
                "wording-opposed",
                field,
                f"it says {mine!r} where the evidence says {theirs!r}",
                "compare it with the source word by word",
            )


def _rows(case: Case) -> Iterator[Problem]:
    for entry in case.evidence:
        is_row = bool(entry.table_cells) or bool(re.search(r"\.(?:table|표)-[^:]*:", entry.source_id))
        if not is_row:
            continue
        if not entry.table_title.strip():
            yield advice(
                "row-without-title", "evidence", f"{entry.source_id}: a row without the title of its table",
                "mark the row again, or repair the title of the table",
            )  # fmt: skip
        if not any(h.strip() for h in entry.table_header):
            yield advice(
                "row-without-header", "evidence", f"{entry.source_id}: a row without the header of its table",
                "mark the row again, or repair the header of the table",
            )  # fmt: skip
        elif entry.table_cells and len(entry.table_cells) != len(entry.table_header):
            yield advice(
                "row-misfits-header",
                "evidence",
                f"{entry.source_id}: {counted(len(entry.table_cells), 'cell')} under "
                f"{counted(len(entry.table_header), 'header')}",
                "mark the row again, or repair the table",
            )


def _in_force(case: Case, proof: Sequence[Evidence], today: str) -> Iterator[Problem]:
    day = case.as_of or today
    if not day:
        return
    when = f"on {case.as_of}" if case.as_of else "today"
    for e in proof:
        if e.effective_from and e.effective_from > day:
            what = f"in force from {e.effective_from} on, not {when}"
        elif e.effective_to and e.effective_to < day:
            what = f"in force until {e.effective_to}, not {when}"
        else:
            continue
        yield advice(
            "evidence-not-in-force", "evidence", f"{e.source_id}: {what}",
            "cite what is in force, or name the date asked about"
        )  # fmt: skip
