"""Which documents were read by older rules than those of today. Cheap: Home asks it whenever it comes up."""

from __future__ import annotations

from curator.domain.model import Model
from curator.services.context import Context
from curator.store import documents
from curator.store.database import Transaction

_PLUS = " + "


class Outdated(Model):
    """How many documents were read by older rules than those of today, the first of them, and the rules of today."""

    documents: int
    first: str
    parser: str


def outdated(ctx: Context) -> Outdated:
    """The documents whose current revision was read by older rules than those of today."""
    with ctx.db.read() as tx:
        return outdated_in(tx)


def outdated_in(tx: Transaction) -> Outdated:
    """The same in an open transaction."""
    from curator.parsing import PARSER

    old = [line for line in documents.by_parser(tx) if is_older(line.parser, PARSER)]
    first = min((line.first for line in old), default="")
    return Outdated(documents=sum(line.documents for line in old), first=first, parser=PARSER)


def outdated_ids(ctx: Context) -> list[str]:
    """Their ids, in order."""
    from curator.parsing import PARSER

    with ctx.db.read() as tx:
        return documents.read_by(tx, [line.parser for line in documents.by_parser(tx) if is_older(line.parser, PARSER)])


def is_older(parser: str, now: str) -> bool:
    """Whether rules are of an earlier version than those of now; other engines beside them are left out.

    "curator-pdf 1 + rapidocr 3.10.0" is older than "curator-pdf 2"; "curator-pdf 1-2" is not: it was read by
    rules 2, and is the same by rules 1. Rules of another name are older.
    """
    (name, number), (name_now, number_now) = (p.partition(_PLUS)[0].rpartition(" ")[::2] for p in (parser, now))
    number = number.rpartition("-")[2]
    if name != name_now or not (number.isdecimal() and number_now.isdecimal()):
        return name != name_now
    return int(number) < int(number_now)
