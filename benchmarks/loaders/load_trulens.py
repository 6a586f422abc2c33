"""TruLens: stored as a ground truth dataset on SQLite, and read back."""

import os
import tempfile

from reading import rest, rows, run, same, transcript

os.environ["TRULENS_OTEL_TRACING"] = "0"


def load(folder, cases):
    import pandas
    from trulens.core import TruSession

    session = TruSession(database_url=f"sqlite:///{tempfile.mkdtemp()}/t.db")
    table = pandas.DataFrame(rows(folder / "ground_truth.jsonl"), dtype=object)
    session.add_ground_truth_to_dataset(dataset_name="golden", ground_truth_df=table, dataset_metadata={"version": "1"})
    found = session.get_ground_truth("golden").set_index("query_id")
    same(set(found.index), set(cases), "ids")
    for name, case in cases.items():
        row = found.loc[name]
        same((row.query, row.expected_response), (transcript(case), case["referenceAnswer"]), name)
        same([c["title"] for c in row.expected_chunks or []], case["expectedSourceIds"], name)
        same(row.meta, rest(case, "id", "referenceAnswer"), name)
    return f"{len(found)} ground truths stored and read back"


run(load)
