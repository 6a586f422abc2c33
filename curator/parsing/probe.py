"""The one module that knows pypdf: what a file says of itself, before pdfium reads it.

Encryption (the empty password is tried), outline, page labels, title, active content, and page streams whose decoded
size is over the limit. It runs in the reading process and yields plain messages; whatever goes wrong in one of them
costs only that one.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any, TypeVar

MOST_DECODED = 20_000_000
MOST_OUTLINE = 20_000
ZLIB_RATIO = 1032
_ACTIVE = ("/JavaScript", "/Launch", "/URI", "/SubmitForm", "/ImportData", "/GoToR", "/GoToE", "/Rendition")

Message = dict[str, Any]
T = TypeVar("T")


def probe(data: bytes, most_pages: int) -> Iterator[Message]:
    """Messages about a file: `meta`, `labels`, `outline`, then one `large` for every page that is not to be read."""
    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    limits: dict[str, Any] = dict.fromkeys(
        (
            "array_based_stream_maximum_output_length",
            "lzw_maximum_output_length",
            "run_length_maximum_output_length",
            "zlib_maximum_output_length",
            "brotli_maximum_output_length",
            "jbig2_maximum_output_length",
            "maximum_declared_stream_length",
        ),
        MOST_DECODED,
    )
    limits["maximum_declared_stream_length"] = max(MOST_DECODED, len(data))
    with pypdf.apply_configuration(jbig2dec_binary=None, stream_decoding_work_maximum_length=60_000_000, **limits):
        meta: Message = {"kind": "meta"}
        reader = _try(lambda: _open(data, meta))
        if reader is None or meta.get("locked"):
            yield meta
            return
        meta.update(_meta(reader))
        yield meta
        if meta.get("declared", 0) > most_pages:
            return
        labels = _try(lambda: _labels(reader)) or []
        if labels:
            yield {"kind": "labels", "labels": labels}
        yield _outline(reader)
        yield from _large(reader, most_pages)


def decrypted(data: bytes) -> bytes | None:
    """A copy without encryption, when the empty password opens the file for pypdf though not for pdfium."""
    import pypdf

    def copy() -> bytes:
        reader = pypdf.PdfReader(BytesIO(data))
        if not reader.is_encrypted or not reader.decrypt(""):
            raise ValueError("locked")
        out = BytesIO()
        pypdf.PdfWriter(clone_from=reader).write(out)
        return out.getvalue()

    return _try(copy)


def _try(action: Callable[[], T]) -> T | None:
    """The result, or None: pypdf raises anything at all on broken files, RecursionError included."""
    try:
        return action()
    except (Exception, RecursionError, MemoryError):  # noqa: BLE001  a probe never costs the document
        return None


def _open(data: bytes, meta: Message) -> Any:
    import pypdf

    reader = pypdf.PdfReader(BytesIO(data))
    meta["encrypted"] = reader.is_encrypted
    if reader.is_encrypted and not _try(lambda: reader.decrypt("")):
        meta["locked"] = True
    return reader


def _meta(reader: Any) -> Message:
    """Title, declared number of pages, active content, attachments."""
    found: Message = {}
    root: Any = _try(lambda: reader.trailer["/Root"].get_object())
    declared = _try(lambda: int(root["/Pages"].get_object().get("/Count", 0)))
    found["declared"] = declared if isinstance(declared, int) else 0
    title = _try(lambda: reader.metadata.title)
    found["title"] = str(title)[:500] if title else ""
    found["active"] = sorted(_active(root)) if root is not None else []
    names = _try(lambda: list(reader.attachments)) or []
    found["attachments"] = [str(name)[:200] for name in names[:50]]
    return found


def _active(root: Any) -> set[str]:
    """Kinds of action that the file wants to start, by their PDF names."""
    kinds: set[str] = set()

    def look(action: Any) -> None:
        action = action.get_object()
        if hasattr(action, "get"):
            kind = str(action.get("/S", ""))
            if kind in _ACTIVE:
                kinds.add(kind[1:])

    _try(lambda: look(root["/OpenAction"]))
    if _try(lambda: "/JavaScript" in root["/Names"].get_object()):
        kinds.add("JavaScript")
    if _try(lambda: "/AA" in root):
        kinds.add("actions of the document")
    if _try(lambda: "/XFA" in root["/AcroForm"].get_object()):
        kinds.add("XFA form")
    return kinds


def _labels(reader: Any) -> list[str]:
    """Printed page labels, when the file declares any."""
    if "/PageLabels" not in reader.trailer["/Root"].get_object():
        return []
    return [str(label)[:40] for label in reader.page_labels]


def _outline(reader: Any) -> Message:
    """Entries as [level, title, page from 1]; `fault` when it goes in a circle or cannot be read."""
    entries: list[list[Any]] = []
    fault = ""

    def walk(nodes: Any, level: int) -> None:
        for node in nodes:
            if len(entries) >= MOST_OUTLINE or level > 30:
                return
            if isinstance(node, list):
                walk(node, level + 1)
            else:
                page = _try(lambda node=node: reader.get_destination_page_number(node))  # type: ignore[misc]
                entries.append([level, str(node.title)[:300], (page if isinstance(page, int) else -1) + 1])

    if _try(lambda: _circular(reader)):
        return {"kind": "outline", "entries": [], "fault": "its outline goes in a circle"}
    try:
        walk(reader.outline, 1)
    except (Exception, RecursionError, MemoryError) as error:  # noqa: BLE001  an outline never costs the document
        entries, fault = [], f"its outline cannot be read: {type(error).__name__}"
    return {"kind": "outline", "entries": entries, "fault": fault}


def _circular(reader: Any) -> bool:
    """Whether following /First and /Next comes back to an entry."""
    root = reader.trailer["/Root"].get_object()
    if "/Outlines" not in root:
        return False
    seen: set[int] = set()
    queue = [root["/Outlines"].get_object().get("/First")]
    queue = [root["/Outlines"].get_object().raw_get("/First")] if queue[0] is not None else []
    while queue:
        item = queue.pop()
        number = getattr(item, "idnum", None)
        if number is not None:
            if number in seen:
                return True
            seen.add(number)
        if len(seen) > 5 * MOST_OUTLINE:
            return False
        node = item.get_object()
        queue.extend(node.raw_get(key) for key in ("/Next", "/First") if key in node)
    return False


def _large(reader: Any, most_pages: int) -> Iterator[Message]:
    """Pages with a stream whose decoded size is over the limit, or that cannot be decoded within it."""
    pages = _try(lambda: list(reader.pages)) or []
    checked: dict[int, str] = {}
    for number, page in enumerate(pages[:most_pages], 1):
        reason = _try(lambda page=page: _page_reason(page, checked))  # type: ignore[misc]
        if reason:
            yield {"kind": "large", "page": number, "reason": reason}


def _page_reason(page: Any, checked: dict[int, str]) -> str:
    """Why the page's content is not to be decoded, or ""."""
    queue = [page.raw_get("/Contents")] if "/Contents" in page else []
    resources = page.get("/Resources")
    queue.extend(_forms(resources.get_object() if resources is not None else None))
    seen = 0
    while queue and seen < 200:
        item = queue.pop()
        seen += 1
        key = getattr(item, "idnum", -seen)
        if key not in checked:
            checked[key] = ""
            value = item.get_object()
            if isinstance(value, list):
                queue.extend(value)
                continue
            if not hasattr(value, "get_data"):
                continue
            checked[key] = _stream_reason(value)
            inner = value.get("/Resources")
            queue.extend(_forms(inner.get_object() if inner is not None else None))
        if checked[key]:
            return checked[key]
    return ""


