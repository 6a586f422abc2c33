"""What the loaders of experiment platforms share: what a record must hold. Standard library only."""

from reading import rest, same


def held(name, given, wanted, extra, case):
    """Input, expectation and metadata against the case."""
    same(given["turns"], case["turns"], name)
    same((given["question"], given["asOf"], given["asker"]), (case["turns"][-1], case["asOf"], case["asker"]), name)
    same((wanted["behavior"], wanted["answer"]), (case["expectedBehavior"], case["referenceAnswer"]), name)
    same(wanted["sourceIds"], case["expectedSourceIds"], name)
    same(len(wanted["contexts"]), len(case["expectedSourceIds"]), name)
    same(rest(extra, "caseId"), rest(case, "id", "turns", "referenceAnswer"), name)
