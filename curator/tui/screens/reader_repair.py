"""Repairs where the text is: one key opens what can be put right in the table, or the text, under the cursor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from curator.errors import InputError
from curator.text import one_line
from curator.tui.screens.ask import Ask, Question
from curator.tui.screens.choose import Choose
from curator.tui.screens.confirm import Confirm
from curator.tui.screens.reader_revisions import ReaderRevisions
from curator.tui.widgets.safe import flat

if TYPE_CHECKING:
    from curator.domain.document import Source, Table
    from curator.domain.repair import Put, Repair
    from curator.services.context import Context
    from curator.services.repair import RepairDone

    Read = Callable[[Context, Path | None], Put]

CUT = "||"
MOST_ROWS = 14
ENGINES = (
    ("curator", "curator's own reading"),
    ("camelot", "the extra tables: camelot"),
    ("ocr", "ocr: the page is drawn and recognized (the extra ocr)"),
)
DONE = "Ctrl+Z takes it back"


class ReaderRepair(ReaderRevisions):
    """A base of the reader."""

    def action_repair(self) -> None:
        """What can be repaired here, each by its first letter."""
        source = self._view.source
        if source is None:
            return
        options = _row_options(source) if source.kind == "row" else [("mark", "mark this text as a table")]
        options += [("again", "read this page again by another engine"), ("name", "name: another id")]

        def chosen(answer: tuple[str, ...] | None) -> None:
            if answer:
                getattr(self, f"_repair_{answer[0]}")(source)

        said = f"! {flat(source.anchor.question)}" if source.anchor.question else ""
        self.app.push_screen(Choose(f"repair {source.id}", options, instant=True, said=said), chosen)

    def question_said(self, source: Source) -> list[str]:
        """What is asked about the row under the cursor."""
        return [f"! {flat(source.anchor.question)} r"] if source.anchor.question else []

    # -- doing it -----------------------------------------------------------------------------------------------

    def _repair(self, source: Source, wanted: Repair) -> None:
        from curator.services import repair

        self.ask(
            lambda ctx: repair.repair(ctx, source.document_id, wanted),
            partial(self._repaired, source.id),
            doing="repair the table",
        )

    def _repaired(self, name: str, done: RepairDone) -> None:
        joined = dict(done.joined)
        self._new_name = joined.get(name, "") or (done.new[0] if name in done.gone and done.new else "")
        stale = f" · stale now, until re-confirmed (F6): {len(done.stale)}" if done.stale else ""
        parts = ((len(done.changed), "changed"), (len(done.new), "new"), (len(done.gone) + len(joined), "gone"))
        told = ", ".join(f"{n} {word}" for n, word in parts if n) or "kept apart"
        self.notify(f"repaired: {told}{stale} · {DONE}", markup=False, timeout=4)
        self.curator.case_signal.publish("saved")

    # -- rows and cells -----------------------------------------------------------------------------------------

    def _repair_cell(self, source: Source) -> None:
        from curator.domain.repair import CellFix

        cells = source.anchor.cells
        self._choose_column(source, cells, lambda n: self._ask_text(
            f"cell of {source.id}", _over(source, n), cells[n], lambda t: self._repair(source, CellFix(
                row=source.id, column=n, text=t)), about=source.id))  # fmt: skip

    def _repair_label(self, source: Source) -> None:
        from curator.domain.repair import LabelFix

        header, table = source.anchor.table_header, source.anchor.table_id
        self._choose_column(source, header, lambda n: self._ask_text(
            "what stands over the column", f"column {n + 1}; levels are joined by ' > '", header[n],
            lambda t: self._repair(source, LabelFix(table=table, column=n, text=t)), about=table))  # fmt: skip

    def _choose_column(self, source: Source, texts: Sequence[str], then: Callable[[int], None]) -> None:
        if len(texts) == 1:
            then(0)
            return
        options = [(str(n), f"{n + 1} {_over(source, n)}: {one_line(flat(t), 60)}") for n, t in enumerate(texts)]
        self.app.push_screen(
            Choose("which column", options, instant=True), lambda answer: then(int(answer[0])) if answer else None
        )

    def _ask_text(self, title: str, label: str, value: str, then: Callable[[str], None], *, about: str) -> None:
        def answered(answer: tuple[str, ...] | None) -> None:
            if answer is not None and answer[0].strip() != value:
                then(answer[0])

        self.app.push_screen(Ask(title, [Question(label, value)], kept=f"{title}, {label}, of {about}"), answered)

    def _repair_title(self, source: Source) -> None:
        from curator.domain.repair import TitleFix

        at = source.anchor
        self._ask_text("title of the table", "title", at.table_title, lambda t: self._repair(source, TitleFix(
            table=at.table_id, text=t)), about=at.table_id)  # fmt: skip

    def _repair_header(self, source: Source) -> None:
        from curator.domain.repair import HeaderRows

        has = max((len(h.split(" > ")) for h in source.anchor.table_header if h), default=0)

        def check(text: str) -> str:
            return "" if text.strip().isdecimal() else "a number: 0 = no header"

        def answered(answer: tuple[str, ...] | None) -> None:
            if answer is not None and int(answer[0]) != has:
                self._repair(source, HeaderRows(table=source.anchor.table_id, rows=int(answer[0])))

        said = f"It has {has} now. More: the first rows become header; fewer: the lowest become rows."
        self.app.push_screen(Ask("header rows", [Question("rows from the top", str(has), check=check)], said), answered)

    def _repair_split(self, source: Source) -> None:
        from curator.domain.repair import Split

        def answered(answer: tuple[str, ...] | None) -> None:
            if answer is not None:
                halves = [text.partition(CUT) for text in answer]
                first, second = tuple(a.strip() for a, _, _ in halves), tuple(b.strip() for _, _, b in halves)
                self._repair(source, Split(row=source.id, first=first, second=second))

        lines = [Question(_over(source, n), cell) for n, cell in enumerate(source.anchor.cells)]
        said = f"Type {CUT} in a cell where the second row begins; a cell without it is the first row's."
        self.app.push_screen(Ask("split the row", lines, said, kept=f"split {source.id}"), answered)

    def _repair_join(self, source: Source) -> None:
        self._join(source, self._neighbor(source, 1), "no row of this table is below it")

    def _repair_up(self, source: Source) -> None:
        above = self._neighbor(source, -1)
        self._join(above or source, source if above is not None else None, "no row of this table is above it")

    def _join(self, first: Source, second: Source | None, none: str) -> None:
        from curator.domain.repair import Join

        if second is None:
            self.notify(none, markup=False, timeout=3)
            return
        from curator.services import repair

        self.ask(
            lambda ctx: repair.repair(ctx, first.document_id, Join(row=first.id, other=second.id)),
            partial(self._repaired, second.id),
            doing="join the rows",
        )

    def _neighbor(self, source: Source, by: int) -> Source | None:
        """The row of the same table above or below, as far as it is loaded."""
        found = self._view.beside(source.id, by)
        return found if found is not None and found.anchor.table_id == source.anchor.table_id else None

    def _repair_keep(self, source: Source) -> None:
        from curator.domain.repair import Apart

        self._repair(source, Apart(row=source.id))

    def _repair_drop(self, source: Source) -> None:
        from curator.domain.repair import Drop

        at = source.anchor
        said = "Its rows become running text; cases on them wait for a look."
        said = f"{flat(at.table_title) or at.table_id}\n\n{said} {DONE}."

        def answered(yes: bool | None) -> None:
            if yes:
                self._repair(source, Drop(table=at.table_id))

        self.app.push_screen(Confirm("this is no table", said, "drop it"), answered)

    def _repair_name(self, source: Source) -> None:
        self.action_rename()

    # -- reading it again ---------------------------------------------------------------------------------------

    def _repair_mark(self, source: Source) -> None:
        from curator.services import repair_pages

        self._propose(source, lambda ctx, path: repair_pages.read_region(ctx, [source.id], path))

    def _repair_again(self, source: Source) -> None:
        from curator.services import repair_pages

        page = source.anchor.page

        def chosen(answer: tuple[str, ...] | None) -> None:
            if answer:
                self._propose(
                    source, lambda ctx, path: repair_pages.read_again(ctx, source.document_id, page, answer[0], path)
                )

        self.app.push_screen(Choose(f"read page {page} again by", ENGINES, instant=True), chosen)

    def _propose(self, source: Source, read: Read, path: Path | None = None) -> None:
        """Read, show the tables, put them there when they are right; a file that is not found is asked for."""

        def failed(error: Exception) -> bool:
            if path is None and isinstance(error, InputError) and "--file" in error.hint:
                self._ask_file(error.message, lambda given: self._propose(source, read, given))
                return True
            return False

        self.notify("reading the page …", markup=False, timeout=2)
        self.ask(lambda ctx: read(ctx, path), partial(self._proposed, source), doing="read the page again",
                 group="read again", failed=failed)  # fmt: skip

    def _ask_file(self, said: str, then: Callable[[Path], None]) -> None:
        def check(text: str) -> str:
            return "" if Path(text.strip()).expanduser().is_file() else "there is no such file"

        def answered(answer: tuple[str, ...] | None) -> None:
            if answer:
                then(Path(answer[0].strip()).expanduser())

        self.app.push_screen(Ask("where is the file", [Question("path of the PDF", check=check)], flat(said)), answered)

    def _proposed(self, source: Source, wanted: Put) -> None:
        """Show the tables; of several, those that are right are marked."""
        said = "\n\n".join(f"{n}  {_shown(table)}" for n, table in enumerate(wanted.tables, 1))

        def answered(yes: bool | None) -> None:
            if yes and len(wanted.tables) == 1:
                self._repair(source, wanted)
            elif yes:
                self._choose_tables(source, wanted)

        yes = "take it" if len(wanted.tables) == 1 else "choose which"
        self.app.push_screen(Confirm(f"page {wanted.page} reads so", said, yes), answered)

    def _choose_tables(self, source: Source, wanted: Put) -> None:
        from curator.services import repair, repair_pages

        def chosen(answer: tuple[str, ...] | None) -> None:
            if answer:
                places = [int(value) for value in answer]
                self.ask(
                    lambda ctx: repair.repair(ctx, source.document_id, repair_pages.part_of(
                        ctx, source.document_id, wanted, places)),
                    partial(self._repaired, source.id), doing="repair the table",
                )  # fmt: skip

        options = [(str(n), f"{n + 1}  {one_line(_shown(table), 70)}") for n, table in enumerate(wanted.tables)]
        self.app.push_screen(Choose("which of these tables are right", options, several=True), chosen)


def _over(source: Source, column: int) -> str:
    header = source.anchor.table_header
    return flat(header[column]) if column < len(header) and header[column] else f"column {column + 1}"


def _row_options(source: Source) -> list[tuple[str, str]]:
    asked = [("up", "up: it is the rest of the row above"), ("keep", "keep apart: it is a row of its own")]
    return [
        *(asked if source.anchor.question else []),
        ("cell", "cell: what really stands in one"),
        ("label", "label over a column"),
        ("title", "title of the table"),
        ("header", "header rows: how many"),
        ("split", "split the row in two"),
        ("join", "join with the row below"),
        *([] if source.anchor.question else [("up", "up: join with the row above")]),
        ("drop", "drop the table: it is none"),
    ]


def _shown(table: Table) -> str:
    """A table in a few lines: title, header, the first rows."""
    lines = [flat(table.title)] if table.title else []
    lines.append(" | ".join(flat(h) or "–" for h in table.header))
    lines += [one_line(" | ".join(flat(c) for c in row.cells), 160) for row in table.rows[:MOST_ROWS]]
    more = len(table.rows) - MOST_ROWS
    return "\n".join(lines + ([f"… and {more} more rows"] if more > 0 else []))
