"""Span trees: what each way of tracing calls a span, in one shape."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from curator.parsing.logs.messages import answered, asked, unpacked
from curator.parsing.logs.record import LogContext, Turn
from curator.parsing.logs.values import contexts_of_list, literal, told_feedback, told_time

_DOCUMENT = re.compile(r"retrieval\.documents\.(\d+)\.document\.(.+)")
_MESSAGE = re.compile(r"llm\.(input|output)_messages\.(\d+)\.message\.(role|content)")
_MODEL_KINDS = ("LLM", "CHAIN", "AGENT", "RETRIEVER", "RERANKER", "GENERATION", "RECORD_ROOT", "RETRIEVAL")


@dataclass(slots=True, repr=False)
class Span:
    """One span. `is_model`: it asked a model or a retriever, so that its trace is a record."""

    trace: str
    id: str = ""
    parent: str = ""
    question: str = ""
    answer: str = ""
    before: list[Turn] = field(default_factory=list)
    contexts: list[LogContext] = field(default_factory=list)
    session: str = ""
    route: str = ""
    time: str = ""
    error: str = ""
    feedback: int | None = None
    is_model: bool = False
    is_retriever: bool = False


def otlp(document: Any) -> Iterator[Span]:
    """The spans of an OTLP JSON document: GenAI conventions of every age, and OpenInference attributes."""
    for resource in _dicts(document.get("resourceSpans") or document.get("resource_spans")):
        for scope in _dicts(
            resource.get("scopeSpans") or resource.get("scope_spans") or resource.get("instrumentationLibrarySpans")
        ):
            for span in _dicts(scope.get("spans")):
                attributes = _attributes(span.get("attributes"))
                events = [
                    (str(e.get("name", "")), _attributes(e.get("attributes"))) for e in _dicts(span.get("events"))
                ]
                made = _of_attributes(str(span.get("traceId") or span.get("trace_id") or ""), attributes, events)
                made.id = str(span.get("spanId") or span.get("span_id") or "")
                made.parent = str(span.get("parentSpanId") or span.get("parent_span_id") or "").strip("0")
                made.time, _ = told_time(span.get("startTimeUnixNano") or span.get("start_time_unix_nano"))
                status = span.get("status")
                if isinstance(status, dict) and status.get("code") in (2, "STATUS_CODE_ERROR", "ERROR"):
                    made.error = str(status.get("message") or "error")
                yield made


def openinference(value: dict[str, Any]) -> Iterator[Span]:
    """A span as OpenInference and Phoenix write it."""
    context = value.get("context") if isinstance(value.get("context"), dict) else {}
    attributes = _flat(
        value.get("attributes")
        or {k.removeprefix("attributes."): v for k, v in value.items() if k.startswith("attributes.")}
    )
    kind = str(value.get("span_kind", ""))
    if kind in _MODEL_KINDS:
        attributes.setdefault("openinference.span.kind", kind)
    events = [(str(e.get("name", "")), _flat(e.get("attributes"))) for e in _dicts(value.get("events"))]
    trace = context.get("trace_id") or value.get("trace_id") or value.get("context.trace_id") or ""  # type: ignore[union-attr]
    made = _of_attributes(str(trace), attributes, events)
    made.id = str(context.get("span_id") or value.get("span_id") or value.get("context.span_id") or "")  # type: ignore[union-attr]
    made.parent = str(value.get("parent_id") or value.get("parent_span_id") or "")
    made.time, _ = told_time(value.get("start_time"))
    if value.get("status_code") == "ERROR":
        made.error = str(value.get("status_message") or "error")
    yield made


def trulens(value: dict[str, Any]) -> Iterator[Span]:
    """A row of TruLens's table of events: its cells are Python literals."""
    cells = {k: _cell(value.get(k)) for k in ("record_attributes", "trace", "record")}
    attributes = _flat(cells["record_attributes"])
    kind = str(attributes.get("ai.observability.span_type", ""))
    made = Span(str(attributes.get("ai.observability.record_id") or cells["trace"].get("trace_id", "")))
    made.id, made.parent = str(cells["trace"].get("span_id", "")), str(cells["trace"].get("parent_id", ""))
    made.question = str(attributes.get("ai.observability.record_root.input") or "")
    made.answer = str(attributes.get("ai.observability.record_root.output") or "")
    made.error = str(attributes.get("ai.observability.record_root.error") or "")
    made.session = str(attributes.get("ai.observability.input_id") or "")
    made.time, _ = told_time(value.get("start_timestamp"))
    made.is_retriever = kind == "retrieval"
    made.is_model = bool(kind and kind != "unknown")
    found = _cell(attributes.get("ai.observability.retrieval.retrieved_contexts"))
    made.contexts = contexts_of_list(list(found.values()) if isinstance(found, dict) else found or [])
    yield made


