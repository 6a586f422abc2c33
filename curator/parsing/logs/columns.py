"""Which column is what: by the names in a header, or by what stands in the cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from curator.errors import UsageError
from curator.parsing.logs.record import FIELDS
from curator.parsing.logs.values import told_time

NAMES: dict[str, tuple[str, ...]] = {
    "question": (
        "question", "query", "userinput", "userquery", "userquestion", "usermessage", "inputquestion", "input", "prompt", "utterance",
        "frage", "anfrage", "질문", "문의", "질의", "pregunta", "consulta", "domanda", "pergunta", "问题", "提问", "質問", "requête",
        "attributesinputvalue", "inputvalue", "requesttext", "searchquery", "message", "text",
    ),
    "answer": (
        "answer", "response", "generatedanswer", "botresponse", "botanswer", "modelanswer", "modelresponse", "assistantresponse", "output",
        "completion", "reply", "generation", "prediction", "antwort", "답변", "응답", "respuesta", "risposta", "resposta", "réponse", "回答",
        "答案", "attributesoutputvalue", "outputvalue", "responsetext", "finalanswer", "answerpreview", "responsepreview",
    ),
    "contexts": (
        "contexts", "context", "retrievedcontexts", "retrievedcontext", "retrieveddocuments", "retrieveddocs", "retrievedchunks",
        "retrievaldocuments", "sources", "source", "documents", "docs", "passages", "chunks", "references", "citations", "quellen", "quelle",
        "kontext", "근거", "출처", "문맥", "fuentes", "contexto", "fonti", "fontes", "来源", "出典", "参考",
    ),
    "context_ids": ("contextids", "chunkidsused", "chunkids", "docidsused", "docids", "retrievedids", "documentids", "sourceids"),
    "context_text": ("passage", "chunktext", "contexttext", "passagetext", "documenttext"),
    "context_id": ("passageid", "chunkid", "contextid"),
    "reference": (
        "expectedanswer", "reference", "referenceanswer", "groundtruth", "groundtruths", "goldanswer", "idealanswer", "expected", "gold",
        "referenz", "expectedoutput", "정답",
    ),
    "time": (
        "timestamp", "ts", "time", "createdat", "createdatutc", "date", "datetime", "loggedat", "starttime", "starttimestamp", "eventtime",
        "zeitstempel", "zeit", "datum", "uhrzeit", "일시", "시간", "날짜", "fecha", "hora", "data", "时间", "日期", "日時",
    ),
    "session": (
        "session", "sessionid", "conversationid", "conversation", "threadid", "thread", "chatid", "dialogid", "dialogueid", "sitzung",
        "sitzungsid", "세션", "대화", "sesión", "sesion", "sessione", "会话", "セッション",
    ),
    "route": (
        "route", "intent", "intenttype", "category", "endpoint", "topic", "queue", "skill", "flow", "agent", "경로", "분류", "kategorie",
        "thema", "ruta", "categoría", "类别", "scenarioid", "domain", "tasktype",
    ),
    "id": (
        "id", "recordid", "traceid", "messageid", "exampleid", "eventid", "runid", "requestid", "uuid", "logid", "interactionid", "번호",
    ),
    "feedback": (
        "feedback", "userfeedback", "userfeedbacklabel", "rating", "thumbs", "userrating", "satisfaction", "vote", "bewertung", "평가",
        "만족도", "valoración", "valutazione", "评价", "评分",
    ),
    "score": ("score", "confidence", "similarity", "topscore", "top1score", "faithfulness", "relevance", "answerrelevancy", "groundedness"),
    "error": ("error", "errormessage", "exception", "errortype", "fehler", "오류"),
    "language": ("language", "lang", "locale", "sprache", "언어", "idioma", "lingua", "语言"),
    "group": ("queryid", "questionid", "groupid", "caseid"),
}  # fmt: skip
_BY_NAME = {name: (field, rank) for field, names in NAMES.items() for rank, name in enumerate(names)}
_ISH = re.compile(r"[\s_\-./:]+")
_LIST = re.compile(r"\s*[\[{]")
_ROUTE = re.compile(r"/?[A-Za-z][\w/.-]{0,40}")
_SESSION = re.compile(r"(?=.*[\d-])[A-Za-z0-9_.:@-]{1,64}")


def plain_name(name: str) -> str:
    """A column's name as it is compared."""
    return _ISH.sub("", name.strip().casefold())


