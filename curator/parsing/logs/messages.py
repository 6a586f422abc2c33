"""What was asked and answered, out of the many shapes in which programs log it."""

from __future__ import annotations

import json
from typing import Any

from curator.parsing.logs.record import Role, Turn

_QUESTION_KEYS = (
    "question",
    "query",
    "user_input",
    "userInput",
    "user_query",
    "input",
    "prompt",
    "q",
    "text",
    "content",
)
_ANSWER_KEYS = (
    "answer",
    "response",
    "output",
    "result",
    "completion",
    "text",
    "content",
    "message",
    "generated_answer",
    "reply",
)
_MESSAGE_KEYS = ("messages", "input_messages", "chat_history", "conversation", "history", "turns")
_USER = ("user", "human", "customer", "end-user")
_ASSISTANT = ("assistant", "ai", "bot", "model", "agent")
_DEEPEST = 6


def unpacked(value: Any) -> Any:
    """The value of a JSON string; anything else, and what is no JSON, as it is."""
    if isinstance(value, str) and value[:1] in ('"', "{", "["):
        try:
            return json.loads(value, strict=False)
        except (ValueError, RecursionError):
            return value
    return value


def message_text(message: Any) -> str:
    """The text of one message: `content` as a string, parts of text, or dotted keys of OpenInference."""
    if isinstance(message, str):
        return message
    if not isinstance(message, dict):
        return ""
    inner = message.get("message")
    if isinstance(inner, dict):
        message = {**message, **inner}
    for key in ("content", "parts", "text", "message.content", "body"):
        value = message.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            parts = [
                p if isinstance(p, str) else str(p.get("content") or p.get("text") or "") for p in value if _is_text(p)
            ]
            if any(parts):
                return "\n".join(p for p in parts if p)
    return ""


def _is_text(part: Any) -> bool:
    return isinstance(part, str) or (
        isinstance(part, dict) and part.get("type", "text") in ("text", "input_text", "output_text")
    )


def role_of(message: Any) -> Role | None:
    """Who said it; None for the system, tools, and what names nobody."""
    if not isinstance(message, dict):
        return None
    inner = message.get("message")
    inner = inner if isinstance(inner, dict) else {}
    for key in ("role", "type", "message.role", "sender", "author", "from"):
        word = message.get(key, inner.get(key))
        if isinstance(word, str):
            if word.lower() in _USER:
                return "user"
            if word.lower() in _ASSISTANT:
                return "assistant"
    return None


def turns_of(value: Any) -> list[Turn]:
    """The messages of users and assistants in a list; none when it is no list of messages."""
    if not isinstance(value, list):
        return []
    if len(value) == 1 and isinstance(value[0], list):  # LangChain wraps a batch of one
        value = value[0]
    return [Turn(role, text) for m in value if (role := role_of(m)) and (text := message_text(m).strip())]


def asked(value: Any, depth: int = 0) -> tuple[str, list[Turn]]:
    """The question in a value, and the messages before it; ("", []) when there is none."""
    value = unpacked(value)
    if isinstance(value, str):
        return value.strip(), []
    if depth > _DEEPEST:
        return "", []
    if isinstance(value, list):
        turns = turns_of(value)
        last = max((n for n, t in enumerate(turns) if t.role == "user"), default=-1)
        return (turns[last].text, turns[:last]) if last >= 0 else ("", [])
    if isinstance(value, dict):
        for key in _MESSAGE_KEYS:
            found = asked(value[key], depth + 1) if isinstance(value.get(key), list) else ("", [])
            if found[0]:
                return found
        for key in _QUESTION_KEYS:
            if key in value and (found := asked(value[key], depth + 1))[0]:
                return found
        if "kwargs" in value or "args" in value:
            return asked(value.get("kwargs") or value.get("args"), depth + 1)
    return "", []


def answered(value: Any, depth: int = 0) -> str:
    """The answer in a value; "" when there is none."""
    value = unpacked(value)
    if isinstance(value, str):
        return value.strip()
    if depth > _DEEPEST:
        return ""
    if isinstance(value, list):
        turns = [t for t in turns_of(value) if t.role == "assistant"]
        if turns:
            return turns[-1].text
        return answered(value[0], depth + 1) if len(value) == 1 else ""
    if isinstance(value, dict):
        if text := message_text(value) if role_of(value) else "":
            return text.strip()
        for key in (*_MESSAGE_KEYS, *_ANSWER_KEYS, "choices", "generations"):
            if key in value and (found := answered(value[key], depth + 1)):
                return found
    return ""
