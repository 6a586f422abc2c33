"""The encoding of a text file: BOM, strict UTF-8, the pattern of NULs, charset-normalizer; else it is asked for."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from typing import NamedTuple

from curator.errors import UsageError

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CANDIDATES = [
    "cp949", "cp932", "gb18030", "big5", "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "euc_jp", "koi8_r",
]  # fmt: skip
_SAMPLE = 200_000
_SCRIPTS = {
    "cp949": re.compile("[가-힣]"),
    "cp932": re.compile("[ぁ-んァ-ヶ]"),
    "euc_jp": re.compile("[ぁ-んァ-ヶ]"),
    "gb18030": re.compile("[一-龥]"),
    "big5": re.compile("[一-龥]"),
    "cp1251": re.compile("[а-яА-Я]"),
    "koi8_r": re.compile("[а-яА-Я]"),
}
_COMMON_HAN = set(
    "的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正新名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思非流每青管夫连远资队跟带花快条院变联言权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版双历越史商千片容研像找友孩站广改议形委早房音火际则首单据导影失拿网香似斯专石若兵弟谁校读志飞观争究包组造落视济喜离虽坏害需药号险赔付款保单"
)


class Unsure(UsageError):
    """The encoding is not sure: a person must say. `choices` are those in which the file can be read at all."""

    def __init__(self, name: str, choices: tuple[str, ...]) -> None:
        listed = ", ".join(choices) or "none that we know"
        super().__init__(
            f"{name}: its encoding is not sure; it could be {listed}", "name it with --encoding, and look at --dry-run"
        )
        self.choices = choices


class Encoding(NamedTuple):
    """An encoding, and how it was found: "BOM", "UTF-8", "NUL pattern", "charset-normalizer", "given"."""

    name: str
    by: str


class EncodingCheck:
    """Takes a file's bytes in order and says how they are encoded. One pass, nothing kept but a sample."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("strict")
        self._head = b""
        self._odd = b""
        self._is_utf8 = True
        self._newlines = [0, 0, 0]
        self._last = b""

    def feed(self, data: bytes) -> None:
        """The next bytes."""
        if len(self._head) < _SAMPLE:
            self._head += data[: _SAMPLE - len(self._head)]
        if self._is_utf8:
            try:
                self._decoder.decode(data)
            except UnicodeDecodeError as error:
                self._is_utf8 = False
                self._odd = data[max(0, error.start - 2000) : error.start + 20_000]
        crlf, lf, cr = data.count(b"\r\n"), data.count(b"\n"), data.count(b"\r")
        if self._last == b"\r" and data[:1] == b"\n":
            crlf += 1
        self._newlines[0] += crlf
        self._newlines[1] += lf - crlf
        self._newlines[2] += cr - crlf
        self._last = data[-1:]

    @property
    def mixed_newlines(self) -> bool:
        """Whether some lines end in CR alone and others do not; a line feed within a quoted cell is no such thing."""
        return self._newlines[2] > 0 and sum(self._newlines[:2]) > 0 and not _by_nuls(self._head)

    def found(self, name: str) -> Encoding:
        """The encoding.

        Raises:
            Unsure: Nothing speaks clearly for one.
        """
        for mark, encoding in _BOMS:
            if self._head.startswith(mark):
                return Encoding(encoding, "BOM")
        pattern = _by_nuls(self._head)
        if pattern:
            return Encoding(pattern, "NUL pattern")
        if self._is_utf8:
            return Encoding("utf-8", "UTF-8")
        return _guessed(name, self._odd if self._head.isascii() else self._head)


def _by_nuls(head: bytes) -> str:
    """UTF-16 without a BOM: every other byte of plain text is NUL."""
    if len(head) < 8 or b"\x00" not in head:
        return ""
    half = len(head) // 2
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > 0.3 * half and even < 0.05 * half:
        return "utf-16-le"
    return "utf-16-be" if even > 0.3 * half and odd < 0.05 * half else ""


def _guessed(name: str, sample: bytes) -> Encoding:
    readable = {e: text for e in _CANDIDATES if (text := _decoded(sample, e)) is not None}
    scores = {e: _plausible(e, text) for e, text in readable.items()}
    from charset_normalizer import from_bytes

    best = from_bytes(sample, cp_isolation=_CANDIDATES, threshold=0.4).best()
    if best is not None:
        names = {best.encoding, *best.could_be_from_charset}
        for e in scores:
            scores[e] += 0.15 * (e in names)
    ranked = sorted(scores, key=lambda e: (-scores[e], _CANDIDATES.index(e)))
    if ranked and scores[ranked[0]] >= 0.6 and (len(ranked) == 1 or scores[ranked[0]] - scores[ranked[1]] >= 0.1):
        return Encoding(ranked[0], "charset-normalizer")
    raise Unsure(name, tuple(ranked[:4]))


def _decoded(sample: bytes, encoding: str) -> str | None:
    try:
        return codecs.getincrementaldecoder(encoding)("strict").decode(sample)
    except UnicodeDecodeError:
        return None


_WESTERN = set("äöüßÄÖÜéèêëàâçîïôùûœæñáíóúÁÉÍÓÚÑ¿¡ãõåøÅØÆ€–—„“”‘’‚…§°·«»£©®™´`²³½")
_CENTRAL = set("ąćęłńóśźżĄĆĘŁŃÓŚŹŻčďěňřšťůžČĎĚŇŘŠŤŮŽáéíýúőűŐŰăâîșțşţđ€–—„“”’…§°")


def _plausible(encoding: str, text: str) -> float:
    """How much of what is not ASCII is what people write in this encoding, 0 to 1."""
    odd = [c for c in text if ord(c) > 127]
    if not odd:
        return 0.0
    if any(0x80 <= ord(c) < 0xA0 or 0xE000 <= ord(c) < 0xF900 for c in odd):
        return 0.0
    share: float
    if encoding == "gb18030":
        han = [c for c in odd if "\u4e00" <= c <= "\u9fff" or c in "，。？！：；（）《》“”、"]
        common = sum(c in _COMMON_HAN or c in "，。？！：；（）《》“”、" for c in han)
        return (len(han) / len(odd)) * (0.4 + 0.6 * common / max(1, len(han)))
    if encoding == "big5":
        return 0.7 * sum("\u4e00" <= c <= "\u9fff" for c in odd) / len(odd) * _common(odd)
    if encoding in _SCRIPTS:
        script = _SCRIPTS[encoding]
        share = sum(bool(script.match(c)) or c in "、。「」・ー" for c in odd) / len(odd)
        if encoding in ("cp932", "euc_jp"):
            kana = share
            share = 0.0 if not kana else min(1.0, kana + sum("\u4e00" <= c <= "\u9fff" for c in odd) / len(odd))
            half = sum("\uff61" <= c <= "\uff9f" for c in odd) / len(odd)
            share *= 1 - half
        if encoding in ("cp1251", "koi8_r"):
            lower = sum(c.islower() for c in odd) / len(odd)
            share *= lower  # the wrong one of the two turns small letters into capitals
        return share
    letters = _CENTRAL if encoding == "cp1250" else _WESTERN
    share = sum(c in letters for c in odd) / len(odd)
    glued = len(re.findall(r"[^\x00-\x7f]{3,}", text))
    return (
        share * (0.9 if encoding == "cp1250" else 1.0) / (1 + glued)
        if encoding in ("cp1252", "cp1250")
        else 0.3 * share
    )


def _common(odd: Iterable[str]) -> float:
    han = [c for c in odd if "\u4e00" <= c <= "\u9fff"]
    return sum(c in _COMMON_HAN for c in han) / max(1, len(han))