def langsmith(value: dict[str, Any]) -> Iterator[Span]:
    """A LangSmith run."""
    made = Span(
        str(value.get("trace_id") or value.get("id") or ""),
        str(value.get("id") or ""),
        str(value.get("parent_run_id") or ""),
    )
    kind = str(value.get("run_type", ""))
    made.is_retriever, made.is_model = kind == "retriever", kind in ("chain", "llm", "retriever", "chat_model")
    outputs = unpacked(value.get("outputs"))
    if made.is_retriever:
        made.contexts = contexts_of_list(outputs.get("documents") or []) if isinstance(outputs, dict) else []
    else:
        made.question, made.before = asked(value.get("inputs"))
        made.answer = answered(outputs)
    extra = value.get("extra")
    metadata = extra.get("metadata") if isinstance(extra, dict) else {}
    if isinstance(metadata, dict):
        made.session = _text(metadata.get("session_id") or metadata.get("thread_id") or metadata.get("conversation_id"))
        made.route = _text(metadata.get("route"))
    made.error = _text(value.get("error"))
    made.time, _ = told_time(value.get("start_time"))
    made.feedback = _average(value.get("feedback_stats"))
    yield made


def _average(stats: Any) -> int | None:
    for score in stats.values() if isinstance(stats, dict) else ():
        if isinstance(score, dict) and isinstance(score.get("avg"), int | float):
            return told_feedback(float(score["avg"]), most=1)
    return None


def langfuse(value: dict[str, Any]) -> Iterator[Span]:
    """A Langfuse trace with its observations, as one root and its retrievers."""
    trace = value["trace"] if isinstance(value.get("trace"), dict) else value
    name = _text(trace.get("id"))
    observations = _dicts(trace.get("observations") or value.get("observations"))
    root = Span(name, name, is_model=True)
    root.question, root.before = asked(trace.get("input"))
    root.answer = answered(trace.get("output"))
    if not root.question:
        for observation in observations:
            root.question, root.before = asked(observation.get("input"))
            if root.question and observation.get("type") == "GENERATION":
                root.answer = root.answer or answered(observation.get("output"))
                break
            root.question, root.before = "", []
    root.session = _text(trace.get("sessionId"))
    metadata = unpacked(trace.get("metadata"))
    if isinstance(metadata, dict):
        root.route = _text(metadata.get("route"))
    root.time, _ = told_time(trace.get("timestamp"))
    for score in _dicts(trace.get("scores")):
        if "feedback" in str(score.get("name", "")).lower() or score.get("source") == "USER":
            root.feedback = told_feedback(score.get("value", score.get("stringValue")), most=1)
    for observation in observations:
        if observation.get("type") == "RETRIEVER":
            output = unpacked(observation.get("output"))
            output = output.get("documents", output) if isinstance(output, dict) else output
            root.contexts += contexts_of_list(output or [])
        if observation.get("level") == "ERROR" and not root.error:
            root.error = _text(observation.get("statusMessage")) or "error"
    yield root


