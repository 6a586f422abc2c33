"""Labels that structure a document: Article 7, Section 3, § 5, Annex 2, 제7조, 第三条, 5.3.1.

A label is read off the start of a paragraph. Whether it is a heading there or a mere reference is decided by what
follows it and by whether its number continues the count (`sections`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from curator.domain.identity import slug
from curator.parsing.rules import otherwise

# rank: how high a label stands when nothing else tells; annexes restart the count of everything below them
ANNEX, APPENDIX, PART, TITLE, CHAPTER, SECTION, ARTICLE, ITEM, NOTE, DECIMAL = (
    "annex", "appendix", "part", "title", "chapter", "section", "article", "item", "note", "decimal",
)  # fmt: skip
RANK: dict[str, float] = {
    ANNEX: 1, APPENDIX: 2, PART: 3, TITLE: 4, CHAPTER: 5, SECTION: 6, ARTICLE: 7, ITEM: 7.2, NOTE: 7.4, DECIMAL: 8,
}  # fmt: skip

_WORDS = {
    "annex": ANNEX, "annexe": ANNEX, "anhang": ANNEX, "anlage": ANNEX, "schedule": ANNEX, "exhibit": ANNEX,
    "attachment": ANNEX, "anexo": ANNEX, "allegato": ANNEX, "appendix": APPENDIX, "appendice": APPENDIX,
    "part": PART, "teil": PART, "partie": PART, "parte": PART, "subpart": PART,
    "title": TITLE, "titre": TITLE, "título": TITLE, "titel": TITLE,
    "chapter": CHAPTER, "kapitel": CHAPTER, "chapitre": CHAPTER, "capítulo": CHAPTER,
    "section": SECTION, "sec": SECTION, "abschnitt": SECTION, "sección": SECTION,
    "article": ARTICLE, "art": ARTICLE, "artikel": ARTICLE, "artículo": ARTICLE, "articolo": ARTICLE,
    "§": SECTION, "§§": SECTION, "clause": ARTICLE, "item": ITEM, "note": NOTE,
}  # fmt: skip
_ROMAN = r"(?=[IVXLC])(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
_WORD_LABEL = re.compile(
    r"(?P<word>" + "|".join(re.escape(w) for w in sorted(_WORDS, key=len, reverse=True)) + r")\.?\s*"
    r"(?P<number>\d{1,4}(?:[.\-–]\d{1,3})*[A-Za-z]?(?![\w])|" + _ROMAN + r"(?![\w])|[A-Z](?![\w'’]))",
    re.IGNORECASE,
)
_BARE_ANNEX = re.compile(r"(annex|annexe|anhang|appendix|schedule|exhibit)(?=\s*$|\s*[-–—:])", re.IGNORECASE)
_KOREAN = re.compile(r"제\s*(\d+)\s*(편|장|절|관|조)(?:의\s*(\d+))?")
_HAN = re.compile(
    r"第\s*([〇零一二三四五六七八九十百千\d０-９]+)\s*(編|编|部|章|節|节|款|条|條)(?:の([一二三四五六七八九十\d]+))?"
)
_HAN_ANNEX = re.compile(r"(별\s*표|별\s*지|부\s*록|附件|附录|附錄|別表|別紙)\s*(?:第|제)?\s*(\d*)(?:호)?")
_ADDENDA = re.compile(r"(부\s*칙|附\s*[則则])(?=\s*$|\s*[<(（])")
_DECIMAL = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,7})(\.?)(?=\s|$)")
_LETTERED = re.compile(r"([A-Z](?:\.\d{1,3}){1,6})(\.?)(?=\s|$)")
_EAST = {"편": PART, "장": CHAPTER, "절": SECTION, "관": SECTION, "조": ARTICLE, "編": PART, "编": PART, "部": PART,
         "章": CHAPTER, "節": SECTION, "节": SECTION, "款": SECTION, "条": ARTICLE, "條": ARTICLE}  # fmt: skip
_HAN_DIGITS = {ch: i for i, ch in enumerate("〇一二三四五六七八九")} | {"零": 0}


@dataclass(frozen=True, slots=True)
class Label:
    """A structural label at the start of a paragraph.

    Attributes:
        text: The label as it is written, without a final dot: "Article 7", "5.3.1".
        kind: One of the ranks above.
        numbers: Its number as a tuple that can be counted on; empty when it has none.
        key: Its part of a source id: "article-7", "5.3.1".
        rest: What follows it in the paragraph.
        dotted: A decimal ended in a dot.
    """

    text: str
    kind: str
    numbers: tuple[int, ...]
    key: str
    rest: str
    dotted: bool = False


def read_label(text: str) -> Label | None:
    """The label that the text starts with, or None."""
    text = text.lstrip("\u200b\ufeff ")
    for reader in (_east, _latin, _decimal):
        label = reader(text)
        if label:
            return label
    return None


def _rest(text: str, end: int) -> str:
    return re.sub(r"^\s*(?:[.:：]|[-–—]+(?=\s))?\s*", "", text[end:])


def _east(text: str) -> Label | None:
    if m := _KOREAN.match(text):
        numbers = (int(m[1]), *((int(m[3]),) if m[3] else ()))
        name = f"제{m[1]}{m[2]}" + (f"의{m[3]}" if m[3] else "")
        return Label(name, _EAST[m[2]], numbers, slug(name), _rest(text, m.end()))
    if m := _HAN.match(text):
        numbers = (_han_number(m[1]), *((_han_number(m[3]),) if m[3] else ()))
        name = "".join(m[0].split())
        return Label(name, _EAST[m[2]], numbers, slug(name), _rest(text, m.end()))
    if m := _ADDENDA.match(text):
        name = "".join(m[1].split())
        return Label(name, ANNEX, (), slug(name), _rest(text, m.end()))
    if (m := _HAN_ANNEX.match(text)) and len(text) < 80:
        word = "".join(m[1].split())
        name = word + (f" {m[2]}" if m[2] else "")
        return Label(name, ANNEX, (int(m[2]),) if m[2] else (), slug(name), _rest(text, m.end()))
    return None


def _han_number(text: str) -> int:
    if text.isdigit():
        return int(text)
    total, digit = 0, 0
    for ch in text:
        if ch in _HAN_DIGITS:
            digit = _HAN_DIGITS[ch]
        else:
            total += (digit or 1) * {"十": 10, "百": 100, "千": 1000}.get(ch, 0)
            digit = 0
    return total + digit


def _latin(text: str) -> Label | None:
    m = _WORD_LABEL.match(text)
    if m is None:
        bare = _BARE_ANNEX.match(text)
        if bare and len(text) < 60:
            kind = _WORDS[bare[1].lower()]
            return Label(bare[1].capitalize(), kind, (), slug(bare[1]), _rest(text, bare.end()))
        return None
    word = m["word"].lower()
    kind = _WORDS[word]
    if not (m["word"][0].isupper() or m["word"][0] == "§"):
        return None
    number = m["number"]
    if len(number) == 1 and number.isalpha() and kind in (ARTICLE, SECTION) and number not in "IVX":
        return None
    if number.isalpha() and not number.isupper() and len(number) > 1:
        return None
    if len(number) == 1 and number.isalpha() and m.end("word") == m.start("number"):
        otherwise()
        return None  # a plural: "Parts", "Notes", "Annexes"
    name = f"{m['word'].capitalize() if word[0] != '§' else '§'} {number}"
    key = slug(
        f"{'section' if word[0] == '§' or word == 'sec' else 'article' if word == 'art' else word} {number}", dots=True
    )
    return Label(name, kind, _count(number), key, _rest(text, m.end()))


def _count(number: str) -> tuple[int, ...]:
    if number.isalpha():
        if re.fullmatch(_ROMAN, number):
            return (_roman(number),)
        return (ord(number[0].upper()) - 64,)
    parts = re.findall(r"\d+|[A-Za-z]", number)
    return tuple(int(p) if p.isdigit() else ord(p.lower()) - 96 for p in parts)


def _roman(text: str) -> int:
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
    total = 0
    for ch, after in zip(text, [*text[1:], ""], strict=True):
        value = values[ch]
        total += -value if after and values[after] > value else value
    return total


def _decimal(text: str) -> Label | None:
    m = _DECIMAL.match(text)
    if m:
        numbers = tuple(int(part) for part in m[1].split("."))
        if len(numbers) == 1 and not m[2] and not re.match(r"\s+[^\W\d_a-z]", text[m.end() :]):
            return None
        return Label(m[1], DECIMAL, numbers, m[1], _rest(text, m.end()), bool(m[2]))
    m = _LETTERED.match(text)
    if m:
        head, *tail = m[1].split(".")
        numbers = (ord(head) - 64, *(int(part) for part in tail))
        return Label(m[1], DECIMAL, numbers, m[1].lower(), _rest(text, m.end()), bool(m[2]))
    return None


_ITEM = re.compile(
    r"(?:[•●○◦▪■□◆◇►‣⁃∙·※–—-](?=\s)|\(?[a-z]{1,2}[).](?=\s)|\(?[ivx]{1,5}[).](?=\s)|\(?\d{1,3}\)(?=\s)|\(\d{1,3}\)"
    r"|\d{1,2}\.(?=\s)|[A-Z][.)](?=\s)|[①-⑳]|[가-하]\.(?=\s)|[ㄱ-ㅎ]\.(?=\s)|\(\s*[一二三四五六七八九十]+\s*\)|[一二三四五六七八九十]、)"
)


def is_item(text: str) -> bool:
    """Whether the text starts like an item of a list: a bullet, (a), 1), ①, 가."""
    return _ITEM.match(text) is not None


_BULLET = re.compile(r"[•●◦▪◆◇►‣⃁!\uf020-\uf0ff]\s+\S")


def is_bullet(text: str) -> bool:
    """Whether the text starts with a bullet that stands for nothing else: each one begins an item."""
    return _BULLET.match(text) is not None


_CAPTION = re.compile(
    r"(?:table|figure|fig|chart|diagram|tableau|tabelle|tabla|abbildung|box|plate)\.?\s*"
    r"(?P<a>(?:[IVX]+|[A-Z]{1,2})?[-.]?\d+(?:[.\-–]\d+)*[a-z]?|[IVX]+)(?=[\s.:)–—-]|$)"
    r"|(?:표|그림|表|图|圖|図)\s*(?P<b>\d+(?:[.\-–]\d+)*)"
    r"|(?:tabella|tabela|tabulka|tabuľka|tabell|tabel|taulukko|táblázat|tablo|tablica|таблица|таблиця|рисунок|рис|πίνακας"
    r"|טבלה|לוח|איור|(?:ال)?جدول|(?:ال)?شكل|bảng|तालिका)\.?\s*(?P<c>\d+(?:[.\-–]\d+)*)(?=[\s.:)–—-]|$)",
    re.IGNORECASE,
)


def caption_number(text: str) -> str | None:
    """The number of a caption ("Table 2. ..." gives "2"), or None when the text is no caption."""
    m = _CAPTION.match(text.lstrip("<[【〈 "))
    if m and m["c"]:
        otherwise()
    return (m["a"] or m["b"] or m["c"]) if m else None


_CONTENTS = re.compile(
    r"(?:table of )?contents|inhalt(?:sverzeichnis)?|sommaire|table des matières|índice|목\s*차|차\s*례|目\s*[次录錄]",
    re.IGNORECASE,
)


def is_contents(text: str) -> bool:
    """The heading of a table of contents."""
    return _CONTENTS.fullmatch(text.strip()) is not None
