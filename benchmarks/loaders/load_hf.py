"""Hugging Face datasets loads the folder, a split a partition; pandas, polars, DuckDB and pyarrow read each file."""

import os
import tempfile

from reading import rows, run, same

os.environ |= {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_DATASETS_CACHE": tempfile.mkdtemp()}


def cut(value):
    """`datasets` writes 00:00:00 behind the dates of a column of dates."""
    if isinstance(value, dict):
        return {k: cut(v) for k, v in value.items()}
    if isinstance(value, list):
        return [cut(v) for v in value]
    return value.removesuffix(" 00:00:00") if isinstance(value, str) else value


def load(folder, cases):
    import datasets

    datasets.disable_progress_bars()
    splits = datasets.load_dataset(str(folder), cache_dir=tempfile.mkdtemp())
    got = {row["id"]: dict(row) for split in splits.values() for row in split}
    same(cut(got), cases, "datasets")
    readers = []
    for path in (p for p in folder.glob("*.jsonl") if p.name != "sources.jsonl"):
        readers = others(path, rows(path))
    return f"{len(got)} cases in splits {sorted(splits)}; {', '.join(readers)} give the same"


def others(path, wanted):
    """Readers that are here beside `datasets`."""
    found = []
    try:
        import duckdb
        import pandas
        import polars
    except ImportError:
        return found
    same(polars.read_ndjson(path).to_dicts(), wanted, "polars")
    table = pandas.read_json(path, lines=True, dtype=False)
    same((list(table.id), list(table.turns)), ([r["id"] for r in wanted], [r["turns"] for r in wanted]), "pandas")
    ids = duckdb.connect().sql(f"select id from read_json('{path}') order by id").fetchall()
    same([i for (i,) in ids], sorted(r["id"] for r in wanted), "duckdb")
    return ["polars", "pandas", "duckdb"]


run(load)
