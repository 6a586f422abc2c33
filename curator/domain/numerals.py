"""Numbers as people write them: digits with any marks between them, and words of several languages as digits.

Words of European languages are read by text2num; those of Korean, Chinese and Japanese here.
"""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from functools import lru_cache

from text_to_num import alpha2digit

from curator.text import undivided

SPELLED = frozenset({"en", "de", "fr", "es", "it", "pt", "nl", "da"})
"""Languages whose number words are read; an unknown language is read as English."""
_POINT = frozenset({"en", "zh", "ja", "ko", "th", "he"})
_LONG_SCALE = frozenset({"de", "fr", "es", "it", "pt", "nl", "da"})  # of these, "billion" is a million millions

EXPONENT = "\ue000"
"""Stands after digits, with the exponent of ten as its distance: chr(ord(EXPONENT) + 6) is "million"."""
_SCALES = {
    2: "hundred hundert",
    3: "thousand thousands tsd tausend mille mil mila k",
    5: "lakh lakhs",
    6: "million millions mio mill millionen millones millón milioni milione milhões milhão miljoen m mn mm",
    7: "crore crores",
    9: "milliard milliards milliarde milliarden mrd miliardi miliardo miljard bn b",
    12: "trillion trillions billionen billones tn",
}
_SCALE = {word: exponent for exponent, words in _SCALES.items() for word in words.split()}
_SCALED = re.compile(
    r"(?P<money>[$€£¥₩₹]\s?)?(?P<digits>\d(?:[\d.,'\u00a0\u202f]*\d)?)(?:\s?|-)"
    r"(?P<word>[^\W\d_]{1,9})\.?(?![^\W_])(?!\s?[/^])"
)
_EAST_DIGITS = {c: n for n, cs in enumerate(("零〇영공", "一壱일", "二贰両两兩이", "三叁삼",
                                              "四사", "五오", "六육", "七칠",
                                              "八팔", "九구")) for c in cs}  # fmt: skip
_EAST_TENS = {"十": 1, "십": 1, "百": 2, "백": 2, "千": 3, "천": 3}
_EAST_SCALES = {"万": 4, "萬": 4, "만": 4, "億": 8, "亿": 8, "억": 8, "兆": 12, "조": 12}
_HAN = "零〇一二三四五六七八九十百千万萬億亿兆两兩"
_HANGUL = "일이삼사오육칠팔구십백천만억조"
_COUNTED = "年月日天周週個个小時时分秒円元歳岁歲人名次回件倍度章条條度页頁"
_COUNTED_KO = "(?:일|년|개월|주|시간|분|초|원|퍼센트|회|명|배|달러|유로|킬로|미터|조|항|세)"
_EAST = re.compile(
    rf"\d[\d.,]*\s?[천백십千百]?[만萬万억億亿조兆](?:\s?\d[\d,]*\s?[천백千百]?[만萬万억億亿]?)*"
    rf"|\d[\d.,]*[천千](?=\s?(?:{_COUNTED_KO}|[{_COUNTED}]))"
    rf"|(?!百分之)[{_HAN}]+(?=\s?[%{_COUNTED}])|(?<=百分之)[{_HAN}]+|[{_HAN}]{{3,}}"
    rf"|(?<![가-힣])(?=[{_HANGUL}]*[십백천만억])[{_HANGUL}]+(?=\s?{_COUNTED_KO})"
)
_NATIVE = {"한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10,
           "열두": 12, "스무": 20}  # fmt: skip
_NATIVE_KO = re.compile(
    r"(?<![가-힣])(열두|다섯|여섯|일곱|여덟|아홉|스무|한|두|세|네|열)(?= ?(?:시간|개월|달|번|명|살|주|가지|차례|배|"
    r"개|장|일))"
)
_SMALL = "one|two|three|four|five|six|seven|eight|nine"
# "six-time", but not "sixty-five": text2num takes the former for one word
_HYPHENED = re.compile(
    rf"\b({_SMALL}|ten|twelve|(?:twenty|thirty|forty|fifty|sixty|ninety)(?=-(?!{_SMALL})))-(?=[a-z])", re.IGNORECASE
)
_DIGIT = re.compile(r"\d")
_VULGAR = {"½": "5", "¼": "25", "¾": "75"}
_RAISED = re.compile("[⁻⁺]?[¹²³⁰⁴-⁹]+")
_MARK = re.compile(r"\[\^[^\]]{0,12}\]")
_DASHES = re.compile("[\u2010-\u2015\u2212\u2043]")
# what folding would change: spaces that group digits, signs of units
_KEPT = dict(zip(map(ord, "\u00a0\u202f\u2009²³℃℉"), "\ue100\ue100\ue100\ue101\ue102\ue103\ue104", strict=True))
_GIVEN_BACK = {0xE100: "\u00a0", 0xE101: "²", 0xE102: "³", 0xE103: "℃", 0xE104: "℉", 0x2019: "'"}
SCIENCE = re.compile(r"\s?[×x·*]\s?10\^?([-+]?\d{1,2})(?!\d)")


