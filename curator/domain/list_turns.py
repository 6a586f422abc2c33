"""What was said, out of the ways in which lists write it: texts, messages with roles, lists inside text."""

# ruff: noqa: SIM905  words in a line

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from curator.domain.case import TurnExpectation
from curator.domain.list_fields import key_of, named
from curator.domain.list_values import Twice, is_empty, plain, text_of, unpacked

_USER = frozenset(
    "user human customer end_user client caller kunde benutzer nutzer usuario utilisateur utente 사용자 고객 "
    "用户 ユーザー".split()
)
_ASSISTANT = frozenset(
    "assistant ai bot model agent gpt chatbot system_response answer assistent asistente assistente 상담원 助手 "
    "アシスタント".split()
)
_SYSTEM = frozenset("system developer".split())
_ROLE_KEYS = ("role", "type", "from", "speaker", "sender", "author", "rolle", "rol")
_TEXT_KEYS = ("content", "text", "value", "message", "utterance", "body", "parts", "inhalt")
_MOST = 200


class Conversation(NamedTuple):
    """What a row asks.

    Attributes:
        turns: What the user says, in order.
        earlier: What the assistant answered to the turns before the last.
        answer: What the assistant says after the last turn of the user, "" = nothing.
        messages: Turns of both, as they stand in the list.
        whole: The list as JSON, where its messages hold more than what is said; else "".
    """

    turns: tuple[str, ...] = ()
    earlier: tuple[TurnExpectation, ...] = ()
    answer: str = ""
    system: str = ""
    messages: int = 0
    whole: str = ""


class _Said(NamedTuple):
    role: str
    text: str
    answer: str = ""


def conversation(
    asked: Iterable[tuple[str, Any]], before: Iterable[tuple[str, Any]], doubts: list[str]
) -> Conversation:  # fmt: skip
    """The conversation of a row.

    Args:
        asked: Columns that hold the question or all turns, the surest first.
        before: Columns that hold the turns before the question.
        doubts: Takes what a person should look at.
    """
    question = whole = ""
    listed_turns: list[_Said] = []
    for _, value in asked:
        said = _messages(value)
        if isinstance(value, list) and any(map(_holds_more, value)):
            whole = json.dumps(plain(value), ensure_ascii=False)
        if said is None:
            question = question or text_of(value)
        elif not listed_turns:
            listed_turns = said
    if not listed_turns:
        for _, value in before:
            listed_turns = listed_turns or (_messages(value) or [])
    users = [m for m in listed_turns if m.role == "user"]
    if question and users and _same(users[-1].text, question):
        doubts.append("the question repeats the last turn: it is taken once")
    elif question:
        listed_turns = [*listed_turns, _Said("user", question)]
    return _talk(listed_turns, doubts)._replace(whole=whole)


def _holds_more(item: Any) -> bool:
    """Whether a message says more than who said what, and which answer is right."""
    if not isinstance(item, Mapping):
        return False
    known = (*_ROLE_KEYS, *_TEXT_KEYS, "turn", "id", "index", "timestamp", "ts")
    return any(
        key_of(str(k)) not in known and not _role(str(k)) and named(str(k))[0] not in ("turns", "referenceAnswer")
        for k, v in item.items()
        if not is_empty(v)
    )


def _same(one: str, other: str) -> bool:
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


def _messages(value: Any) -> list[_Said] | None:
    """The messages of a list; None when the value is one text."""
    if isinstance(value, Twice):
        value = value[-1]
    if isinstance(value, str):
        if value.strip()[:1] not in "[{" or not value.strip():
            return _transcript(value)
        found = unpacked(value.strip())
        if not (isinstance(found, list) and found and all(isinstance(m, dict | str) for m in found)) and not isinstance(
            found, dict
        ):
            return None
        value = found
    if isinstance(value, dict):
        inner = next((v for k, v in value.items() if isinstance(v, list) and named(str(k))[0] == "turns"), None)
        if inner is None:
            text = next(
                (text_of(v) for k, v in value.items() if isinstance(v, str) and named(str(k))[0] == "turns"), ""
            )
            return [_Said("user", text)] if text else []
        value = inner
    if not isinstance(value, list):
        return None
    if len(value) == 1 and isinstance(value[0], list):
        value = value[0]
    return [said for item in value[:_MOST] for said in _message(item)]


