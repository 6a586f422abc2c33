"""Traces as records: the spans of one trace come together, in whatever order and however far apart they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from curator.parsing.logs.jsonvalues import JsonValue
from curator.parsing.logs.record import LogRecord, Rejection, Skipped
from curator.parsing.logs.spans import Span
from curator.parsing.logs.values import flags_of

WINDOW = 20_000
"""Spans that may lie between two of one trace; then it is closed, so that memory does not grow with the file."""

MAPPINGS = {
    "otlp": {
        "question": "gen_ai.input.messages | input.value | event gen_ai.user.message | gen_ai.prompt",
        "answer": "gen_ai.output.messages | output.value | event gen_ai.choice | gen_ai.completion",
        "contexts": "retrieval.documents.N.document",
        "session": "gen_ai.conversation.id | session.id",
        "time": "startTimeUnixNano",
    },
    "openinference": {
        "question": "input.value",
        "answer": "output.value",
        "contexts": "retrieval.documents.N.document",
        "session": "session.id",
        "time": "start_time",
    },
    "langfuse": {
        "question": "trace.input",
        "answer": "trace.output",
        "contexts": "observations[type=RETRIEVER].output",
        "session": "sessionId",
        "route": "metadata.route",
        "feedback": "scores[]",
        "time": "timestamp",
    },
    "langsmith": {
        "question": "inputs.question | inputs.messages[-1].content",
        "answer": "outputs.answer | outputs.output.content",
        "contexts": "retriever outputs.documents[].page_content",
        "session": "extra.metadata.session_id",
        "route": "extra.metadata.route",
        "feedback": "feedback_stats.*.avg",
        "error": "error",
        "time": "start_time",
    },
    "trulens": {
        "question": "record_attributes[ai.observability.record_root.input]",
        "answer": "record_attributes[ai.observability.record_root.output]",
        "contexts": "span_type=retrieval",
        "time": "start_timestamp",
    },
}

Item = LogRecord | Rejection | Skipped
Reader = Callable[[dict[str, Any]], Iterator[Span]]


class _Trace:
    """The spans of one trace that have come so far, boiled down to what a record needs."""

    __slots__ = ("asking", "last", "model", "retrieved", "root")

    def __init__(self) -> None:
        self.root: Span | None = None
        self.asking: Span | None = None
        self.retrieved: list[tuple[str, Span]] = []
        self.model = False
        self.last = 0

    def add(self, span: Span) -> None:
        self.model = self.model or span.is_model
        if span.contexts:
            self.retrieved.append((span.time, span))
        if not span.parent:
            if self.root is None or (not self.root.question and span.question):
                self.root = span
        elif span.question and not span.is_retriever and (self.asking is None or span.time < self.asking.time):
            self.asking = span


def records(values: Iterable[JsonValue], read: Reader) -> Iterator[Item]:
    """The records of a stream of documents: one a trace that asked a model or a retriever."""
    waiting: dict[str, _Trace] = {}
    count = row = nameless = 0
    for value in values:
        if value.problem or not isinstance(value.value, dict):
            row += 1
            yield Rejection(
                row, "", (f"line {value.line}: " if value.line else "") + (value.problem or "it is no object")
            )
            continue
        try:
            spans = list(read(value.value))
        except (AttributeError, TypeError, KeyError, ValueError, RecursionError):
            row += 1
            yield Rejection(row, "", "the span is not of the shape that its format has")
            continue
        for span in spans:
            count += 1
            nameless += not span.trace
            trace = waiting.setdefault(span.trace or f"\0{nameless}", _Trace())
            trace.add(span)
            trace.last = count
        if len(waiting) > 1000 and count % 1000 < len(spans):
            for name in [n for n, t in waiting.items() if count - t.last > WINDOW]:
                row += 1
                yield _record(row, name, waiting.pop(name))
    for name, trace in waiting.items():
        row += 1
        yield _record(row, name, trace)


def _record(row: int, name: str, trace: _Trace) -> Item:
    if not trace.model:
        return Skipped(row, "no model or retrieval span")
    root = trace.root or trace.asking
    asking = root if root is not None and root.question else trace.asking
    if root is None or asking is None or not asking.question:
        return Skipped(row, "no question and no answer")
    record = LogRecord(
        row, asking.question, root.answer or asking.answer, id=name.removeprefix("\0") if name[:1] != "\0" else ""
    )
    record.before = list(asking.before)
    record.session, record.route = root.session or asking.session, root.route
    record.time, record.error, record.feedback = root.time or asking.time, root.error, root.feedback
    seen = set()
    for _, span in sorted(trace.retrieved, key=lambda pair: pair[0]):
        for context in span.contexts:
            if (context.text, context.source) not in seen:
                seen.add((context.text, context.source))
                record.contexts.append(context)
    if record.error:
        record.answer = ""
    record.flags = flags_of(record.question, record.answer)
    return record