def by_header(header: Sequence[str]) -> dict[str, str]:
    """Field -> name of its column, for the columns whose names are known; the likeliest name of a field wins."""
    best: dict[str, tuple[int, int]] = {}
    for place, name in enumerate(header):
        known = _BY_NAME.get(plain_name(name))
        if known and (known[0] not in best or known[1] < best[known[0]][0]):
            best[known[0]] = (known[1], place)
    found = {field: header[place] for field, (_, place) in best.items()}
    if "context_text" in found and "contexts" not in found and "id" not in found and "group" not in found:
        found.pop("context_text")  # a table of passages alone
    if "group" in found and "context_text" not in found:
        found.setdefault("id", found["group"])
        found.pop("group")
    return found


def is_header(first: Sequence[str], rest: Sequence[Sequence[str]]) -> bool:
    """Whether the first row of a table names its columns."""
    names = [c.strip() for c in first]
    if any(len(n) > 60 or "\n" in n or _LIST.match(n) or (n and told_time(n)[1]) for n in names) or not any(names):
        return False
    known = [n for n in names if plain_name(n) in _BY_NAME]
    if len(known) >= 2 or (known and len(names) <= 2):
        return True
    if any(n.endswith("?") or len(n.split()) > 4 for n in names):
        return False
    width = len(names)
    return any(
        sum(bool(_LIST.match(r[n]) or told_time(r[n])[1]) for r in rest if len(r) == width and r[n]) > len(rest) / 2
        for n in range(width)
    )


def by_content(rows: Sequence[Sequence[str]]) -> dict[str, str]:
    """Field -> number of its column, from 1, by what stands in the cells of a table without a header."""
    if not rows:
        return {}
    widths = [len(r) for r in rows]
    width = max(set(widths), key=widths.count)
    columns = [[r[n] for r in rows if len(r) == width] for n in range(width)]
    found: dict[str, str] = {}
    left = list(range(width))

    def take(field: str, place: int) -> None:
        found[field] = str(place + 1)
        left.remove(place)

    for n in list(left):
        filled = [c for c in columns[n] if c.strip()]
        if filled and "time" not in found and all(told_time(c)[1] for c in filled):
            take("time", n)
        elif filled and "contexts" not in found and all(_LIST.match(c) for c in filled):
            take("contexts", n)
    _texts(columns, left, take)
    for n in list(left):
        filled = [c for c in columns[n] if c.strip()]
        first_text = int(found.get("question", width)) - 1
        if n > first_text or not filled:
            continue
        if "session" not in found and all(_SESSION.fullmatch(c) for c in filled):
            take("session", n)
        elif "route" not in found and all(_ROUTE.fullmatch(c) for c in filled):
            take("route", n)
    return found


def _texts(columns: list[list[str]], left: list[int], take: Callable[[str, int], None]) -> None:
    """The question and the answer: the two columns of the longest running texts, the question first.

    Where one column alone runs over several words, it is the question, and the next one the answer.
    """

    def weight(n: int) -> float:
        return sum(len(c) for c in columns[n]) / max(1, len(columns[n]))

    def runs(n: int) -> bool:
        filled = [c for c in columns[n] if c.strip()]
        return bool(filled) and 3 * sum(" " in c.strip() or not c.isascii() for c in filled) >= len(filled)

    running = sorted((n for n in left if runs(n)), key=weight, reverse=True)[:2]
    if len(running) == 1:
        following = running[0] + 1
        running += [following] if following in left else []
    for field, n in zip(("question", "answer"), sorted(running), strict=False):
        take(field, n)


def resolved(columns: Mapping[str, str], header: Sequence[str], width: int) -> dict[str, int]:
    """Field -> place of its column from 0.

    Raises:
        UsageError: A field or a column that there is not.
    """
    places: dict[str, int] = {}
    names = [h.strip() for h in header]
    folded = [plain_name(h) for h in header]
    for field, column in columns.items():
        if field not in FIELDS:
            raise UsageError(f"there is no field {field!a}", f"use one of {', '.join(FIELDS)}")
        wanted = column.strip()
        if wanted in names:
            places[field] = names.index(wanted)
        elif plain_name(wanted) in folded and plain_name(wanted):
            places[field] = folded.index(plain_name(wanted))
        elif wanted.isdigit() and 1 <= int(wanted) <= max(width, len(header)):
            places[field] = int(wanted) - 1
        else:
            raise UsageError(f"there is no column {wanted!a} for {field}", "name a column, or its number from 1")
    return places


def field_of(name: str) -> tuple[str, int] | None:
    """The field that a name stands for, and how likely among the names of that field, 0 first; None = unknown."""
    return _BY_NAME.get(plain_name(name))
