"""Mutated PDFs go through the reader: each ends in a document or in one of our errors, whatever was changed.

    python -m benchmarks.faults.fuzz_parser [--files 300] [--seed 1] [--minutes 10] [--corpus FOLDER]

The samples in `datasets/documents`, and small ones made here, are changed: bits flipped, stretches cut out, doubled,
zeroed or exchanged, numbers replaced by extreme ones, the file cut short. With `--corpus` those PDFs of a folder that
are small are changed too, one in two. A finding is anything but a document or an
`InputError` of one line, a document whose pages do not add up, or a file that takes 30 s.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import re
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from curator.errors import InputError
from curator.parsing import parse_json, parse_pdf
from tests.services.desk import ROWS, write_pdf

SAMPLES = Path(__file__).parents[2] / "datasets" / "documents"
SECONDS = 30.0
LARGEST = 200_000
EXTREME = (b"0", b"-1", b"999999999", b"2147483648", b"99999999999999999999", b"1e9", b"nan", b"null", b"<<", b"[")


def mutated(data: bytes, chance: random.Random) -> bytes:
    """A changed copy: one to eight changes of one or several kinds."""
    made = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        kind, place = chance.randrange(7), chance.randrange(len(made))
        length = min(len(made) - place, chance.choice((1, 4, 64, 1024)))
        if kind == 0:
            made[place] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del made[place : place + length]
        elif kind == 2:
            made[place:place] = made[place : place + length] * chance.choice((1, 2, 50))
        elif kind == 3:
            made[place : place + length] = bytes(length)
        elif kind == 4:
            other = chance.randrange(len(made))
            made[place : place + length] = made[other : other + length]
        elif kind == 5:
            numbers = list(re.finditer(rb"\d+", bytes(made)))
            if numbers:
                found = chance.choice(numbers)
                made[found.start() : found.end()] = chance.choice(EXTREME)
        else:
            del made[chance.randrange(len(made) // 2, len(made)) :]
        if len(made) < 16:
            return bytes(made)
    return bytes(made[: 4 * LARGEST])


def outcome(path: Path) -> str:
    """What became of a file: read, refused, or what is wrong."""
    began = time.monotonic()
    try:
        document = parse_pdf(path, jobs=1)
        parse_json(document)
        said = "read" if len(document.pages) == document.page_count else "pages do not add up"
    except InputError as error:
        said = "refused" if "\n" not in error.message else "an error of several lines"
    except Exception as error:  # noqa: BLE001  this is what is looked for
        said = f"{type(error).__name__}: {error}"
    return said if time.monotonic() - began < SECONDS else f"{time.monotonic() - began:.0f} s"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--corpus", type=Path)
    given = parser.parse_args()
    chance, counts, findings = random.Random(given.seed), Counter[str](), 0
    end = time.monotonic() + given.minutes * 60
    tried, foreign = 0, list[bytes]()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        seeds = [write_pdf(Path(folder) / "small.pdf"), write_pdf(Path(folder) / "bare.pdf", rows=ROWS[:2])]
        seeds += [p for p in sorted(SAMPLES.glob("*.pdf")) if p.stat().st_size < LARGEST]
        data = [p.read_bytes() for p in seeds]
        small = [p for p in sorted(given.corpus.rglob("*.pdf")) if p.stat().st_size < LARGEST] if given.corpus else []
        foreign = [found for p in small if len(found := p.read_bytes()) > 16]
        path = Path(folder) / "mutated.pdf"
        for tried in range(1, given.files + 1):
            kind = foreign if foreign and chance.random() < 0.5 else data
            path.write_bytes(mutated(chance.choice(kind), chance))
            said = outcome(path)
            counts[said if said in ("read", "refused") else "FINDING"] += 1
            if said not in ("read", "refused"):
                findings += 1
                kept = Path(tempfile.gettempdir()) / f"fuzz-{given.seed}-{tried}.pdf"
                with contextlib.suppress(OSError):
                    kept.write_bytes(path.read_bytes())
                print(f"! {kept}: {said}", flush=True)
            if time.monotonic() > end:
                break
    print(f"{tried} mutated files from {len(seeds)} samples and {len(foreign)} of others, seed {given.seed}: "
          f"{counts['read']} read, {counts['refused']} refused, {findings} findings")  # fmt: skip
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
