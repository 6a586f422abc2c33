"""Telephone numbers: shapes that people write, checked by phonenumbers."""

from __future__ import annotations

import re
from functools import lru_cache

_REGIONS = ("US", "GB", "KR", "DE", "FR", "JP", "CN", "IN", "AU", "IT", "ES", "NL", "BR", "MX", "CH", "AT", "SE", "DK")
_ZERO = ("GB", "KR", "DE", "FR", "JP", "AU", "NL", "CH", "AT", "SE", "IT", "IN", "CN")
_WORD = re.compile(
    r"(?i)(?:\b(?:tel|telephone|phone|phones|call|called|calling|mobile|cell|cellphone|fax|contact|reach|dial|ring|text me"
    r"|whatsapp|sms|telefon|handy|mobil|téléphone|portable|numéro est|teléfono|móvil|celular|telefono|cellulare|office"
    r"|desk|answering at|registered|my number(?: is)?|his number|her number)\b|전화|연락처|휴대폰|핸드폰|폰번호|手机|手機|电话|電話|携帯)"
    r"[^\d+(\n]{0,24}[+(]{0,2}$"
)
_WORD_AFTER = re.compile(r"(?i)[ -]?\(?(?:office|fax|mobile|cell|desk|home|work|tel)\b")
_OTHER_WORD = re.compile(
    r"(?i)\b(?:invoice|order|case|ticket|reference|ref|article|version|sku|model|isbn|issn|serial|code|room|rows?"
    r"|contract|policy|booking|tracking|bill|item|part|form|regulation|iso|rfc|din|page|pages|pp|years?|section|no)"
    r"\b[\s.:#]*(?:no|number|nr|is)?[\s.:#]*$|(?:주문|계약|문서|관리|접수|상품|모델)\s*번호[^\d]{0,4}$"
)
_DATE = re.compile(
    r"\d{4}[./-]\d{1,2}[./-]\d{1,2}(?:\s+\d{1,2})?|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?:\s+\d{1,2})?|(?:19|20)\d{2}\s?[-–/]\s?(?:19|20)\d{2}|(?:19|20)\d{2}(?:0[1-9]|1[0-2])[0-3]\d"
)
_AMERICAN = re.compile(r"(?:\+?1[ .-]?)?(?:\([2-9]\d{2}\)|[2-9]\d{2})[ .-]? ?\d{3}[ .-]\d{4}|\([2-9]\d{2}\) ?\d{7}")
_PAIRED = re.compile(
    r"0\d(?:[ .-]\d{2}){4}|0\d{2,5} ?[ -/] ?\d{3,8}|0\d{1,4}(?:[ .-]\d{2,4}){2,4}|01[016789]\d{7,8}|1[3-9]\d{9}"
)
_TRUNK = re.compile(r"\(?0\d")


def is_phone(run: str, before: str, after: str = "") -> bool:
    """Whether a run of digits and signs is a telephone number.

    Args:
        run: Digits with spaces, points, dashes, slashes and brackets.
        before: The forty characters before it: "call me at" makes a number one, "invoice" makes it none.
        after: The ten after it: "office", "-Fax".
    """
    run, _, _extension = re.sub(r"\s?[xX]\s?(?=\d{1,6}$)", "x", run).partition("x")
    digits = re.sub(r"\D", "", run)
    if not 7 <= len(digits) <= 15 or _DATE.fullmatch(run):
        return False
    if run.startswith(("+", "(+")) or (run.startswith("00") and len(digits) > 9):
        return _possible("+" + digits.removeprefix("00") if not run.startswith(("+", "(+")) else "+" + _untrunked(run))
    labeled = _WORD.search(before) is not None or _WORD_AFTER.match(after) is not None
    if not labeled and _OTHER_WORD.search(before):
        return False
    if re.fullmatch(r"\d+(?:\.\d+){3,}", run) and not labeled and not run.startswith("0"):
        return False
    if labeled:
        return True
    if _AMERICAN.fullmatch(run):
        return True
    if run.startswith("01") or _TRUNK.match(run) or (len(digits) == 11 and digits[0] == "1"):
        return _PAIRED.fullmatch(run) is not None and _valid_somewhere(digits)
    return False


def _untrunked(run: str) -> str:
    """The digits after the plus, without the "(0)" that is not dialed from abroad."""
    return re.sub(r"\D", "", run.replace("(0)", ""))


@lru_cache(4096)
def _possible(number: str) -> bool:
    import phonenumbers

    try:
        return bool(phonenumbers.is_possible_number(phonenumbers.parse(number, None)))
    except phonenumbers.NumberParseException:
        return False


@lru_cache(4096)
def _valid_somewhere(digits: str) -> bool:
    import phonenumbers

    for region in _ZERO if digits[0] == "0" else _REGIONS:
        try:
            if phonenumbers.is_valid_number(phonenumbers.parse(digits, region)):
                return True
        except phonenumbers.NumberParseException:
            return False
    # numbers reserved for examples (010-0000-1234) are of no subscriber, and no less a number
    return digits.startswith(("010", "011", "016", "017", "018", "019")) and len(digits) in (10, 11)
