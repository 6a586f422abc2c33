"""Ticket threads: Zendesk and Intercom. What agents wrote to each other is never read into a record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from curator.parsing.logs.jsonvalues import JsonValue
from curator.parsing.logs.record import LogRecord, Rejection, Skipped, Turn
from curator.parsing.logs.values import flags_of, html_text, told_feedback, told_time

ZENDESK = {
    "question": "tickets[].description",
    "answer": "comments[].body (public, by an agent or admin)",
    "feedback": "satisfaction_rating.score",
    "route": "tags[0]",
    "time": "created_at",
    "session": "id",
}
INTERCOM = {
    "question": "source.body",
    "answer": "conversation_parts[].body (comment, by admin or bot)",
    "feedback": "conversation_rating.rating",
    "route": "tags.tags[0].name",
    "time": "created_at",
    "session": "id",
}
Item = LogRecord | Rejection | Skipped


def _objects(value: Any) -> list[dict[str, Any]]:
    return [v for v in value if isinstance(v, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else str(value) if isinstance(value, int) else ""


def zendesk(values: Iterator[JsonValue]) -> Iterator[Item]:
    """Tickets with their public comments, from `{"tickets", "comments", "users"}` or one object a ticket."""
    row = 0
    for value in values:
        if value.problem or not isinstance(value.value, dict):
            row += 1
            yield Rejection(row, "", value.problem or "it is no object")
            continue
        whole = value.value
        one = whole.get("ticket")
        tickets = _objects(whole.get("tickets")) or [one if isinstance(one, dict) else whole]
        agents = {u.get("id") for u in _objects(whole.get("users")) if u.get("role") in ("agent", "admin")}
        threads: dict[Any, list[dict[str, Any]]] = {}
        for comment in _objects(whole.get("comments")):
            threads.setdefault(comment.get("ticket_id", tickets[0].get("id")), []).append(comment)
        for ticket in tickets:
            row += 1
            thread = threads.get(ticket.get("id")) or _objects(ticket.get("comments"))
            yield _ticket(row, ticket, thread, agents)


def _ticket(row: int, ticket: dict[str, Any], thread: list[dict[str, Any]], agents: set[Any]) -> Item:
    asker = ticket.get("requester_id")
    question = html_text(_text(ticket.get("description")))
    if ticket.get("status") == "deleted":
        return Skipped(row, "deleted ticket")
    if not question:
        return Skipped(row, "empty question")
    turns: list[Turn] = []
    for comment in sorted(thread, key=lambda c: (str(c.get("created_at", "")), str(c.get("id", "")))):
        text = html_text(_text(comment.get("plain_body") or comment.get("body")))
        author = comment.get("author_id")
        if comment.get("public") is not True or not text:
            continue
        by_agent = author in agents if agents else author != asker
        turns.append(Turn("assistant" if by_agent else "user", text))
    rating = ticket.get("satisfaction_rating")
    facts = {
        "route": _first(ticket.get("tags")),
        "time": ticket.get("created_at"),
        "feedback": rating.get("score") if isinstance(rating, dict) else None,
    }
    return _threaded(row, ticket, question, turns, facts)


def intercom(values: Iterator[JsonValue]) -> Iterator[Item]:
    """Conversations with their comments, from `{"conversations"}` or one object a conversation."""
    row = 0
    for value in values:
        if value.problem or not isinstance(value.value, dict):
            row += 1
            yield Rejection(row, "", value.problem or "it is no object")
            continue
        for conversation in _objects(value.value.get("conversations")) or [value.value]:
            row += 1
            yield _conversation(row, conversation)


def _conversation(row: int, value: dict[str, Any]) -> Item:
    source: Any = value.get("source") if isinstance(value.get("source"), dict) else {}
    author: Any = source.get("author") if isinstance(source.get("author"), dict) else {}
    if author.get("type") not in ("user", "lead", "contact"):
        return Skipped(row, "outbound message, no customer question")
    question = html_text(_text(source.get("body")))
    if not question:
        return Skipped(row, "empty question")
    parts = value.get("conversation_parts")
    turns = []
    for part in _objects(parts.get("conversation_parts") if isinstance(parts, dict) else parts):
        text = html_text(_text(part.get("body")))
        if part.get("part_type") != "comment" or not text:
            continue
        by = part["author"].get("type") if isinstance(part.get("author"), dict) else ""
        turns.append(Turn("assistant" if by in ("admin", "bot", "team") else "user", text))
    tags = value.get("tags")
    names = [t.get("name") for t in _objects(tags.get("tags") if isinstance(tags, dict) else tags)]
    rating = value.get("conversation_rating")
    score = rating.get("rating") if isinstance(rating, dict) else None
    return _threaded(row, value, question, turns, {
        "route": _first(names),
        "time": value.get("created_at"),
        "feedback": float(score) if isinstance(score, int) else None,
    }, most=5)  # fmt: skip


def _first(values: Any) -> str:
    return next((v for v in values if isinstance(v, str)), "") if isinstance(values, list) else ""


def _threaded(
    row: int, thing: dict[str, Any], question: str, turns: list[Turn], facts: dict[str, Any], *, most: float = 1
) -> Item:
    """The first question and its answer; what follows is kept too. The thread may begin with the question again."""
    if turns and turns[0].role == "user" and " ".join(turns[0].text.split()) == " ".join(question.split()):
        turns = turns[1:]
    first = next((n for n, t in enumerate(turns) if t.role == "assistant"), -1)
    if first < 0:
        return Skipped(row, "no answer to the customer: nothing to judge")
    name = _text(thing.get("id"))
    record = LogRecord(row, question, turns[first].text, id=name, session=name, route=facts["route"])
    record.time, _ = told_time(facts["time"])
    record.feedback = told_feedback(facts["feedback"], most=most)
    record.after = turns[first + 1 :]
    record.flags = flags_of(record.question, record.answer)
    if record.after and record.after[0].role == "assistant":
        record.flags.append("hand-over")  # two answers in a row: the second may be the real one
    return record
