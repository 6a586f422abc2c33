"""Cases of another workspace cite a document by the id that it has there; the same bytes may be here under another id.

The foreign names become aliases, as after a renaming: cases keep the names under which they cite, and their hashes.
"""

from __future__ import annotations

from collections.abc import Sequence

from curator.domain.case import Case
from curator.store import documents, names, sources
from curator.store.database import Transaction

VERB = "also named"


def take_names(tx: Transaction, cited_by: Sequence[Case]) -> dict[str, str]:
    """Make what these cases call a document a name of the one that has the same bytes; gives its id by the new name.

    A source gets the name too when its id ends alike and what is quoted stands in it. Names that say something here
    already stay as they are.
    """
    cited = [e for case in cited_by for e in case.evidence]
    hashes = {d.document_id: d.document_sha256 for case in cited_by for d in case.documents}
    hashes |= {e.document_id: e.document_sha256 for e in cited}
    hashes = {name: sha for name, sha in hashes.items() if name and sha}
    by_hash = documents.by_hashes(tx, set(hashes.values()))
    here = {n: own for n, sha in sorted(hashes.items()) if (own := by_hash.get(sha, n)) != n}
    known_names = documents.ids(tx, here)
    here = {n: own for n, own in here.items() if n not in known_names or documents.get(tx, n).id == own}
    for name, document in here.items():
        quotes = {e.source_id: e.quote for e in cited if e.document_id == name and e.source_id.startswith(name)}
        wanted = {source: document + source.removeprefix(name) for source in quotes}
        wanted = {s: own for s, own in wanted.items() if own[len(document) : len(document) + 1] in (":", ".")}
        known = sources.keys(tx, wanted)
        texts = {s.id: f"{s.anchor.text}\0{s.anchor.quote}" for s in sources.named(tx, wanted.values())}
        same = {
            s: own for s, own in wanted.items() if s not in known and quotes[s] in texts.get(own, "") and own in texts
        }
        numbers = sources.keys(tx, same.values())
        if name in known_names and not same:
            continue
        names.also_name(tx, "" if name in known_names else document, name, {s: numbers[own] for s, own in same.items()})
        tx.log.append("document", document, VERB, data={"also": name, "sources": len(same)})
    return {n: own for n, own in here.items() if n not in known_names}
