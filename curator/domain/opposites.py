"""Words that turn a statement round: "higher" for "lower", "may not" for "may"."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import lru_cache

from curator.domain.numerals import in_digits, plain

_PAIRS = (
    "higher|lower, highest|lowest, more than|less than, more|fewer, at least|at most, minimum|maximum, before|after, "
    "above|below, over|under, earliest|latest, "
    "earlier than|later than, increase|decrease, increased|decreased, rose|fell, including|excluding, "
    "include|exclude, inside|outside, allowed|prohibited, permitted|prohibited, permitted|forbidden, lawful|unlawful, "
    "mandatory|optional, required|optional, always|never, all|none, with|without, first|last, must|need not, "
    "exceeds|falls below, longer|shorter, accepted|rejected, included|excluded, exempt|liable, "
    "mindestens|höchstens, "
    "frühestens|spätestens, höher|niedriger, vor|nach, mehr als|weniger als, über|unter, erlaubt|verboten, mit|ohne, "
    "zulässig|unzulässig, au moins|au plus, avant|après, supérieur|inférieur, plus de|moins de, avec|sans, "
    "autorisé|interdit, al menos|como máximo, antes|después, superior|inferior, más de|menos de, con|sin, "
    "permitido|prohibido, prima|dopo, almeno|al massimo, superiore|inferiore, "
    "이상|이하, 초과|미만, 최소|최대, 이전|이후, 허용|금지, 포함|제외, 以上|以下, 最低|最高, 之前|之后, 前|後, "
    "至少|至多, 最少|最多, 高于|低于, 大于|小于, 超过|不足, 許可|禁止, 允许|禁止, 必须|不必"
)
_SIDES = tuple((a.strip(), b.strip()) for pair in _PAIRS.split(", ") for a, b in [pair.split("|")])
_BY_WORD: dict[str, set[str]] = {}
for _one, _two in _SIDES:
    _BY_WORD.setdefault(_one, set()).add(_two)
    _BY_WORD.setdefault(_two, set()).add(_one)


_BOUND = {"within": {"after"}, "이내": {"이후"}, "이후": {"이내"}, "以内": {"以後", "以后"}}  # only beside a number
_BEFORE_NUMBER = re.compile(r"([^\W\d_]+(?: [^\W\d_]+)?) (?:the |as |an? )?\W{0,2}(\d+(?:[.,]\d+)*)")
_AFTER_NUMBER = re.compile(
    r"(\d+(?:[.,]\d+)*)[ ]?[^\W\d_]{1,4}? ?(이상|이하|초과|미만|이내|이후|이전|以上|以下|以内|以後|以后)"
)
_EAST = re.compile("[\u3040-\u9fff\uac00-\ud7ff]")
_IN_EAST = re.compile("|".join(sorted((w for w in _BY_WORD if _EAST.match(w)), key=len, reverse=True)))
_WORD = re.compile(r"[^\W\d_]+")
_MODAL = re.compile(
    r"\b(?P<modal>may|must|shall|can|is|are|does|do|will|need|should|has|have|be)\b(?P<neg>\s+(?:not|never|no)\b|n't\b|not\b)?"
    r"\s+(?:(?:only|also|then|be|been)\s+)?(?P<verb>[a-z]{3,})",
    re.IGNORECASE,
)


@lru_cache(maxsize=8192)
def _turning(text: str) -> frozenset[str]:
    said = _WORD.findall(text.casefold())
    found = {w for w in (*said, *map(" ".join, itertools.pairwise(said))) if w in _BY_WORD}
    return frozenset(found | set(_IN_EAST.findall(text)) if _EAST.search(text) else found)


@lru_cache(maxsize=8192)
def _modals(text: str) -> frozenset[tuple[str, bool]]:
    return frozenset((m["verb"].casefold()[:6], bool(m["neg"])) for m in _MODAL.finditer(text))


@lru_cache(maxsize=8192)
def _bounds(text: str) -> frozenset[tuple[str, str]]:
    """Words that bound a number, each with the number: ("at least", "6")."""
    words = frozenset(_WORD.findall(text.casefold()))
    if not _turning(text) and not words & _BOUND.keys() and text.isascii():
        return frozenset()
    said = in_digits(plain(text)).casefold()
    found = set()
    for match in _BEFORE_NUMBER.finditer(said):
        both = match[1]
        word = next((w for w in (both, both.rpartition(" ")[2]) if w in _BY_WORD or w in _BOUND), "")
        found |= {(word, match[2])} if word else set()
    return frozenset(found | {(m[2], m[1]) for m in _AFTER_NUMBER.finditer(said)})


def opposed(claim: str, evidence: str, asked: str = "") -> Iterator[tuple[str, str]]:
    """Words of a claim whose opposite the evidence has, while it has not the word itself, nor the claim the opposite.

    Args:
        claim: The answer or provision.
        evidence: All that it rests on.
        asked: The question: a word that it uses may be repeated.

    Yields:
        The word of the claim and its opposite in the evidence.
    """
    mine, theirs, known = _turning(claim), _turning(evidence), _turning(asked)
    for word in sorted(mine - theirs - known):
        for other in sorted(_BY_WORD.get(word, set()) & theirs - mine):
            yield word, other
            break
    bounds = _bounds(claim)
    there = _bounds(evidence) if bounds else frozenset()
    for word, number in sorted(bounds - there - _bounds(asked)) if bounds else ():
        for other in sorted(_BY_WORD.get(word, set()) | _BOUND.get(word, set())):
            if (other, number) in there:
                yield f"{word} {number}", f"{other} {number}"
                break
    yield from _denied(claim, evidence, asked)
    ours, said = _modals(claim), _modals(evidence)
    for verb, negated in sorted(ours - said):
        if not negated and _LIMITED.search(claim):
            continue  # "only in writing" is how one says "not by telephone"
        if (verb, not negated) in said and (verb, not negated) not in ours:
            yield (f"not {verb}", verb) if negated else (verb, f"not {verb}")


_LIMITED = re.compile(r"\b(?:only|other than)\b", re.IGNORECASE)
_DENIAL = re.compile(
    r"\b(?:not|never|no|none|nor|neither|without|cannot|nobody|nothing|nicht|kein\w*|nie|niemals|ohne|weder|"
    r"ne|n'\w+|pas|jamais|aucun\w*|sans|ni|ningún\w*|nunca|jamás|sin|non|nessun\w*|mai|senza|não|nenhum\w*|sem|geen|niet|"
    r"nooit|zonder|only|nur|seulement|solo)\b|n't\b|않|없|못|아니|금지|불가|제외|ない|ません|不|没|沒|无|無|未|禁",
    re.IGNORECASE,
)
_DIRECT = re.compile(
    r"\b(?:not|never|cannot|nicht|niemals|pas|jamais)\s+(?:(?:be|been|yet|in|a|an|the|also|to|any|mehr)\s+)*([^\W\d_]{4,})",
    re.IGNORECASE,
)
# "all repairs that are not small" says of none that they are small
_RELATIVE = re.compile(
    r"\b(?:all|any|every|everything|other)\b[^,.;]{0,30}"
    r"\b(?:that|which|who)\s+(?:is|are|was|were|do|does|has|have)\s+not\b"
)
_CLAUSE = re.compile(r"[.;|\n!?。]|(?<=[a-zà-ÿ]): ")
_ALIKE = 0.8
_SIX, _TWO, _FEW = 6, 2, 4


def _stem(word: str) -> str:
    return word[:_TWO] if _EAST.match(word) else word[:_SIX]


@lru_cache(maxsize=8192)
def _clauses(text: str) -> tuple[tuple[frozenset[str], bool, frozenset[str]], ...]:
    """Stems of the words of each clause, whether anything in it denies, and the stems that are denied directly."""
    found = []
    for part in _CLAUSE.split(plain(text).casefold()):
        stems = frozenset(_stem(w) for w in _WORD.findall(_DENIAL.sub(" ", part)) if len(w) >= _FEW or _EAST.match(w))
        if stems:
            found.append(
                (stems, bool(_DENIAL.search(part)), frozenset(map(_stem, _DIRECT.findall(_RELATIVE.sub(" ", part)))))
            )
    return tuple(found)


def _denied(claim: str, evidence: str, asked: str) -> Iterator[tuple[str, str]]:
    """A "not" that came or went: a word is denied where the evidence says it plainly, or a clause has lost its denial.

    The second way is asked only of clauses that say nearly the same words, and only where no clause of the evidence
    that is alike stands as the claim does.
    """
    if not _DENIAL.search(claim) and not _DENIAL.search(evidence):
        return
    there, questions = _clauses(evidence), _clauses(asked)
    everywhere = frozenset().union(*(d for _, _, d in there)) if there else frozenset()
    denials = any(no for _, no, _ in there)
    for stems, denies, direct in _clauses(claim):
        for word in sorted(direct - everywhere - frozenset().union(*(d for _, _, d in questions))):
            if any(word in s and not no for s, no, _ in there) and not any(word in s and no for s, no, _ in there):
                yield f"not {word}", word
                return
        if len(stems) < _FEW or not (denies or denials):
            continue
        alike = [
            no for s, no, _ in there if len(stems & s) >= _ALIKE * len(stems) and len(stems & s) >= _ALIKE * len(s)
        ]
        if alike and not any(no == denies for no in alike):
            yield ("a denial", "none") if denies else ("no denial", "one")
            return