def _transcript(text: str) -> list[_Said] | None:
    """The messages of a text whose first line and at least one more begin with who speaks: "User: ..."; else None."""
    said: list[_Said] = []
    for line in text.strip().splitlines():
        head, colon, rest = line.strip().lstrip("-*> ").partition(":")
        role = _role(head.strip("*[] ")) if colon and len(head) < 20 else ""
        if role:
            said.append(_Said(role, rest.lstrip("* ").strip()))
        elif not said:
            return None
        else:
            said[-1] = said[-1]._replace(text=f"{said[-1].text}\n{line.strip()}".strip())
    said = [m for m in said if m.text]
    return said if len(said) > 1 and any(m.role == "user" for m in said) else None


def _message(item: Any) -> list[_Said]:
    if isinstance(item, str):
        head, colon, rest = item.partition(":")
        role = _role(head) if colon and len(head) < 12 else ""
        return (
            [_Said(role, rest.strip())]
            if role and rest.strip()
            else [_Said("user", text_of(item))]
            if item.strip()
            else []
        )
    if (
        isinstance(item, list) and len(item) == 2 and all(isinstance(i, str) for i in item)
    ):  # pairs of question and answer
        return [_Said("user", text_of(item[0])), _Said("assistant", text_of(item[1]))]
    if not isinstance(item, Mapping):
        return []
    keys = {key_of(str(k)): v for k, v in item.items()}
    role = next((r for k in _ROLE_KEYS if isinstance(keys.get(k), str) and (r := _role(keys[k]))), "")
    text = next((t for k in _TEXT_KEYS if k in keys and (t := _content(keys[k]))), "")
    if role and text:
        return [_Said(role, text)]
    if role:
        return []
    both = [_Said(r, text_of(v)) for k, v in keys.items() if (r := _role(k)) and isinstance(v, str) and v.strip()]
    if both:  # {"user": ..., "assistant": ...}
        return sorted(both, key=lambda s: ("system", "user", "assistant").index(s.role))
    asked = next((text_of(v) for k, v in item.items() if isinstance(v, str) and named(str(k))[0] == "turns"), "")
    answer = next(
        (text_of(v) for k, v in item.items() if isinstance(v, str) and named(str(k))[0] == "referenceAnswer"), ""
    )
    return [_Said("user", asked or text, answer)] if asked or text else []


def _role(word: str) -> str:
    key = key_of(word)
    return "user" if key in _USER else "assistant" if key in _ASSISTANT else "system" if key in _SYSTEM else ""


def _content(value: Any) -> str:
    if isinstance(value, list):
        parts = [text_of(p.get("text")) if isinstance(p, Mapping) else text_of(p) for p in value]
        return "\n".join(p for p in parts if p)
    return text_of(value) if not isinstance(value, Mapping) else text_of(value.get("text") or value.get("content"))


def _talk(said: list[_Said], doubts: list[str]) -> Conversation:
    turns: list[str] = []
    answers: dict[int, str] = {}
    system = ""
    for message in said:
        if message.role == "system":
            system = system or message.text
            doubts.append("a system turn: kept as an attribute, not counted as a turn of the user")
        elif message.role == "user":
            turns.append(message.text)
            if message.answer:
                answers[len(turns)] = message.answer
        elif turns:
            answers[len(turns)] = "\n".join(t for t in (answers.get(len(turns), ""), message.text) if t)
    turns = [t for t in turns if t]
    last = answers.pop(len(turns), "")
    earlier = tuple(
        TurnExpectation(turn=n, reference_answer=text) for n, text in sorted(answers.items()) if n < len(turns)
    )
    count = len(turns) + len(answers)
    return Conversation(tuple(turns), earlier, last, system, count)
