"""What holds between the lines of one suite: ids, sources cited, documents named. Used to write and to verify."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from curator.domain.canonical import canary
from curator.domain.suite import SOURCE_CHOICES
from curator.text import one_line


def suite_problems(suite: str, lines: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """A case id that repeats, and a canary of another suite."""
    seen: set[str] = set()
    expected = canary(suite)
    for line in lines:
        if line["id"] in seen:
            yield f"{line['id']}: the id stands twice"
        seen.add(line["id"])
        if line["canary"] != expected:
            yield f"{line['id']}: canary: expected {expected}"


def source_name_problems(sources: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """An id or alias that two sources have."""
    known: set[str] = set()
    for source in sources:
        for name in (source["id"], *source["aliases"]):
            if name in known:
                yield f"{one_line(name)}: the id or alias of two sources"
            known.add(name)


def cited_problems(open_lines: Iterable[Mapping[str, Any]], sources: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Evidence of the open partitions that sources.jsonl does not hold under its id."""
    ids = {source["id"] for source in sources}
    for line in open_lines:
        for name in dict.fromkeys(e["sourceId"] for e in line["evidence"]):
            if name not in ids:
                yield f"{line['id']}: cites {one_line(name)}, which is not in sources.jsonl"


def extra_source_problems(
    choice: object, open_lines: Iterable[Mapping[str, Any]], sources: Iterable[Mapping[str, Any]]
) -> Iterator[str]:
    """Sources that nothing cites where the cited ones are released, or of a document that nothing cites.

    Args:
        choice: `sources` of the manifest: "cited", which it does not say, or "all".
        open_lines: Lines of the open partitions.
        sources: Lines of sources.jsonl; what is cited and is not there is told by `cited_problems`.
    """
    if choice not in SOURCE_CHOICES:
        yield f"sources: {one_line(str(choice), 40)} is neither cited nor all"
        return
    cited = {e["sourceId"] for line in open_lines for e in line["evidence"]}
    documents: set[str] = set()
    uncited: dict[str, str] = {}
    for source in sources:
        if source["id"] in cited:
            documents.add(source["documentId"])
        else:
            uncited[source["id"]] = source["documentId"]
    for name, document in uncited.items():
        if choice == "cited":
            yield f"{one_line(name)}: no case here cites it, and the manifest does not say that sources are all"
        elif document not in documents:
            yield f"{one_line(name)}: no case here cites its document {one_line(document)}"


def document_problems(lines: Iterable[Mapping[str, Any]], documents: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Documents that lines name and the manifest does not, or under another hash.

    Args:
        lines: Canonical lines.
        documents: Entries of the manifest: documentId, version, sha256.
    """
    known = {(d["documentId"], d["version"]): d["sha256"] for d in documents}
    names = {name for name, _ in known}
    for line in lines:
        said = set()
        for entry in (*line["documents"], *(e for e in line["evidence"] if e["documentId"])):
            name, digest = entry["documentId"], entry["documentSha256"]
            if name not in names:
                said.add(f"{line['id']}: document {one_line(name)} is not in the manifest")
            elif known.get((name, entry["documentVersion"]), digest) != digest:
                said.add(f"{line['id']}: documentSha256 of {one_line(name)} is not the manifest's")
        yield from sorted(said)
