"""What became of a source in a new revision of its document, and what a person decides about it."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from curator.domain.document import Anchor
from curator.domain.model import Model
from curator.text import undivided

Verdict = Literal["SAME", "SAME_KTH", "MOVED_SIMILAR", "CHANGED", "AMBIGUOUS", "LOST"]
VERDICTS: tuple[Verdict, ...] = ("SAME", "SAME_KTH", "MOVED_SIMILAR", "CHANGED", "AMBIGUOUS", "LOST")
Difference = Literal["none", "spacing", "hyphenation", "numbering", "place", "wording", "meaning"]
DIFFERENCES: tuple[Difference, ...] = (
    "none", "spacing", "hyphenation", "numbering", "place", "wording", "meaning",
)  # fmt: skip
FORMAL: tuple[Difference, ...] = ("spacing", "hyphenation", "numbering")
"""Differences that can be accepted all at once: nothing but white space, hyphenation or a number of the section."""
Decided = Literal["waiting", "accepted", "chosen", "dropped", "superseded"]


class Candidate(Model):
    """A source of the new revision that may be the old one; score: 0 to 100, how alike the texts are."""

    source_id: str
    score: float


class Finding(Model):
    """The verdict on one source.

    Attributes:
        difference: The gravest difference between the old text and the one proposed: FORMAL ones change nothing that
            is said; `place`: the same text elsewhere; `wording`; `meaning`: a number, unit, negation or the like.
        target: What is proposed, "" = nothing.
        candidates: All that come into question, the likeliest first, `target` among them.
    """

    source_id: str
    verdict: Verdict
    score: float = 0.0
    difference: Difference = "none"
    target: str = ""
    candidates: tuple[Candidate, ...] = ()


class Piece(Model):
    """A part of the difference of two texts, in order: in both, only in the old (gone), or only in the new."""

    kind: Literal["both", "gone", "new"]
    text: str


SIGNS: dict[Literal["gone", "new"], tuple[str, str]] = {"gone": ("[-", "-]"), "new": ("{+", "+}")}
"""What stands around a piece that only one side has, wherever a difference is shown."""


class Wait(Finding):
    """A source that waits for a person since a revision of its document, or what was decided.

    Attributes:
        kind: chunk or row.
        document_id: Its document, and `revision`: the label of the revision that it is looked for in.
        cases: How many cases that are not retired cite it.
        state: waiting, or what a person decided.
        differs: Where the meaning differs, in what: "number", "unit", ...; () = nothing known.
    """

    kind: Literal["chunk", "row"]
    document_id: str
    revision: str
    cases: int = 0
    state: Decided = "waiting"
    differs: tuple[str, ...] = ()


class Comparison(Model):
    """A source that waits, with both sides in full.

    Attributes:
        wait: What waits.
        old: The anchor by which the source was known last; `old_revision`: the label of that revision.
        new: The anchor proposed, or that of the candidate that was asked for; None = nothing is proposed.
        pieces: The words that differ, in reading order.
    """

    wait: Wait
    old: Anchor
    old_revision: str
    new: Anchor | None
    pieces: tuple[Piece, ...] = ()


class Hit(Model):
    """A refusal for silence of the sources that new text of a revision seems to answer.

    Attributes:
        case_id: The case; `question`: its last turn.
        source_id: The strongest source among the new or changed ones, and its text.
        share: How much of the question it has, 0 to 1, rare words counting more.
    """

    case_id: str
    question: str = ""
    document_id: str
    revision: str
    source_id: str
    text: str = ""
    share: float
    state: Literal["waiting", "kept"] = "waiting"


_QUOTES = str.maketrans({**dict.fromkeys("‘’‚′", "'"), **dict.fromkeys("“”„″", '"'), **dict.fromkeys("‐‑‒–—−", "-")})


def settled(text: str) -> str:
    """The form in which two texts are the same: NFC, line breaks undone, white space single."""
    joined = undivided(text.replace("\u00ad", "").replace("\ufffe", ""))
    return " ".join(unicodedata.normalize("NFC", joined).split())


def _solid(text: str) -> str:
    return "".join(text.split())


def _unhyphened(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text.translate(_QUOTES))
    return re.sub(r"(?<=[^\W\d_])-(?=[^\W\d_])", "", _solid(plain))


_ROMAN_OR_NUMBER = r"(?-i:\d+[A-Za-z]?|[IVXLC]+|[A-Z])(?:[.\-]\d+)*(?![^\W_])"
_TIME = (
    "(?:jan|feb|mär|mar|apr|mai|may|jun|jul|aug|sep|okt|oct|nov|dez|dec|tag|woche|monat|jahr|quartal|stunde|werktag)"
)
_LABEL = re.compile(
    r"(?:^|(?<=\n))\s*(?:"
    r"(?:article|section|sec\.|art\.|annex|appendix|chapter|part|schedule|paragraph|title|artikel|abschnitt|anhang|"
    r"kapitel|teil|anlage|tabelle|table|figure|abbildung|section|chapitre|partie|annexe|tableau|artículo|capítulo|"
    rf"anexo|tabla|별표|표|표 |표\s|附件|表|§§?)\s*{_ROMAN_OR_NUMBER}(?:의\d+)?[.:)]?"
    r"|(?:제|第)\s*[\d一二三四五六七八九十百]+\s*(?:조|條|条|장|章|절|節|节|관|款|항|項|编|編|편)(?:의\s*\d+)?"
    r"|\d+(?:\.\d+){2,}\.?(?=\s)"
    rf"|\d{{1,3}}(?:\.\d{{1,3}})?\.(?=\s+(?!{_TIME})\S)"
    r"|\(\d{1,3}\)|\d{1,3}\)(?=\s)|\([a-z]{1,4}\)|[a-z]\)(?=\s)|[①-⑳]|[가-하]\.(?=\s)"
    r")\s*",
    re.IGNORECASE,
)


def unnumbered(text: str) -> str:
    """A text without the numbers that its lines begin with: "Article 7", "5.3.1.", "(a)"; settled."""
    before, plain = None, text
    while plain != before:
        before, plain = plain, _LABEL.sub("", plain)
    return settled(plain)


def form_of(old: str, new: str) -> Difference:
    """How two texts differ, when it is in form alone; else "wording". Numbers and the like are not looked at here."""
    if settled(old) == settled(new):
        return "none"
    if _solid(settled(old)) == _solid(settled(new)):
        return "spacing"
    if _unhyphened(settled(old)) == _unhyphened(settled(new)):
        return "hyphenation"
    return "numbering" if unnumbered(old) == unnumbered(new) else "wording"


def graver(*differences: Difference) -> Difference:
    """The gravest of them."""
    return max(differences, key=DIFFERENCES.index)