def plain(text: str) -> str:
    """Compatibility forms folded without fusing a footnote mark or a raised digit with the number before it.

    A word that the end of a line divides is one: "10 mil-" and "lion".
    """
    text = _MARK.sub(" ", text)
    if "\n" in text:
        text = undivided(text)
    if text.isascii():
        return text
    text = text.replace("\u00ad", "").replace("\ufffe", "").replace("，", ", ")
    text = re.sub(r"(\d?)([½¼¾])", lambda m: f"{m[1] or 0}.{_VULGAR[m[2]]}", text)
    text = _RAISED.sub(_raised, text)
    return _DASHES.sub("-", unicodedata.normalize("NFKC", text.translate(_KEPT)).translate(_GIVEN_BACK))


def _raised(match: re.Match[str]) -> str:
    """A raised digit is the power of ten in "6 × 10¹¹", a part of "m²", and else the mark of a footnote."""
    before = match.string[max(0, match.start() - 4) : match.start()]
    if re.search(r"[cdk]?m$", before):
        return match[0]
    return "^" + match[0] if re.search(r"(?:^|[×x·*\s])10$", before) else ""


_SAYINGS = {
    "a fortnight": "14 days", "one fortnight": "14 days", "half a day": "12 hours", "half an hour": "30 minutes",
    "half a year": "6 months", "half a million": "500000", "a dozen": "12", "half a dozen": "6",
    "one and a half": "1.5", "two and a half": "2.5", "three and a half": "3.5", "a day and a half": "36 hours",
    "three quarters of an hour": "45 minutes", "a quarter of an hour": "15 minutes", "anderthalb": "1.5",
    "eineinhalb": "1.5", "zweieinhalb": "2.5", "eine halbe stunde": "30 minuten", "ein halbes jahr": "6 monate",
    "une demi-heure": "30 minutes", "media hora": "30 minutos", "mezz'ora": "30 minuti",
    "이틀": "2일", "사흘": "3일", "나흘": "4일", "닷새": "5일", "엿새": "6일", "이레": "7일", "여드레": "8일",
    "아흐레": "9일",
    "열흘": "10일", "보름": "15일", "반나절": "6시간", "반년": "6개월",
}  # fmt: skip
_SAYING = re.compile(
    "|".join(
        rf"\b{w}\b" if w.isascii() else w for w in sorted(_SAYINGS, key=len, reverse=True)
    ),
    re.IGNORECASE,
)  # fmt: skip
_SPELLED_ELSEWHERE = SPELLED - {"en"}
_LETTERS = re.compile(r"[^\W\d_]+")
_CARDINALS = """
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty thirty forty fourty fifty sixty seventy eighty ninety hundred thousand million billion trillion zero
"""
_ORDINALS = """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
    sixteenth seventeenth eighteenth nineteenth twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth
    ninetieth hundredth thousandth millionth billionth trillionth
"""
_ENGLISH = frozenset(w + end for w in (_CARDINALS + _ORDINALS).split() for end in ("", "s", "es"))
"""Words without one of which nothing is spelled in an English text: looking for them is far cheaper than reading it."""
_MAY_SAY = re.compile(
    "half|fortnight|dozen|quarter|halb|demi|media|mezz|틀|흘|닷새|엿새|이레|드레|흐레|보름|반", re.IGNORECASE
)


