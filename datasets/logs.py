"""The sample production log and the list of production lengths, as bytes."""

from __future__ import annotations

import csv
import io
import json
import tomllib
from datetime import UTC, datetime, timedelta
from random import Random

from .sources import text

START = datetime(2026, 3, 2, 7, 41, 12, tzinfo=UTC)
KINDS = [
    ("Circular", 1, 3), ("Memo", 1, 2), ("Form", 1, 4), ("Notice", 2, 5), ("Checklist", 2, 6), ("Policy", 4, 12), ("Procedure", 5, 14), ("Work instruction", 3, 9),
    ("Minutes", 3, 8), ("Contract", 9, 26), ("Guideline", 10, 44), ("Manual", 18, 96), ("Regulation", 8, 60), ("Report", 8, 38), ("Standard", 14, 72), ("Handbook", 30, 180),
]  # fmt: skip
SUBJECTS = [
    "Absence", "Access control", "Air quality", "Allergens", "Archives", "Boiler room", "Bus transport", "Calibration", "Canteen", "Cleaning", "Complaints", "Data protection", "Drills",
    "Emission tests", "Equipment", "Excursions", "Field service", "First aid", "Hygiene", "Immunization", "Incident response", "Laboratory", "Maintenance", "Medicines", "Night duty",
    "Pensions", "Procurement", "Recalls", "Safeguarding", "Screening", "Sports hall", "Suppliers", "Swimming", "Training", "Travel", "Vehicle fleet", "Visitors", "Waste", "Water", "Workshops",
]  # fmt: skip
ROWS = 200
MEDIAN = 8


def failures() -> bytes:
    """The headerless log: timestamp, session, route, question, answer, contexts as JSON; RFC 4180, UTF-8."""
    passages = tomllib.loads(text("production_contexts.toml"))
    rng = Random(150)
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    moment = START
    session = ""
    count = 0
    for line in text("production_log.txt").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("="):
            moment += timedelta(seconds=180 + int(rng.random() * 14_000))
            session = f"s-{int(rng.random() * 16**8):08x}"
            continue
        route, question, answer, names = (part.strip() for part in line.rsplit("|", 3))
        found = [passages[name.strip()] for name in names.split(",") if name.strip()]
        contexts = [passage["text"] for passage in found] if count % 3 == 1 else found
        stamp = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
        writer.writerow([stamp, session, route, question, answer, json.dumps(contexts, ensure_ascii=False)])
        moment += timedelta(seconds=20 + int(rng.random() * 70))
        count += 1
    return out.getvalue().encode()


def production_lengths() -> bytes:
    """Invented names of documents in production with their pages: 200 rows, median 8."""
    rng = Random(8)
    rows: list[tuple[str, int]] = []
    taken: set[str] = set()
    while len(rows) < ROWS:
        kind, low, high = KINDS[int(rng.random() * len(KINDS))]
        name = f"{kind} {SUBJECTS[int(rng.random() * len(SUBJECTS))]} {2019 + int(rng.random() * 8)}"
        if name not in taken:
            taken.add(name)
            rows.append((name, low + int((high - low + 1) * rng.random() ** 1.4)))
    return ("document,pages\n" + "".join(f"{name},{pages}\n" for name, pages in _centered(rows))).encode()


def _centered(rows: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """The rows with as few lengths as possible moved to the median, so that it is exactly this."""
    order = sorted(range(len(rows)), key=lambda n: (rows[n][1], n))
    middle = len(rows) // 2
    result = list(rows)
    for place, n in enumerate(order):
        pages = rows[n][1]
        if place in (middle - 1, middle) or (place < middle and pages > MEDIAN) or (place > middle and pages < MEDIAN):
            result[n] = (rows[n][0], MEDIAN)
    return result
