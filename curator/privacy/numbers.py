"""Numbers that stand for a person: cards, accounts, telephones, identity numbers.

A bare number is taken only when its shape or a check digit over a long number makes chance unlikely; with a label before
it ("BSN", "passport no."), the number after the label is taken as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from stdnum import iban as _iban
from stdnum import luhn
from stdnum.cn import ric
from stdnum.es import dni, nie
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.gb import nhs
from stdnum.in_ import aadhaar, pan
from stdnum.it import codicefiscale
from stdnum.kr import brn
from stdnum.se import personnummer

from curator.privacy.finding import Finding
from curator.privacy.phones import is_phone

_RUN = re.compile(
    r"(?<![A-Za-z\d._/#=-])(?<!\d,)[+(]{0,2}\d[\d ().\-–/\u00a0]{4,26}\d(?:\s?[xX]\s?\d{1,6})?(?![A-Za-z\d_]|[.,:]\d|[-/]\d)"
)
_CHUNK = re.compile(r"\d[\d ().\-–/+#xX\u00a0]{4,40}\d")
"""Digits that may be one number: how many there are says what need not be looked for."""
_BARE = re.compile(r"(?<!\d)\d[\d -]{5,24}\d(?!\d)")
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]{2,4}){3,8}(?![A-Za-z0-9])")
_RRN = re.compile(r"(?<!\d)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]) ?[-–] ?[1-8]\d{6}(?!\d)")
_SSN = re.compile(r"(?<![\d-])(?!000|666)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])")
_NINO = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D](?![A-Za-z0-9])")
_LICENCE_KR = re.compile(r"(?<![\d-])\d{2}-\d{2}-\d{6}-\d{2}(?![\d-])")
_CPF = re.compile(r"(?<!\d)\d{3}\.\d{3}\.\d{3}-\d{2}(?!\d)")
_ALNUM = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-Z]{6}\d[\dLMNP-V][A-Z]\d{2}[A-Z]\w{3}[A-Z]|[XYZ]\d{7}[A-Z]|\d{8}[A-Z]|[A-Z]{5}\d{4}[A-Z]"
    r"|\d{6}[-+A]\d{3}[\dA-Y])(?![A-Za-z0-9])"
)
_CARD_WORD = re.compile(
    r"(?i)(?:card|credit|debit|visa|amex|mastercard|\bcc\b|kart|carte|tarjeta|carta|카드|卡|カード)[^\n]{0,30}$"
)
_ISSUERS = re.compile(r"4|5[1-5]|2[2-7]|3[4-9]|30|6|50|5[6-8]|1800|2131")


def _checked(module: object) -> Callable[[str], bool]:
    valid: Callable[[str], bool] = module.is_valid  # type: ignore[attr-defined]
    return valid


_ALNUM_VALID = tuple(_checked(m) for m in (codicefiscale, dni, nie, hetu))


def find_numbers(text: str) -> Iterator[Finding]:
    """Findings in a text that has digits."""
    yield from _ibans(text)
    longest = max((sum(map(str.isdigit, m[0])) for m in _CHUNK.finditer(text)), default=0)
    if longest >= 9:
        for pattern, kind in ((_RRN, "kr_rrn"), (_SSN, "ssn"), (_LICENCE_KR, "driver_license"), (_CPF, "national_id")):
            for m in pattern.finditer(text):
                yield Finding(*m.span(), kind)
    for m in _NINO.finditer(text):
        yield Finding(*m.span(), "uk_nino")
    for m in _ALNUM.finditer(text):
        if any(valid(m[0]) for valid in _ALNUM_VALID):
            yield Finding(*m.span(), "national_id")
        elif pan.is_valid(m[0]):
            yield Finding(*m.span(), "tax_id")
    for m in _RUN.finditer(text) if longest >= 7 else ():
        yield from _of_run(text, m.start(), m[0])
    for m in _BARE.finditer(text) if longest >= 15 else ():
        yield from _glued(text, m)


def _ibans(text: str) -> Iterator[Finding]:
    for m in _IBAN.finditer(text):
        value = m[0]
        while len(value) >= 15:
            if _is_iban(value):
                yield Finding(m.start(), m.start() + len(value), "iban")
                break
            cut = max(value.rfind(" "), value.rfind("-"))
            value = value[:cut] if cut > 0 else ""


@lru_cache(4096)
def _is_iban(value: str) -> bool:
    return bool(_iban.is_valid(value, check_country=False))


def _glued(text: str, m: re.Match[str]) -> Iterator[Finding]:
    """Card and identity numbers that stand right beside letters or after a point, where a run is not looked for."""
    digits = re.sub(r"\D", "", m[0])
    if 15 <= len(digits) <= 16 and _is_card(digits):
        yield Finding(*m.span(), "credit_card")
    elif len(digits) == 17 and m.end() < len(text) and text[m.end()] in "Xx" and ric.is_valid(digits + "X"):
        yield Finding(m.start(), m.end() + 1, "national_id")


def _of_run(text: str, start: int, run: str) -> Iterator[Finding]:
    run = run.rstrip(" (-–/.")
    after = text[start + len(run) : start + len(run) + 10]
    if run.count("(") > run.count(")") and "(" in run.lstrip("+(")[1:]:
        cut = run.rfind("(")
        rest, run = run[cut:], run[:cut].rstrip(" -–/.")
        yield from _of_run(text, start + cut, rest)
    before = text[max(0, start - 40) : start]
    kind = _kind(run, before, after)
    if kind:
        yield Finding(start, start + len(run), kind)
        return
    # two numbers with a wide gap between them, or a number and what follows it
    for gap in re.finditer(r"[ \u00a0]{2,}|\s*/\s+|\s+/\s*", run):
        for part, at in ((run[: gap.start()], start), (run[gap.end() :], start + gap.end())):
            if (seen := _kind(part, text[max(0, at - 40) : at], "")) and len(part) > 6:
                yield Finding(at, at + len(part), seen)
        return


def _kind(run: str, before: str, after: str) -> str:
    digits = re.sub(r"\D", "", run)
    count = len(digits)
    if not 7 <= count <= 19:
        return ""
    if count >= 12 and "+" not in run:
        if _is_card(digits) and (count >= 14 or _CARD_WORD.search(before)) and _grouped(run):
            return "credit_card"
        if (count == 18 and ric.is_valid(digits)) or (count == 15 and nir.is_valid(digits)):
            return "national_id"
        if count == 12 and re.fullmatch(r"[2-9]\d{3}[ -]\d{4}[ -]\d{4}", run) and aadhaar.is_valid(digits):
            return "national_id"
    if re.fullmatch(r"\d{3}-\d{2}-\d{5}", run) and brn.is_valid(digits):
        return "tax_id"
    if re.fullmatch(r"\d{6}[-+]\d{4}", run) and personnummer.is_valid(run):
        return "national_id"
    if re.fullmatch(r"\d{3} \d{3} \d{4}", run) and re.search(r"(?i)\bnhs\b", before) and nhs.is_valid(digits):
        return "medical_record"
    return "phone" if is_phone(run, before, after) else ""


def _grouped(run: str) -> bool:
    """The groups of a card: none, fours, or 4-6-5; "2024 0001 23 7 ..." is no card, whatever its check digit."""
    groups = [len(g) for g in re.split(r"\D+", run) if g]
    return (
        len(groups) == 1 or (all(g == 4 for g in groups[:-1]) and groups[-1] <= 4) or groups in ([4, 6, 5], [4, 6, 4])
    )


@lru_cache(4096)
def _is_card(digits: str) -> bool:
    if len(digits) == 13 and digits[:2] in ("88", "97"):  # an article or book number
        return False
    return 12 <= len(digits) <= 19 and _ISSUERS.match(digits) is not None and bool(luhn.is_valid(digits))
