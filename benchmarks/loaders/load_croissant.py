"""Croissant: mlcroissant validates the metadata and reads the records of each partition, lists of texts included."""

import hashlib
import warnings

from reading import run, same

warnings.simplefilter("ignore")


def text(value):
    return value.decode() if isinstance(value, bytes) else value


def load(folder, cases):
    import mlcroissant

    data = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
    assert not data.metadata.ctx.issues.errors, data.metadata.ctx.issues.errors
    for file in data.metadata.distribution:
        same(hashlib.sha256((folder / file.content_url).read_bytes()).hexdigest(), file.sha256, file.name)
    seen = set()
    for records in data.metadata.record_sets:
        for record in data.records(records.name):
            row = {k.split("/", 1)[1]: v for k, v in record.items()}
            name = text(row["id"])
            seen.add(name)
            for key, value in row.items():
                many = isinstance(cases[name][key], list)
                got = [text(v) for v in value] if many else text(value)
                same(str(got), str(cases[name][key]), f"{name} {key}")
    same(seen, set(cases), "ids")
    return f"{len(seen)} records of {len(data.metadata.record_sets)} sets, {len(row)} fields each"


run(load)
