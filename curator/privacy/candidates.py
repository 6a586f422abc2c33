"""What a person should look at once more: not replaced, only shown, when a text is confirmed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from curator.privacy.finding import Finding, placeholders, resolved, touches
from curator.privacy.labeled import DATE
from curator.privacy.people import NAME
from curator.privacy.secrets import find_net

_PAIR = re.compile(rf"(?<![.!?:] )(?<!^)(?<!\w)(?={NAME}\s){NAME}(?:\s+[A-Z][\w'’-]+)")
_DATE = re.compile(DATE, re.I)
_LONG = re.compile(r"(?<!\w)\d(?:[ .-]?\d){5,}(?!\w)")
_PLACE = re.compile(
    r"(?i)\b(?:street|road|avenue|lane|apartment|flat|house number|postcode|zip|straße|strasse|hausnummer)\b|번지|아파트"
)
_HANGUL = re.compile(r"(?<![가-힣])[가-힣]{2,3}(?=(?:은|는|이|가|님|씨|의|에게|한테)(?:\s|$))")


def candidates(text: str, found: Iterable[Finding] = ()) -> list[Finding]:
    """Soft candidates beside what was found: capitalised pairs, dates, long numbers, address words, short Hangul words.

    Args:
        text: As it is stored, placeholders in it.
        found: What the detector finds; nothing is given twice.
    """
    taken = sorted([(f.start, f.end, f.kind) for f in found] + placeholders(text))
    seen = [f for f in find_net(text) if f.kind == "url"]
    for pattern, kind in ((_PAIR, "name"), (_DATE, "date"), (_LONG, "number"), (_PLACE, "place"), (_HANGUL, "name")):
        seen += [Finding(*m.span(), kind) for m in pattern.finditer(text)]
    return resolved(f for f in seen if not touches(taken, f))
