"""Personal data: what a person sees before a text leaves the scrub view, what they confirm, scans by a new detector.

A confirmation is bound to the hash of the texts and to the detector that had looked at them: a later edit or a newer
detector voids it. Hard findings block until they are edited away or named, with a reason, on the list of the allowed;
soft ones are ticked one by one; the whole text is confirmed even when nothing was found.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import partial
from typing import get_args

from curator.domain.case import Case, Status
from curator.domain.failure import Failure
from curator.domain.model import Model
from curator.errors import CheckFailed, Conflict, InputError, UsageError
from curator.matching.folding import digest as wording_digest
from curator.matching.wording import wording
from curator.privacy import Allowed, Detector, Scrubber, candidates, is_hard, ner
from curator.privacy.finding import Finding, resolved
from curator.progress import Progress, Silent
from curator.services import blind
from curator.services.anonymising import digest
from curator.services.context import Context
from curator.services.folds import fold_new
from curator.store import cases, failure_texts, failures, folding, privacy
from curator.store.cases import Change
from curator.store.database import Transaction
from curator.store.privacy import AllowEntry
from curator.text import counted


class Spot(Model):
    """A span of a field that a person should look at, in code points.

    Attributes:
        field: question, answer, context 1 ...
        hard: It blocks: edit it away, or allow it with a reason. Else it is ticked.
        key: What `confirm` wants to have ticked.
    """

    field: str
    start: int
    end: int
    text: str
    kind: str
    hard: bool
    key: str


class Review(Model):
    """All texts of a failure or a case with what is to be looked at: what the scrub view shows.

    Attributes:
        hash: Of the texts: `confirm` takes it, so that nobody confirms what they have not seen.
        confirmed: These texts are confirmed, with the detector of today.
    """

    id: str
    fields: tuple[tuple[str, str], ...]
    spots: tuple[Spot, ...]
    hash: str
    detector: str
    confirmed: bool
    quarantined: bool = False


class Scanned(Model):
    """What a scan found in one thing: how many hard and soft findings, and whether its confirmation still holds."""

    entity: str
    id: str
    hard: int
    soft: int
    confirmed: bool


def detector_for(
    ctx: Context, case_id: str = "", *, names: bool | None = None, progress: Progress | None = None
) -> Detector:
    """The detector of this machine: rules, the model where it is installed, and the list of the allowed.

    Args:
        ctx: Open workspace.
        case_id: Entries of this case count too.
        names: Whether a model looks for names; None = where the extra is installed.
        progress: Its checkpoint is called while the detector looks.
    """
    progress = progress or Silent()
    with ctx.db.read() as tx:
        entries = privacy.allowed(tx)
    listed = [Allowed(e.text, e.kind) for e in entries if not e.case_id or e.case_id == case_id]
    if names is None:
        names = ner.installed()
    if not names:
        return Detector(allowed=listed, checkpoint=progress.checkpoint)
    model = ner.load()
    find = partial(model.find, progress=progress)
    return Detector(names=find, names_version=model.version, allowed=listed, checkpoint=progress.checkpoint)


def text_hash(fields: Iterable[tuple[str, str]]) -> str:
    """What a confirmation is bound to: every text with the name of its field."""
    joined = "\x1e".join(f"{name}\x1f{text}" for name, text in fields)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()


def case_texts(case: Case) -> tuple[tuple[str, str], ...]:
    """The texts of a case that a person wrote or a log brought; quotes of sources are not among them."""
    named = [(f"turn {n}", t) for n, t in enumerate(case.turns, 1)]
    named += [
        ("answer", case.reference_answer),
        ("escalate to", case.escalate_to),
        ("escalate when", case.escalate_when),
    ]
    named += [("consequence", case.consequence), ("notes", case.notes), ("asker", case.asker)]
    for name, texts in (
        ("acceptable answer", case.acceptable_answers),
        ("must not claim", case.must_not_claim),
        ("required behavior", case.required_behaviors),
    ):
        named += [(f"{name} {n}", t) for n, t in enumerate(texts, 1)]
    named += [(f"turn {t.turn} answer", t.reference_answer) for t in case.turn_expectations]
    named += [(f"provision {p.id}", p.text) for p in case.key_provisions]
    named += [(f"attribute {a.name}", a.value) for a in case.attributes]
    return tuple((name, text) for name, text in named if text)


def review(ctx: Context, name: str) -> Review:
    """The scrub view of a failure (f12) or a case: texts, findings, and whether they are confirmed.

    Raises:
        InputError: There is none of this id.
        UsageError: The acting person may label the case and must not see its texts yet.
    """
    fields, quarantined, given = _read(ctx, name)
    detector = detector_for(ctx, "" if _is_failure(name) else name)
    digest = text_hash(fields)
    return Review(
        id=name,
        fields=fields,
        spots=_spots(detector, fields),
        hash=digest,
        detector=detector.version,
        confirmed=given == (digest, detector.version),
        quarantined=quarantined,
    )


def texts(ctx: Context, name: str) -> tuple[tuple[str, str], ...]:
    """Field and text of all that `review` looks through, read at once; no model is loaded. Raises as `review`."""
    return _read(ctx, name)[0]


def _read(ctx: Context, name: str) -> tuple[tuple[tuple[str, str], ...], bool, tuple[str, str]]:
    """The texts, whether they are in quarantine, hash and detector of the confirmation that was given."""
    is_failure = _is_failure(name)
    if not is_failure and blind.look(ctx, name).hidden == blind.ANSWERED:
        raise UsageError(
            f"the labels of {name} are hidden from you until both are in", "its author looks through it, or you do then"
        )
    with ctx.db.read() as tx:
        if is_failure:
            failure = failures.get(tx, name)
            given = failures.confirmation(tx, [name]).get(name, ("", ""))
            return tuple(failure.texts), failure.quarantined, given
        kept = privacy.confirmations(tx, "case").get(name)
        given = (kept.text_hash, kept.detector) if kept else ("", "")
        return tuple(case_texts(cases.get(tx, name).case)), False, given


def _is_failure(name: str) -> bool:
    return name[:1] == "f" and name[1:].isdigit()


def _spots(detector: Detector, fields: Sequence[tuple[str, str]]) -> tuple[Spot, ...]:
    made = []
    for (field, text), found in zip(fields, detector.find_many([t for _, t in fields]), strict=True):
        for one in sorted((*found, *candidates(text, found))):
            value = text[one.start : one.end]
            made.append(
                Spot(
                    field=field, start=one.start, end=one.end, text=value, kind=one.kind, hard=is_hard(one.kind),
                    key=f"{field}:{one.start}-{one.end}",
                )
            )  # fmt: skip
    return tuple({s.key: s for s in made}.values())


def confirm(ctx: Context, name: str, digest: str, ticked: Iterable[str] = ()) -> None:
    """Confirm the texts of a failure or case as free of personal data, in the name of the acting person.

    Args:
        ctx: Open workspace.
        name: Id of the failure or case.
        digest: `Review.hash` of what the person has seen.
        ticked: `Spot.key` of every soft spot, each looked at.

    Raises:
        Conflict: The texts have changed since they were shown.
        CheckFailed: A hard finding stands in them, or a soft one is not ticked.
    """
    seen = review(ctx, name)
    if seen.hash != digest:
        raise Conflict(f"{name} was changed since it was shown", "look at it again")
    if hard := [s for s in seen.spots if s.hard]:
        raise CheckFailed(
            f"{name}: {hard[0].field} holds {hard[0].kind.replace('_', ' ')}",
            "edit it away, or name it with `curator privacy allow` and a reason",
        )
    if left := {s.key for s in seen.spots} - set(ticked):
        raise CheckFailed(
            f"{name}: {counted(len(left), 'place is', 'places are')} not ticked, the first at {min(left)}",
            "look at each and tick it",
        )
    with ctx.write() as tx:
        if _is_failure(name):
            failures.confirm(tx, name, digest, seen.detector)
        else:
            privacy.confirm(tx, "case", name, digest, seen.detector)
            _flag(tx, [name], is_open=False)


def scrub_failure(ctx: Context, name: str, digest: str, spots: Iterable[str]) -> Failure:
    """Replace further spots of a failure by placeholders, those that a person has marked as personal data.

    Raises:
        Conflict: The texts have changed since they were shown.
    """
    seen = review(ctx, name)
    if seen.hash != digest:
        raise Conflict(f"{name} was changed since it was shown", "look at it again")
    wanted = set(spots)
    values = {
        s.text: (s.kind if s.kind not in ("name", "date", "number", "place", "url") else "person")
        for s in seen.spots
        if s.key in wanted
    }
    return replace_values(ctx, name, values)


def replace_values(ctx: Context, name: str, values: dict[str, str]) -> Failure:
    """Replace values wherever they stand in the texts of a failure: value -> kind.

    Raises:
        InputError: A value does not stand in it.
    """
    with ctx.write() as tx:
        failure = failures.get(tx, name)
        whole = "\n".join(t for _, t in failure.texts)
        if missing := [v for v in values if v not in whole]:
            raise InputError(
                f"{name}: a value of {counted(len(missing[0]), 'character')} does not stand in it",
                "select it in the text",
            )
        scrubber = Scrubber(Detector())
        around = failures.masked_texts(tx, [failure.session]).values() if failure.session else ()
        scrubber.reserve(name, [*(t for _, t in failure.texts), *(t for texts in around for t in texts)])
        if failure_texts.rewrite(tx, name, lambda text: scrubber.replaced(text, _found(text, values), name)[0], digest):
            question = failures.get(tx, name).question
            plain = wording(question)
            failure_texts.set_wording(
                tx, name, folding.numbers(tx, {wording_digest(plain): (plain, question)})[wording_digest(plain)]
            )
        failure_texts.remove_loose(tx)
    fold_new(ctx)
    ctx.db.forget_log()
    with ctx.db.read() as tx:
        return failures.get(tx, name)


def _found(text: str, values: dict[str, str]) -> list[Finding]:
    found = []
    for value, kind in values.items():
        start = text.find(value)
        while start >= 0 and value:
            found.append(Finding(start, start + len(value), kind))
            start = text.find(value, start + len(value))
    return resolved(found)


def require_confirmed(ctx: Context, name: str) -> None:
    """Raise unless these texts are confirmed, with the detector of today.

    Raises:
        CheckFailed: They are not.
    """
    seen = review(ctx, name)
    if not seen.confirmed:
        raise CheckFailed(
            f"{name}: its text is not confirmed as free of personal data",
            f"`curator privacy show {name}`, then `curator privacy confirm {name}`",
        )


def require_read(tx: Transaction, name: str) -> None:
    """Raise when a failure that left the quarantine by a confirmation has another text than the confirmed one.

    Raises:
        Conflict: It has.
    """
    failure = failures.get(tx, name)
    given = failures.confirmation(tx, [name]).get(name)
    if given is not None and given[0] != text_hash(failure.texts):
        raise Conflict(f"{name} was changed since it was confirmed", "look at it again")


def allow(ctx: Context, text: str, reason: str, *, kind: str = "", case_id: str = "") -> int:
    """Name a string as no personal data: exactly this text, everywhere or in one case. Gives the entry's number.

    Raises:
        UsageError: The text or the reason is empty.
    """
    if not text.strip() or not reason.strip():
        raise UsageError("an entry needs a text and a reason", "say why it is no personal data")
    with ctx.write() as tx:
        return privacy.allow(tx, text, kind, case_id, reason)


def disallow(ctx: Context, number: int) -> None:
    """Take an entry off the list of the allowed.

    Raises:
        InputError: There is none of this number.
    """
    with ctx.write() as tx:
        if not privacy.disallow(tx, number):
            raise InputError(f"there is no entry {number}", "see `curator privacy allow --list`")


def allowed(ctx: Context) -> list[AllowEntry]:
    """The list of the allowed."""
    with ctx.db.read() as tx:
        return privacy.allowed(tx)


def scan(ctx: Context, *, progress: Progress | None = None) -> list[Scanned]:
    """Look at every failure and case with the detector of today; gives those in which something is to be done.

    A case with a hard finding, or whose confirmation no longer holds, gets the flag `privacy_open`; one that is clean
    loses it. Quarantined rows whose time is over are removed first.
    """
    progress = progress or Silent()
    expire(ctx)
    detector = detector_for(ctx)
    found = [*_scan_failures(ctx, detector, progress), *_scan_cases(ctx, progress)]
    is_open = {s.id for s in found if s.entity == "case" and s.hard}
    with ctx.write() as tx:
        _flag(tx, sorted(is_open), is_open=True)
        _flag(tx, [r.case.id for r in cases.by_status(tx, get_args(Status)) if r.case.id not in is_open], is_open=False)
    return found


def _scan_failures(ctx: Context, detector: Detector, progress: Progress) -> list[Scanned]:
    found: list[Scanned] = []
    after = 0
    while True:
        progress.checkpoint()
        with ctx.db.read() as tx:
            names = failures.each(tx, after=after)
            if not names:
                return found
            some = failures.get_many(tx, names)
            given = failures.confirmation(tx, names)
        after = int(names[-1][1:])
        texts = [t for f in some.values() for _, t in f.texts]
        results = iter(detector.find_many(texts))
        for failure in some.values():
            spots = [s for _ in failure.texts for s in next(results) if s.kind != "url"]
            hard = sum(is_hard(s.kind) for s in spots)
            holds = given.get(failure.id) == (text_hash(failure.texts), detector.version)
            if spots and not (holds and not hard):
                found.append(
                    Scanned(entity="failure", id=failure.id, hard=hard, soft=len(spots) - hard, confirmed=holds)
                )


def _scan_cases(ctx: Context, progress: Progress) -> list[Scanned]:
    found: list[Scanned] = []
    with ctx.db.read() as tx:
        records = list(cases.by_status(tx, get_args(Status)))
        given = privacy.confirmations(tx, "case")
    for record in records:
        progress.checkpoint()
        detector = detector_for(ctx, record.case.id)
        fields = case_texts(record.case)
        spots = [s for result in detector.find_many([t for _, t in fields]) for s in result if s.kind != "url"]
        hard = sum(is_hard(s.kind) for s in spots)
        kept = given.get(record.case.id)
        holds = kept is not None and (kept.text_hash, kept.detector) == (text_hash(fields), detector.version)
        if spots and (hard or not holds):
            found.append(Scanned(entity="case", id=record.case.id, hard=hard, soft=len(spots) - hard, confirmed=holds))
    return found


def _flag(tx: Transaction, names: Sequence[str], *, is_open: bool) -> None:
    """Set or take the flag `privacy_open` of cases, where it is not so already."""
    changes = []
    for record in cases.get_many(tx, names).values():
        has = "privacy_open" in record.flags
        if has != is_open:
            flags = tuple(f for f in record.flags if f != "privacy_open") + (("privacy_open",) if is_open else ())
            changes.append(Change(record, "flagged", {"flags": flags}))
    cases.change_many(tx, changes)


def expire(ctx: Context) -> int:
    """Remove quarantined rows whose time is over; gives how many."""
    with ctx.db.read() as tx:
        over = failure_texts.expired(tx, ctx.now())
    if not over:
        return 0
    with ctx.write() as tx:
        removed = sum(failure_texts.remove_quarantined(tx, batch) for batch in over)
    ctx.db.forget_log()
    return removed