def in_digits(text: str, language: str = "") -> str:
    """The text with number words as digits, and with scales after digits as an exponent mark.

    Args:
        text: As `plain` gives it.
        language: Tag of its language; "" = unknown.
    """
    base = language.partition("-")[0].casefold()
    if _MAY_SAY.search(text):
        text = _SAYING.sub(lambda m: _SAYINGS[m[0].casefold()], text)
    if "-" in text:
        text = _HYPHENED.sub(r"\1 ", text)
    if not text.isascii():
        text = _NATIVE_KO.sub(lambda m: str(_NATIVE[m[1]]), _EAST.sub(_east, text))
    if _DIGIT.search(text):
        text = _SCALED.sub(lambda m: _with_exponent(m, base), text)
    if base not in _SPELLED_ELSEWHERE and _ENGLISH.isdisjoint(_LETTERS.findall(text.casefold())):
        return text
    spelled = alpha2digit(text, base if base in SPELLED else "en", threshold=0)
    return spelled if spelled == text else _SCALED.sub(lambda m: _with_exponent(m, base), spelled)


def _with_exponent(match: re.Match[str], language: str) -> str:
    word = match["word"]
    low = word.casefold()
    exponent = _SCALE.get(low, 0)
    if low in ("billion", "billions"):
        exponent = 12 if language in _LONG_SCALE else 9
    # a lone letter is a scale after money, or as a capital M that no unit can be
    if not exponent or (len(low) <= 2 and low != "bn" and not match["money"] and word not in ("M", "K", "k")):
        return match[0]
    return f"{match['money'] or ''}{match['digits']}{chr(ord(EXPONENT) + exponent)}"


def _east(match: re.Match[str]) -> str:
    """A number of Korean, Chinese or Japanese, digits and words mixed ("1억 2천만"), as digits."""
    total = part = Fraction(0)
    digits = ""
    seen = False

    def taken() -> Fraction:
        nonlocal digits
        value = Fraction(digits.replace(",", "").rstrip(".") or "0")
        digits = ""
        return value

    try:
        for char in match[0]:
            if char.isdecimal() or char in ".,":
                digits += char
            elif char in _EAST_DIGITS:
                digits += str(_EAST_DIGITS[char])
            elif char in _EAST_TENS:
                had = bool(digits)
                part += (taken() if had else 1) * 10 ** _EAST_TENS[char]
            elif char in _EAST_SCALES:
                part += taken()
                total += (part or 1) * 10 ** _EAST_SCALES[char]
                part = Fraction(0)
            seen = True
        total += part + taken()
    except (ValueError, ZeroDivisionError):
        return match[0]
    if not seen:
        return match[0]
    return str(total.numerator) if total.denominator == 1 else str(float(total))


_SPACES_WITHIN = re.compile(r"(?<=\d)['\u00a0 ](?=\d{3}(?!\d))")
_MARKED = re.compile(r"\d+(?:[.,]\d+)*")


@lru_cache(maxsize=16384)
def readings(digits: str, language: str = "") -> frozenset[Fraction]:
    """The numbers that digits with marks between them may mean: "1.500" is 1500 or 1.5; empty when none.

    Args:
        digits: Digits with "." "," "'" or spaces between them.
        language: Tag of the language they stand in, which may decide; "" = both ways are taken.
    """
    spaced = digits if digits.isdecimal() else _SPACES_WITHIN.sub("", digits)
    if not _MARKED.fullmatch(spaced):
        return frozenset()
    marks = [c for c in spaced if c in ".,"]
    if not marks:
        return frozenset({Fraction(spaced)})
    if len(set(marks)) == 2:
        last = marks[-1]
        if marks.count(last) > 1 or marks[:-1].count(marks[0]) != len(marks) - 1:
            return frozenset()
        return frozenset({Fraction(spaced.replace(marks[0], "").replace(last, "."))})
    mark, groups = marks[0], re.split("[.,]", spaced)
    grouped = _is_grouped(groups)
    whole = frozenset({Fraction("".join(groups))}) if grouped else frozenset()
    if len(groups) > 2:
        return whole
    decimal = frozenset({Fraction(".".join(groups))})
    if not grouped:
        return decimal
    if language:
        point = "." if language.partition("-")[0].casefold() in _POINT else ","
        return decimal if mark == point else whole
    return whole | decimal


def _is_grouped(groups: list[str]) -> bool:
    """Whether groups are those of thousands (or of lakhs and crores, with groups of two)."""
    first, *rest = groups
    if not 1 <= len(first) <= 3 or first.startswith("0") or len(rest[-1]) != 3:
        return False
    return all(len(g) == 3 for g in rest) or (len(first) <= 2 and len(rest) > 1 and all(len(g) == 2 for g in rest[:-1]))
