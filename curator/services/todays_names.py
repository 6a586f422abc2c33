"""Cases under the ids that sources and documents have today, whatever names they were written with.

A case keeps the name under which a person cited a source. What compares cases, or leaves the workspace, uses the ids of
today, so that one source is one source.
"""

from __future__ import annotations

from typing import NamedTuple

from curator.domain.case import CaseRecord
from curator.domain.reciting import renamed
from curator.domain.suite import Selector, SuitePolicy
from curator.store import documents, sources
from curator.store.database import Transaction


class TodaysNames(NamedTuple):
    """Ids by the names that were given up, of sources and of documents; empty where nothing was ever renamed."""

    sources: dict[str, str]
    documents: dict[str, str]

    def record(self, record: CaseRecord) -> CaseRecord:
        """The case with the ids of today; its standing stays, and the hash that people approved."""
        if not any(self):
            return record
        return record.model_copy(update={"case": renamed(record.case, self.sources, self.documents)})

    def suite(self, suite: SuitePolicy) -> SuitePolicy:
        """The policy as it selects: documents under their ids of today."""
        if not self.documents:
            return suite

        def selector(given: Selector) -> Selector:
            return given.model_copy(update={"document": tuple(self.documents.get(d, d) for d in given.document)})

        return suite.model_copy(update={"include": selector(suite.include), "exclude": selector(suite.exclude)})


def todays_names(tx: Transaction) -> TodaysNames:
    """All names that were given up, as the store has them now."""
    return TodaysNames(sources.names_now(tx), documents.names_now(tx))
