"""A row of a list as a case in the making: its fields read, and everything doubtful said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from curator.domain.case import Difficulty, DraftRisk, RefusalReason, TurnExpectation
from curator.domain.list_behavior import Judged, judge
from curator.domain.list_fields import key_of, last_key
from curator.domain.list_mapping import Columns
from curator.domain.list_parts import (
    MOST,
    PLACEHOLDERS,
    Provision,
    answers,
    cite,
    is_keywords,
    is_literal,
    last,
    place,
    plain_json,
    plural,
    provision,
    says_more,
)
from curator.domain.list_turns import Conversation, conversation
from curator.domain.list_values import (
    Number,
    Plain,
    Twice,
    is_empty,
    is_number,
    language,
    listed,
    pages,
    text_of,
)
from curator.domain.list_words import difficulty_of, risk_of

_HOP = re.compile(r"^\s*<\d+-hop>\s*")
_WEB = re.compile(r"^file://(?:.*/)?([^/]+)$")
_INLINE_FLAGS = re.compile(r"^\(\?[aiLmsux]+\)")
_PERSONAL = re.compile(
    r"(?:^|_)(?:cpf|cnpj|ssn|sin|nif|nie|dni|curp|bsn|nino|iban|passport|reisepass|ausweis|tax_id|steuer_id|phone|telefon|telefono|email|e_mail|"
    r"credit_card|card_number|kreditkarte|주민번호|주민등록번호|전화번호|身份证|手机号|マイナンバー)(?:$|_)"
)
_TOTAL = re.compile(
    r"(?:grand )?totals?|sum|summe|gesamt(?:summe)?|anzahl|count|subtotal|suma|total geral|somme|totale|totaal|"
    r"합계|총계|合計|总计|итого",
    re.I,
)


@dataclass
class ListCase:
    """What a row says, before it becomes a case.

    Attributes:
        number: Of the row; own_id: the id that the list gives it.
        turns: What the user says, in order; `earlier`: what the assistant answered in between.
        judged: How the system must behave, what says so, and what is only suggested.
        quotes, pages, documents, sources: What the list says of evidence, to be found in the documents.
        attributes: Name and value of what has no field.
        doubts: What a person should look at, one line each; the same words in all rows.
    """

    number: int
    own_id: str = ""
    turns: tuple[str, ...] = ()
    earlier: tuple[TurnExpectation, ...] = ()
    system: str = ""
    judged: Judged = field(default_factory=Judged)
    answer: str = ""
    accepted: tuple[str, ...] = ()
    provisions: tuple[Provision, ...] = ()
    must_not: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()
    pages: tuple[int, ...] = ()
    documents: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    domain: str = ""
    document_type: str = ""
    difficulty: Difficulty | str = ""
    risk: DraftRisk = ""
    consequence: str = ""
    language: str = ""
    route: str = ""
    as_of: str = ""
    asker: str = ""
    refusal_reason: RefusalReason = ""
    escalate_to: str = ""
    escalate_when: str = ""
    tags: tuple[str, ...] = ()
    behaviors: tuple[str, ...] = ()
    notes: str = ""
    attributes: tuple[tuple[str, str], ...] = ()
    doubts: list[str] = field(default_factory=list)
    withheld: list[str] = field(default_factory=list)
    messages: int = 0


class NoCaseError(ValueError):
    """Why a row is no case: the column, and the reason in words."""

    def __init__(self, column: str, reason: str) -> None:
        super().__init__(reason)
        self.column = column


def read_row(
    number: int, fields: Mapping[str, Any], how: Columns, *, group: str = "",
    scale: Mapping[str, DraftRisk] | None = None,
) -> ListCase:  # fmt: skip
    """A row as a case in the making.

    Args:
        number: Of the row.
        fields: Path -> value, from the parser.
        how: The mapping of the list.
        group: Name of the list or sheet that it stands in; it may say how to behave.
        scale: What the numbers of a risk mean, where the file explains them.

    Raises:
        NoCaseError: Nothing is asked in it, and nothing summarized.
    """
    return _Row(number, fields, how, group, scale or {}).read()


class _Row:
    def __init__(
        self, number: int, fields: Mapping[str, Any], how: Columns, group: str, scale: Mapping[str, DraftRisk]
    ) -> None:
        self._fields, self._how, self._group, self._scale = fields, how, group, scale
        self.made = ListCase(number)
        self.doubts = self.made.doubts

    def values(self, name: str) -> Iterator[tuple[str, Any]]:
        """Columns of a field that say something in this row, the surest first."""
        for path in self._how.paths(name):
            value = self._fields.get(path)
            if value is None or (name not in ("turns", "referenceAnswer") and is_empty(value)):
                continue
            yield path, value

    def text(self, name: str) -> str:
        return next((t for _, v in self.values(name) if (t := self._single(v))), "")

    def _single(self, value: Any) -> str:
        return text_of(value[-1] if isinstance(value, Twice) else value)

    def read(self) -> ListCase:
        made = self.made
        self._twice()
        made.own_id = self._id()
        talk = conversation(self.values("turns"), self.values("history"), self.doubts)
        self._answer(talk)
        self._provisions()
        if not talk.turns or (is_number(talk.turns[-1]) and self._is_total()):
            self._require_summary()
        made.turns, made.system, made.messages = talk.turns, talk.system or self.text("system"), talk.messages
        made.earlier = made.earlier or talk.earlier
        if talk.whole:
            made.attributes += (("turns", talk.whole),)
            self.doubts.append("turns hold more than what is said: kept whole as an attribute")
        made.must_not = tuple(self._must_not())
        self._evidence()
        self._labels()
        made.judged = judge(self, self._group)
        made.behaviors = made.judged.words
        made.answer = "" if made.judged.sentinel else made.answer
        self._rubric()
        self._strata()
        self._notes()
        self._rest()
        self._unfinished()
        return made

    def _id(self) -> str:
        for _, value in self.values("caseId"):
            text = text_of(value)
            if not text:
                continue
            if isinstance(value, Number | Plain) and re.fullmatch(r"0\d+", text):
                self.doubts.append(f"the id {text[:20]} begins with a zero: kept as text")
            return text[:200]
        if self._how.paths("caseId"):
            self.doubts.append("it has no id: it is known by what it says")
        return ""

    def _twice(self) -> None:
        for path, value in self._fields.items():
            if isinstance(value, Twice) and "assert" not in path:
                if self._how.fields[path] in (
                    "turns",
                    "referenceAnswer",
                    "expectedBehavior",
                    "caseId",
                    "refused",
                    "answered",
                    "risk",
                ):
                    raise NoCaseError(
                        path, f"the key {key_of(path.rpartition('.')[2])[:40]} stands twice, with two values"
                    )
                self.doubts.append(f"the key {key_of(path.rpartition('.')[2])[:40]} stands twice: both values are kept")

    def _answer(self, talk: Conversation) -> None:
        made = self.made
        for _, value in self.values("referenceAnswer"):
            texts = answers(value)
            if not texts:
                if text_of(value).casefold() in PLACEHOLDERS:
                    self.doubts.append(f"the answer is {text_of(value)!r}: nobody has written it yet")
                continue
            if isinstance(value, list) and len(texts) == len(talk.turns) > 1:
                made.answer, made.earlier = texts[-1], _each_turn(texts[:-1])
                self.doubts.append("there is one answer for each turn: the last is the reference")
                break
            made.answer, made.accepted = texts[0], tuple(dict.fromkeys(t for t in texts[1:] if t != texts[0]))
            if isinstance(value, Number) or (isinstance(value, Plain | str) and isinstance(value, Number)):
                self.doubts.append("the answer is a number")
            elif isinstance(value, bool):
                self.doubts.append("the answer is a truth: taken as text")
            if len(texts) > len(set(texts)):
                self.doubts.append("the same answer is given twice")
            elif len(texts) > 1 and not any(isinstance(v, dict) for v in listed(value).items):
                self.doubts.append(f"the answer is a list of {len(texts)} variants: the first is the reference")
            if self._how.paths("evidence.context"):
                made.quotes = tuple(dict.fromkeys(texts))
                self._offsets(value)
            break
        if not made.answer and talk.answer:
            made.answer = talk.answer
            self.doubts.append("the last turn is the assistant's and there is no reference answer: that turn is taken")
        more = [t for _, v in self.values("acceptableAnswers") for t in answers(v)]
        made.accepted = tuple(t for t in dict.fromkeys((*made.accepted, *more)) if t != made.answer)[:MOST]

    def _offsets(self, value: Any) -> None:
        passage = next((text_of(v) for _, v in self.values("evidence.context")), "")
        self.made.passages = (passage,) if passage else ()
        for item in listed(value).items:
            at = text_of(item.get("answer_start")) if isinstance(item, dict) and passage else ""
            if at.isdecimal() and not passage[int(at[:9]) :].startswith(text_of(item.get("text"))):
                self.doubts.append("answer_start does not point at the text: the passage is searched")
                return

    def _provisions(self) -> None:
        found: list[Provision] = []
        for path, value in self.values("keyProvisions"):
            literal = is_literal(path)
            alternatives = "-any" in path
            items = listed(value, split="" if alternatives else ";\n|," if is_keywords(path) else ";\n|")
            if items.problem:
                self.doubts.append(f"{last(path)} {items.problem}")
            if alternatives:
                texts = [t for i in items.items for t in answers(i)]
                if texts:
                    found.append(Provision(" / ".join(texts), tuple(texts)))
                continue
            if any(isinstance(item, dict) and says_more(item) for item in items.items):
                self.made.attributes += ((path, text_of(plain_json(value))[:20_000]),)
                self.doubts.append(f"{last(path)} hold more than statements: kept whole as an attribute")
            for item in items.items[:MOST]:
                if isinstance(item, list):
                    texts = [t for i in item if (t := text_of(i))]
                    found += [Provision(" / ".join(texts), tuple(texts))] if texts else []
                elif isinstance(item, dict):
                    found += [p] if (p := provision(item)).text else []
                elif text := text_of(item):
                    found.append(Provision(text, (text,) if literal else ()))
        self.made.provisions = tuple(dict.fromkeys(found))

    def _require_summary(self) -> None:
        """Without a question, a document with its summary or provisions is the case; else there is none."""
        named = [p for p in self._how.paths("turns") if p in self._fields]
        filled = any(not is_empty(self._fields.get(p)) for p in self._how.paths("turns"))
        if self._is_total():
            raise NoCaseError("", "total row, no question")
        if not self._how.paths("turns"):
            if not (self.made.answer or self.made.provisions):
                raise NoCaseError("", "empty: no question, no summary, no provisions")
            if self.values("documents") and any(True for _ in self.values("documents")):
                return
            raise NoCaseError("", "no question, and no document that is summarized")
        if filled:
            raise NoCaseError(named[0] if named else "", "no user turn in it")
        flat = [p for p in self._how.paths("turns") if last_key(p) == p]
        if named := named or flat:
            raise NoCaseError(named[0], f"no question: {last(named[0])} is blank")
        there = [last(p) for p, v in self._fields.items() if not is_empty(v)]
        raise NoCaseError(
            self._how.paths("turns")[0], f"no question: it holds only {', '.join(there[:4]) or 'nothing'}"[:160]
        )

    def _is_total(self) -> bool:
        first = next((text_of(v) for v in self._fields.values() if not is_empty(v)), "")
        return bool(_TOTAL.fullmatch(first.strip(" :")))

    def _must_not(self) -> Iterator[str]:
        for path, value in self.values("mustNotClaim"):
            items = listed(value, split=";\n|" if not path.startswith("tests") else "")
            if items.problem:
                self.doubts.append(f"{last(path)} {items.problem}")
            for item in items.items[:MOST]:
                text = provision(item).text if isinstance(item, dict) and provision(item).text else text_of(item)
                bare = _INLINE_FLAGS.sub("", text)
                if re.search(r"[\\^$*+\[\]{}]|\.[*+?]|\|", bare):
                    self.doubts.append(f"{last(path)} is a pattern, not a claim: word it")
                if bare:
                    yield bare

    def _evidence(self) -> None:
        made = self.made
        quotes = list(made.quotes)
        documents: list[str] = []
        sources: list[str] = []
        numbers: list[int] = []
        for path, value in self.values("evidence.quote"):
            items = listed(value)
            plain_text = isinstance(value, str) and not value.strip().startswith(("[", "{"))
            if items.problem or (plain_text and plural(path) and not text_of(value).startswith("file://")):
                self.doubts.append(f"{last(path)} {items.problem or 'is plain text, taken as one quote'}")
            for item in items.items[:MOST]:
                if isinstance(item, list):
                    _titled(item, quotes, documents)
                elif isinstance(item, dict):
                    place(item, quotes, documents, sources, numbers)
                elif match := _WEB.match(text := text_of(item)):
                    documents.append(match[1])
                    self.doubts.append(f"{last(path)} names a file")
                elif text := _HOP.sub("", text).strip():
                    quotes.append(text)
        for _, value in self.values("documents"):
            for item in listed(value, split=";\n|").items[:MOST]:
                if isinstance(item, dict):
                    place(item, quotes, documents, sources, numbers)
                elif not is_empty(text := text_of(item)):
                    documents.append(_WEB.sub(r"\1", text))
        for path, value in self.values("pages"):
            found = pages(value)
            singular = key_of(last(path)) in ("page", "page_number", "seite", "pagina", "페이지", "쪽")
            if found.problem and not (singular and "page count" in found.problem):
                self.doubts.append(f"{last(path)} {found.problem}")
            numbers += found.pages
        for path, value in self.values("expectedSourceIds"):
            if (
                isinstance(value, str)
                and not isinstance(value, Number)
                and value.strip()[:1] not in "[{"
                and plural(path)
            ):
                self.doubts.append(f"{last(path)} is one text, not a list")
            for item in listed(value, split=";\n|").items[:MOST]:
                if isinstance(item, dict):
                    cite(item, quotes, documents, sources, numbers)
                elif not is_empty(text := text_of(item)):
                    sources.append(text)
        made.quotes, made.documents = tuple(dict.fromkeys(quotes))[:MOST], tuple(dict.fromkeys(documents))[:MOST]
        made.sources, made.pages = tuple(dict.fromkeys(sources))[:MOST], tuple(sorted(set(numbers)))

    def _labels(self) -> None:
        made = self.made
        categories: list[str] = []
        for path, value in self.values("category"):
            for item in listed(value, split=";|").items:
                parts = [p.strip() for p in re.split(r"\s\+\s", text_of(item)) if p.strip()]
                if len(parts) > 1:
                    self.doubts.append(f"{last(path)} names {len(parts)}: each becomes a tag")
                categories += parts
        made.categories = tuple(dict.fromkeys(categories))[:20]
        for path, value in self.values("refusalReason"):  # what is a code of a reason is one; words are kept as well
            if key_of(text_of(value)) not in get_args(RefusalReason):
                made.attributes += ((path, text_of(value)),)
        tags = [t for _, v in self.values("tags") for i in listed(v, split=",;|").items if (t := text_of(i))]
        made.tags = tuple(dict.fromkeys(t[:120] for t in tags))[:MOST]

    def _rubric(self) -> None:
        texts = [
            t
            for _, v in self.values("rubric")
            for i in (v if isinstance(v, Twice | list) else [v])
            if (t := text_of(i))
        ]
        if texts and not self.made.answer:
            self.made.answer, texts = texts[0], texts[1:]
        self.made.provisions = (*self.made.provisions, *(Provision(t) for t in texts))

    def _strata(self) -> None:
        made = self.made
        for name in (
            "domain",
            "document_type",
            "route",
            "as_of",
            "asker",
            "consequence",
            "escalate_to",
            "escalate_when",
        ):
            setattr(made, name, self.text(_CAMEL.get(name, name))[:400])
        if said := self.text("language"):
            made.language = language(said)
            if not made.language:
                made.tags = (*made.tags, said[:60])
        self._difficulty()
        self._risk()

    def _difficulty(self) -> None:
        for path, value in self.values("difficulty"):
            text = text_of(value)
            if found := difficulty_of(text):
                self.made.difficulty = found
            elif isinstance(value, Number) or text.isdecimal():
                self.doubts.append(
                    f"{last(path)} is the number {text[:12]}: the scale is unknown; kept as an attribute"
                )
                self.made.attributes += ((last(path), text),)
            else:
                self.made.tags = (*self.made.tags, text[:60])

    def _risk(self) -> None:
        for path, value in self.values("risk"):
            text = text_of(value)
            if found := risk_of(text) or self._scale.get(text, ""):
                self.made.risk = found
                if text in self._scale:
                    self.doubts.append(f"{last(path)} is read by the scale that the file explains")
            else:
                scale = "is the number" if isinstance(value, Number) or text.isdecimal() else "is"
                self.doubts.append(f"{last(path)} {scale} {text[:20]}: the scale is unknown; kept as an attribute")
                self.made.attributes += ((last(path), text),)

    def _notes(self) -> None:
        lines = []
        for path, value in self.values("notes"):
            text = text_of(value)
            name = key_of(last(path))
            if any(w in name for w in ("date", "created", "added", "datum", "fecha", "angelegt")):
                if re.fullmatch(r"\d{1,2}[/.]\d{1,2}[/.]\d{2,4}", text):
                    day, month, *_ = (int(n) for n in re.split(r"[/.]", text))
                    if day <= 12 and month <= 12 and day != month and "/" in text:
                        self.doubts.append(f"{last(path)} {text}: the day or the month may come first")
                text = f"{last(path)}: {text}"
            if text:
                lines.append(text)
        self.made.notes = "\n".join(lines)

    def _rest(self) -> None:
        made = self.made
        kept = list(made.attributes)
        for path, value in self._fields.items():
            if self._how.fields.get(path) or is_empty(value):
                continue
            if _PERSONAL.search(key_of(last(path))):
                made.withheld.append(path)
                continue
            text = text_of(value) if not isinstance(value, list) else text_of(plain_json(value))
            kept.append((path, text[:20_000]))
        if made.system:
            kept.append(("system prompt", made.system))
        made.attributes = tuple(kept)

    def _unfinished(self) -> None:
        made = self.made
        if made.answer or made.judged.kind in ("refuse", "escalate"):
            if not made.answer and made.judged.kind == "refuse" and self._how.paths("referenceAnswer"):
                self.doubts.append("the reference answer is empty, which a refusal may have")
            return
        if made.provisions:
            self.doubts.append("no reference answer, only what it must carry: import as unfinished")
        else:
            self.doubts.append("the answer is empty and nothing marks a refusal: import as unfinished")


_CAMEL = {
    "document_type": "documentType", "as_of": "asOf", "escalate_to": "escalateTo", "escalate_when": "escalateWhen"
}  # fmt: skip


def _each_turn(texts: Sequence[str]) -> tuple[TurnExpectation, ...]:
    """Answers to the turns before the last."""
    return tuple(TurnExpectation(turn=n, reference_answer=text) for n, text in enumerate(texts, 1))


def _titled(item: list[Any], quotes: list[str], documents: list[str]) -> None:
    """A title with sentences, or with the number of one: ["Title", ["One.", "Two."]]."""
    if len(item) == 2 and isinstance(item[0], str) and isinstance(item[1], list):
        quotes.append(" ".join(text_of(v).strip() for v in item[1]))
        documents.append(text_of(item[0]))
    elif len(item) == 2 and isinstance(item[0], str) and isinstance(item[1], Number):
        documents.append(text_of(item[0]))
    else:
        quotes += [t for v in item if (t := text_of(v))]