def _of_attributes(trace: str, attributes: dict[str, Any], events: list[tuple[str, dict[str, Any]]]) -> Span:
    made = Span(trace)
    kind = str(attributes.get("openinference.span.kind", "")).upper()
    made.is_retriever = kind == "RETRIEVER" or attributes.get("gen_ai.operation.name") == "retrieval"
    made.is_model = kind in _MODEL_KINDS or any(k.startswith(("gen_ai.", "llm.", "retrieval.")) for k in attributes)
    for key in ("gen_ai.input.messages", "gen_ai.prompt", "input.value", "traceloop.entity.input"):
        if not made.question and key in attributes:
            made.question, made.before = asked(attributes[key])
    for key in ("gen_ai.output.messages", "gen_ai.completion", "output.value", "traceloop.entity.output"):
        made.answer = made.answer or answered(attributes.get(key))
    messages = _numbered_messages(attributes)
    if not made.question:
        made.question, made.before = asked(messages["input"] or attributes.get("llm.input_messages") or [])
    made.answer = made.answer or answered(messages["output"])
    for name, values in events:
        made.is_model = made.is_model or name.startswith("gen_ai.")
        if name == "gen_ai.user.message":
            made.question = asked(values.get("content"))[0] or made.question
        elif name == "gen_ai.choice":
            made.answer = made.answer or answered(values.get("message") or values.get("content"))
        elif name == "gen_ai.content.prompt":
            made.question = made.question or asked(values.get("gen_ai.prompt"))[0]
        elif name == "gen_ai.content.completion":
            made.answer = made.answer or answered(values.get("gen_ai.completion"))
    made.contexts = _documents(attributes)
    made.session = _text(attributes.get("gen_ai.conversation.id") or attributes.get("session.id"))
    metadata = unpacked(attributes.get("metadata"))
    made.route = _text(attributes.get("route") or (metadata.get("route") if isinstance(metadata, dict) else ""))
    return made


def _documents(attributes: dict[str, Any]) -> list[LogContext]:
    numbered: dict[int, dict[str, Any]] = {}
    for key, value in attributes.items():
        if m := _DOCUMENT.fullmatch(key):
            numbered.setdefault(int(m[1]), {})[m[2]] = unpacked(value) if m[2] == "metadata" else value
    if numbered:
        return contexts_of_list([numbered[n] for n in sorted(numbered)])
    listed = unpacked(attributes.get("retrieval.documents") or attributes.get("gen_ai.retrieval.documents"))
    if not isinstance(listed, list):
        return []
    return contexts_of_list(
        [{k.removeprefix("document."): v for k, v in d.items()} if isinstance(d, dict) else d for d in listed]
    )


def _numbered_messages(attributes: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    made: dict[str, dict[int, dict[str, Any]]] = {"input": {}, "output": {}}
    for key, value in attributes.items():
        if m := _MESSAGE.fullmatch(key):
            made[m[1]].setdefault(int(m[2]), {})[m[3]] = value
    return {side: [found[n] for n in sorted(found)] for side, found in made.items()}


def _attributes(listed: Any) -> dict[str, Any]:
    """OTLP's list of keys and typed values as a dict."""
    return {str(a.get("key", "")): _typed(a.get("value")) for a in _dicts(listed)}


def _typed(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    for name in ("stringValue", "string_value", "intValue", "doubleValue", "boolValue"):
        if name in value:
            return value[name]
    array = value.get("arrayValue")
    if isinstance(array, dict):
        return [_typed(v) for v in array.get("values") or []]
    listed = value.get("kvlistValue")
    return _attributes(listed.get("values")) if isinstance(listed, dict) else None


def _flat(value: Any, path: str = "") -> dict[str, Any]:
    """Nested attributes under their dotted names; lists stay."""
    made: dict[str, Any] = {}
    for key, item in value.items() if isinstance(value, dict) else ():
        name = f"{path}.{key}" if path else str(key)
        if isinstance(item, dict) and len(path) < 200:
            made |= _flat(item, name)
        else:
            made[name] = item
    return made


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        value = literal(value) if value[:1] in "{[" else value
    return value if isinstance(value, dict | list) else {}


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [v for v in value if isinstance(v, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str:
    return (
        value.strip()
        if isinstance(value, str)
        else str(value)
        if isinstance(value, int) and not isinstance(value, bool)
        else ""
    )
