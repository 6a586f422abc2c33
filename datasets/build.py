"""Make the sample files: `python -m datasets.build [--to FOLDER] [--only NAME]`. Same texts, same bytes."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from .logs import failures, production_lengths
from .sources import emission, filing, guideline, korean
from .typeset.blocks import Sample
from .typeset.pdf import render

HERE = Path(__file__).parent
DOCUMENTS: dict[str, tuple[Callable[[], Sample], int]] = {
    "school-health-guideline": (guideline.sample, 40),
    "emission-regulation": (emission.short, 12),
    "emission-regulation-consolidated": (emission.consolidated, 160),
    "annual-filing": (filing.sample, 25),
    "korean-health-guideline": (korean.sample, 6),
}
TABLES = {"failures": failures, "production-lengths": production_lengths}


def main() -> None:
    """Write every sample, or those whose name holds `--only`, below the folder given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=HERE)
    parser.add_argument("--only", default="")
    parser.add_argument("--draft", action="store_true", help="keep a document whose page count is not right yet")
    options = parser.parse_args()
    (options.to / "documents").mkdir(parents=True, exist_ok=True)
    for name, (make, pages) in DOCUMENTS.items():
        if options.only in name:
            data, count = render(make())
            print(f"{name}.pdf: {count} pages, {len(data):,} bytes")
            if count != pages and not options.draft:
                raise SystemExit(f"{name}.pdf has {count} pages, it must have {pages}")
            (options.to / "documents" / f"{name}.pdf").write_bytes(data)
    for name, write in TABLES.items():
        if options.only in name:
            data = write()
            print(f"{name}.csv: {len(data.splitlines())} lines, {len(data):,} bytes")
            (options.to / f"{name}.csv").write_bytes(data)


if __name__ == "__main__":
    main()