def _forms(resources: Any) -> list[Any]:
    """Form XObjects of a resource dictionary; images are never looked at."""
    found = []
    if resources is not None and "/XObject" in resources:
        objects = resources["/XObject"].get_object()
        for name in list(objects)[:200]:
            form = objects[name].get_object()
            if hasattr(form, "get") and form.get("/Subtype") == "/Form":
                found.append(objects.raw_get(name))
    return found


def _stream_reason(stream: Any) -> str:
    """Decodes one stream within the limits, unless it is too small to pass them."""
    from pypdf.errors import LimitReachedError

    filters = stream.get("/Filter")
    if filters is None:
        return "" if len(stream.get_data()) <= MOST_DECODED else "its content is larger than the limit"
    names = [str(f) for f in (filters if isinstance(filters, list) else [filters])]
    raw = len(getattr(stream, "_data", b""))
    simple = len(names) == 1 and names[0] in ("/FlateDecode", "/Fl") and "/DecodeParms" not in stream
    if simple and raw * ZLIB_RATIO < MOST_DECODED:
        return ""
    try:
        size = len(stream.get_data())
    except LimitReachedError as error:
        return re.sub(r"\s+", " ", str(error))[:120]
    except (Exception, RecursionError):  # noqa: BLE001  pdfium may read what pypdf cannot
        return ""
    return "" if size <= MOST_DECODED else "its content is larger than the limit"
