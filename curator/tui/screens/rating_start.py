"""The way into rating: which sample, and what it came to when one has finished."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from curator.text import counted
from curator.tui.screens.choose import Choose
from curator.tui.screens.listing import Listing
from curator.tui.widgets.row_list import Column
from curator.tui.widgets.safe import flat

if TYPE_CHECKING:
    from curator.services.context import Context
    from curator.services.rating_results import Results
    from curator.services.ratings import Task
    from curator.tui.screens.room import Room


def tasks(ctx: Context, suite: str = "") -> tuple[Task, ...]:
    """The samples of a suite, or of all, as the acting person has them before them; in a worker."""
    from curator.services import ratings
    from curator.services.rating_samples import samples

    return tuple(ratings.task(ctx, s.sample) for s in samples(ctx, suite))


def offer_samples(room: Room, suite: str = "") -> None:
    """Ask which sample; one alone is opened at once."""

    def show(found: tuple[Task, ...]) -> None:
        if not found:
            said = f"no outputs were drawn: curator sample-review {flat(suite) or 'NAME'} --run RUN.jsonl"
            room.notify(said, markup=False, severity="warning", timeout=6)
        elif len(found) == 1:
            open_task(room, found[0])
        else:
            by_number = {str(t.sampled.sample): t for t in found}
            options = [(name, _line(t)) for name, t in by_number.items()]

            def chosen(answer: tuple[str, ...] | None) -> None:
                if answer:
                    open_task(room, by_number[answer[0]])

            room.app.push_screen(Choose("rate which sample?", options), chosen)

    room.ask(partial(_of, suite), show, doing="look for outputs to rate", group="samples", reads=True)


def _of(suite: str, ctx: Context) -> tuple[Task, ...]:
    return tasks(ctx, suite)


def _line(task: Task) -> str:
    said = task.sampled
    state = "finished" if task.finished else task.closed or f"{task.rated} of {len(task.case_ids)} rated"
    return f"{said.sample} · {said.suite} {said.version} · {said.system} · {state}"


def open_task(room: Room, task: Task) -> None:
    """Rate a sample; one that the person has finished, or may not rate, is told of."""
    from curator.tui.screens.rating import RatingScreen

    number = task.sampled.sample
    if task.finished or task.closed:
        room.ask(partial(_results, number), partial(_tell, room), doing=f"read the results of sample {number}")
    elif not task.case_ids:
        room.notify("all of it lies in the holdout, which a lead rates", markup=False, severity="warning")
    else:

        def done(answer: bool | None) -> None:
            room.refresh_room()
            if answer:
                room.ask(partial(_results, number), partial(_tell, room), doing=f"read the results of sample {number}")

        room.app.push_screen(RatingScreen(task), done)


def _results(number: int, ctx: Context) -> Results:
    from curator.services.rating_results import results

    return results(ctx, number)


def _tell(room: Room, found: Results) -> None:
    """Means and intervals by length, then how far people agree."""
    numbers = (Column("cases", 5, right=True), Column("mean", 5, right=True))
    columns = [Column("measure", 13), Column("length", 7), *numbers, Column("95 % interval", 0)]
    rows: list[tuple[str, ...]] = [
        (s.measure, s.length_stratum, str(s.cases), f"{s.mean:.2f}",
         f"{s.low:.2f} to {s.high:.2f}" + (" ! few cases" if s.thin else ""))
        if s.cases else (s.measure, s.length_stratum, "0", "–", "! not rated")
        for s in found.summaries
    ]  # fmt: skip
    for a in found.agreement:
        value = f"{a.alpha.value:.2f}" if a.alpha.value is not None else "–"
        about = a.alpha.why or f"alpha of {a.raters} raters (1 = they agree, 0 = as by chance)"
        rows.append((a.measure, "agree", str(a.cases), value, about))
    people = counted(len(found.sampled.raters), "rater")
    title = f"sample {found.sampled.sample}: {found.sampled.system}, {people} finished"
    room.app.push_screen(Listing(title, columns, rows, empty="nobody has finished yet"))


def open_sample(room: Room, number: int) -> None:
    """Rate a sample by its number."""

    def read(ctx: Context) -> Task:
        from curator.services import ratings

        return ratings.task(ctx, number)

    room.ask(read, partial(open_task, room), doing=f"open sample {number}", group="samples", reads=True)


__all__ = ["offer_samples", "open_sample", "open_task", "tasks"]
