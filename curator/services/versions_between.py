"""What the versions from one to another say of their changes: marks of wording, reasons, and which were yanked."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from curator.domain.changes import CaseChange, Mark
from curator.errors import CuratorError
from curator.progress import Progress
from curator.services.released_folder import ReleasedFolder

MOST = 500
"""So many versions are followed back."""


class Between:
    """The changes from one version to a later one of the same suite, as the manifests from one to the other list them.

    Attributes:
        steps: Of each version after the first, by case, the oldest first; () = the later one does not follow it, or a
            version between them is not beside it.
        notes: What a reader should know of the versions between, one line each.
    """

    def __init__(self, old: ReleasedFolder, new: ReleasedFolder, progress: Progress) -> None:
        """Follow the parents back; every version on the way is checked as a released folder is."""
        self.notes: tuple[str, ...] = ()
        self.steps: tuple[dict[str, CaseChange], ...] = ()
        steps, notes, here = [new.manifest], [], new
        while old.suite == new.suite and here.manifest["parent"] not in ("", old.version) and len(steps) < MOST:
            version = here.manifest["parent"]
            try:
                here = ReleasedFolder(new.folder.parent / version, progress, allows_yanked=True)
            except CuratorError:
                self.notes = (f"{version}, between them, cannot be read: its marks and reasons are not known",)
                return
            if here.yanked:
                notes.append(f"{version}, between them, is {here.yanked}")
            steps.append(here.manifest)
        if old.suite == new.suite and here.manifest["parent"] == old.version:
            self.steps = tuple({c.id: c for c in listed(manifest)} for manifest in reversed(steps))
            self.notes = tuple(reversed(notes))

    def marks(self, name: str, before: str, after: str) -> list[Mark]:
        """The marks that lead from one content of a case to another; [] where a change between them has none.

        Args:
            name: The case.
            before: Its content hash in the first version, and `after`: in the last one.
            after: See before.
        """
        told = [step[name] for step in self.steps if name in step]
        said = [c for c in told if c.editorial]
        if not said or any(c.level != "patch" for c in told):
            return []
        places = [before, *(f"{before} {n}" for n in range(1, len(said))), after]
        return [
            Mark(case_id=name, before=places[n], after=places[n + 1], by=c.editorial, reason=c.reason)
            for n, c in enumerate(said)
        ]

    def reasons(self, what: str) -> dict[str, str]:
        """The last reason that was given for what happened to a case, or to a field of it."""
        return {
            name: c.reason
            for step in self.steps
            for name, c in step.items()
            if c.reason and (c.what == what or what in c.fields)
        }


def listed(manifest: dict[str, Any]) -> list[CaseChange]:
    """The changes that a manifest lists; what is none is left out: only our own manifests list them."""
    found = []
    entries = manifest.get("changes")
    for entry in entries if isinstance(entries, list) else ():
        try:
            found.append(CaseChange.model_validate(entry))
        except ValidationError:
            continue
    return found
