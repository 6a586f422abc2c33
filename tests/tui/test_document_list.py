"""The list of documents: sorted and filtered by any column, as the list of cases is."""

from __future__ import annotations

from pathlib import Path

from curator import workspace
from curator.services import ingest
from tests.tui.conftest import opened, press, screen, table_pdf, until

SHELF = (("alpha", "Zoning", 2, "law"), ("beta", "Yearly filing", 5, "filing"))


def shelved(root: Path, folder: Path) -> None:
    with workspace.Workspace(root, "ana") as space:
        for name, title, pages, domain in SHELF:
            path = table_pdf(folder / f"{name}.pdf", title, pages)
            facts = ingest.Facts(domain=domain, document_type="regulation", title=title)
            assert ingest.ingest(space.context, [path], facts)[0].outcome == "new"


def order_of(text: str) -> list[str]:
    names = ("alpha", "beta", "exclusion")
    return [n for line in text.splitlines() for n in names if line.lstrip().startswith(n)]


async def test_documents_are_sorted_and_filtered_by_any_column(root: Path, tmp_path: Path) -> None:
    shelved(root, tmp_path)
    async with opened(root, size=(120, 24)) as pilot:
        await press(pilot, "f2")
        await until(pilot, lambda: order_of(screen(pilot)) == ["alpha", "beta", "exclusion"])
        await press(pilot, "S", "S", "S")  # id upward and downward, then the title
        await until(pilot, lambda: order_of(screen(pilot)) == ["exclusion", "beta", "alpha"])
        await until(pilot, lambda: "title ▲" in screen(pilot))
        await press(pilot, "S", "S", "S")
        await until(pilot, lambda: order_of(screen(pilot)) == ["beta", "exclusion", "alpha"])
        await until(pilot, lambda: "pages ▼" in screen(pilot))
        await press(pilot, "slash", *"type:reg")
        await until(pilot, lambda: order_of(screen(pilot)) == ["beta", "alpha"])
        await press(pilot, *" dom", "tab", *"law")
        await until(pilot, lambda: order_of(screen(pilot)) == ["alpha"])
        await press(pilot, "enter", "enter")
        await until(pilot, lambda: "Zoning" in screen(pilot) and "3 Reader" in screen(pilot))
