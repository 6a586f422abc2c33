"""What a screen that shows a document asks beside its text: whether it changed, names of today, what waits in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from curator.domain.case import Case
from curator.domain.model import Model
from curator.domain.reciting import renamed, sources_named
from curator.services.context import Context
from curator.services.todays_names import todays_names
from curator.store import documents, flags, indexing, revisions


class Standing(Model):
    """A document as it stands now.

    Attributes:
        document_id: Its id of today.
        state: Another text after every event of it: a new revision, a decision about a source, a renaming.
        revision: Label of its current revision, the `number`th of `revisions`.
        readings: How often a file of it was read, all revisions together.
    """

    document_id: str
    state: str
    revision: str
    number: int
    revisions: int
    readings: int


def standing(ctx: Context, document_id: str) -> Standing:
    """How a document stands.

    Raises:
        InputError: There is none of this id.
    """
    with ctx.db.read() as tx:
        document = documents.get(tx, document_id)
        read = revisions.readings(tx, document.id)
        state = indexing.stamps(tx, document.id).get(document.id, "")
    label, labels = document.revision.label, list(dict.fromkeys(r.label for r in read))
    return Standing(
        document_id=document.id, state=state, revision=label, number=labels.index(label) + 1, revisions=len(labels),
        readings=len(read),
    )  # fmt: skip


class Today(Model):
    """A case for a screen: under the ids of today, and those sources of it that wait to be re-confirmed."""

    case: Case
    waiting: frozenset[str] = frozenset()


def today(ctx: Context, case: Case) -> Today:
    """The case under the ids of today, and its sources that are not in the current revision of their document."""
    with ctx.db.read() as tx:
        case = renamed(case, *todays_names(tx))
        return Today(case=case, waiting=frozenset(revisions.absent(tx, sources_named(case))))


def with_todays_name(ctx: Context, case: Case, source_id: str) -> Case:
    """The case with one source under its id of today wherever it stands under an earlier name."""
    with ctx.db.read() as tx:
        earlier = {old: new for old, new in todays_names(tx).sources.items() if new == source_id}
    return renamed(case, earlier, {}) if earlier else case


def flags_of(ctx: Context, case_ids: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """The flags of cases that have any."""
    with ctx.db.read() as tx:
        return flags.of_cases(tx, case_ids)
