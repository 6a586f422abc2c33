"""Whether an answer states a phrase: as its own claim, not as something that it denies, corrects or calls outdated.

A phrase is found by its words (number words as digits, case and white space aside, never inside another number), or,
when it is a value, by a value that is the same with its unit: "$10M" in "10 million dollars", "24 hours" in "1 day".
"There is no penalty of $10M" does not state "$10M"; "no later than 48 hours" does state "48 hours".

English, German, French, Spanish, Italian, Portuguese, Dutch, Korean, Japanese and Chinese are read. What denies is
looked for in the clause of the phrase alone, so that "No, the penalty is $10M" states it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from curator.domain.cautioning import cautions, forbidden, not_bad
from curator.domain.numerals import in_digits, plain
from curator.domain.phrases import share, words
from curator.domain.reversing import taken_back
from curator.domain.units import MONEY
from curator.domain.values import Value, bears_out, values

ALIKE = 0.75
"""So many of the words beside its values must stand in a sentence for a phrase to be said in other words."""
_EAST = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_SENTENCE = re.compile(r"[.!?]\s+(?=\S)|[\n。！？;；]+")
_BREAK = re.compile(
    r"[:()\[\]，、]|(?<!\d),(?!\d)|(?<=\s)[–—-](?=\s)|\b(?:but|however|although|though|whereas|because|since|so"
    r"|instead|sondern|aber|jedoch|"
    r"weil|denn|mais|cependant|car|parce que|sino|pero|porque|ma|però|bensì|mas|porém|maar|want)\b|而是|但是?|因为|"
    r"지만|때문에|が、"
)
_CONDITION = re.compile(
    r"\b(?:that|who|which|whose|if|when|where|while|for|dass|wenn|falls|sofern|qui|que|si|lorsque|cuando|quien|se"
    r"|quando|als)\b"
)
_ALTERNATIVES = re.compile(r"\b(?:or|nor|oder|noch|ou|ni|o|né|nem|of)\b|或|또는|や")
_FIGURE = re.compile(r"\d[\d.,'\u00a0 ]*")
_MARKS = re.compile(r"[.,'\u00a0 ]+")
_TWICE = re.compile(r"(?<![\d.,])(\d[\d.,]*) ?\(\1\)")
_LIMIT = re.compile(
    r"^ ?°[cf]\b|^ ?(?:이내|이상|이하|미만|초과|以内|以上|以下|未満|内)(?=[가이은는도]? ?(?:아[니닌닙]|틀[리렸린립])"
    r"|では|じゃ|是错|不对)"
)
"""What stands behind a value and belongs to it: the degrees, and in the East "4시간 이내가 아니라" denies "4시간"."""
_VERB = re.compile(
    r"\b(?:is|are|was|were|must|may|can|has|have|will|shall|should|does|applies|apply|ist|sind|gilt|beträgt|muss|"
    r"est|sont|doit|es|son|debe|è|sono|é|são)\b"
)
_BOUND = (  # "not more than 48 hours" says 48 hours
    r"(?:more|less|later|earlier|longer|fewer|greater|higher|lower|only|just|merely|exceed\w*|over|under|before|until|"
    r"überschreit\w*|übersteig\w*|mehr|weniger|später|früher|länger|nur|über|unter|vor|bis|plus|moins|seulement"
    r"|dépass\w*|excèd\w*|excéd\w*|avant|más|menos|solo|sólo|"
    r"super[ae]\w*|exced\w*|sobrepas\w*|antes|più|meno|oltre|mais|menos|apenas|meer|minder|later|alleen)"
)
_TURNED = re.compile(
    r"\b(?:until|before|after|following|once|if|when|unless|except|within|than|may|must|can|should|shall|bis|nach"
    r"|sobald|wenn|bevor|vor|außer|als|jusqu\w*|avant|sauf|hasta|antes|salvo"
    r"|excepto|"
    r"fino|prima|até|tot|voordat|behalve)\b|까지|전에|전까지|이상|이하|이내|동안|초과|미만|之前|以前|直到"
    r"|超过|少于|低于|晚于|まで|以内|以上"
)
_BEFORE = re.compile(
    rf"\b(?:no(?!\. ?\d)|not|never|neither|nor|cannot|none|\w+n['’]t)\b(?! (?:\w+ )?{_BOUND}\b)"
    r"|\b(?:rather than|instead of|no longer|unlike|contrary to|used to be|formerly|previously|(?:in|until) the "
    r"(?:previous|old|former) \w+|false|incorrect|wrong|mistaken|myth)\b"
    rf"|\b(?:kein\w*|nicht|nie|niemals|weder|statt|anstatt|anstelle|früher|vormals"
    rf"|falsch)\b(?! (?:\w+ )?{_BOUND}\b)"
    rf"|\b(?:pas|aucune?|jamais|ni|plutôt que|au lieu d\w*|auparavant|faux)\b(?! (?:\w+ )?{_BOUND}\b)"
    rf"|\b(?:no|ningun\w*|ningún|nunca|ni|tampoco|en lugar de|en vez de|antiguamente|falso"
    rf"|ya no)\b(?! (?:\w+ )?{_BOUND}\b)"
    rf"|\b(?:non|nessun\w*|mai|invece di|não|nenhum\w*|em vez de|geen|niet|nooit|in plaats van)\b"
    rf"(?! (?:\w+ )?{_BOUND}\b)"
    r"|不是|不算|不为|不需要?|无需|无须|没有|不用|不必|不再|而不是|而非|并非|并无|不会|不收|不处|不罚|不存在"
    r"|未规定|不要求|没规定"
)
_AFTER = re.compile(
    r"^\W*(?:(?:fine|penalty|period|rule|limit|dose|deadline|fee|charge|amount|figure|term|gap|interval|order)s? )?"
    r"(?:is|are|was|were|do|does|did|will|would|has|have|had|can|could|should)(?: not|n['’]t)\b"
    rf"(?! (?:\w+ )?{_BOUND}\b)"
    r"|^\W*(?:\w+ ){0,3}?(?:do|does|did|will|would)(?: not|n['’]t) (?:apply|exist|hold|count|arise)\b"
    r"|^\W*(?:\w+ ){0,3}?(?:is|are|was|were|would be) (?:wrong|incorrect|false|mistaken|outdated|no longer|a myth"
    r"|never)\b"
    r"|^\W*(?:no longer|cannot be)\b"
    r"|^\W*(?:\w+ ){0,3}?(?:gilt|gelten|beträgt|betragen|ist|sind|war|waren|wird|werden|droht|besteht|stimmt)(?: \w+)? "
    rf"(?:nicht|falsch)\b(?! (?:\w+ )?{_BOUND}\b)"
    r"|^\W*(?:\w+ ){0,2}?n['’e] ?\w+ (?:pas|plus|jamais)\b"
    r"|^\W*(?:\w+ ){0,2}?(?:no|ya no|nunca) (?:es|son|se|está|están|existe|aplica|hay|procede)\b"
    r"|^(?:이|가|은|는|을|를|도|의|원)?\s*(?:\S+\s){0,2}?(?:아니|아닌|아닙|(?<!수 )(?<!수는 )(?<!수가 )없"
    r"|필요하지 않|부과되지|부과하지|"
    r"적용되지|적용하지|해당하지|맞지 않|틀[리렸린립]|잘못)"
    r"|^\W*(?:的[^，。]{0,6})?(?:不是|并非|并不|不适用|不正确|不对|是错|错误|无效|不成立|没有必要)"
    r"|^(?:の\w{0,6})?(?:では|じゃ)(?:なく|ない|ありません)|^(?:の\w{0,6})?(?:は|が)?(?:不要|必要ありません"
    r"|必要ない|適用されません|誤り|間違)"
)
_PREPOSED = re.compile(  # "after 48 hours is not ...": the phrase is no subject
    r"\b(?:after|within|following|for|until|before|by|from|during|over|at|in|every|nach|innerhalb|binnen|vor|bis|ab"
    r"|seit|für|"
    r"während|après|dans|pendant|avant|dès|tras|después de|durante|en|antes de|desde|dopo|entro|após|depois de|na"
    r"|voor) "
    r"(?:(?:the|a|an|at least|about|den|der|die|das|les|los|las|le|la) )?$"
)
_TRUE = re.compile(r"^\W*(?:\w+ )?(?:true|the case|correct|right|accurate|richtig|wahr|vrai|exact|cierto|verdad) ")
_RULED_OUT = re.compile(
    r"\b(?:no|not|never|nor|nobody|nothing|none|cannot|\w+n['’]t|wrong|false|illegal|unlawful|prohibited|forbidden"
    r"|impossible|kein\w*"
    r"|nicht|nichts|nie|niemals|niemand|falsch|verboten|unzulässig|untersagt|pas|jamais|aucune?|personne|nul|rien"
    r"|faux|interdit\w*|ningun\w*"
    r"|ningún|nunca|nadie|nada|falso|prohibid[oa]|non|mai|nessun\w*|não|nenhum\w*|geen|niet|nooit)\b"
)
_BOUNDED = re.compile(r"\bn['’e] ?(?:\w+ )?(?:dépass|excéd|excèd)\w*(?: \w+)? (?:pas|jamais)\b")
"""Where the verb that sets the bound stands before what denies it."""
_DONT_BUT_DO = re.compile(
    r"^\W*(?:please |bitte )?(?:do not|don['’]t|never|\w+ sie (?:bitte )?nicht|n(?:e |['’])\w+ (?:pas|jamais)|no)"
    r"(?: \w+){0,2} (?:and|und|et|y) (?!(?:a|an|any|the|no|not|die|das|der|le|la|les|el|los|las) $)\w+ (?:\w+ ){0,3}$"
)
"""Do not do one thing "and take 5 mg"."""
_ALONE = re.compile(r"\b(?:without|ohne|sans|sin|senza|sem|zonder)(?: \w+)? $")


class Said:
    """An answer, read once for all the phrases that are looked for in it.

    Attributes:
        text: The form that is compared.
    """

    def __init__(self, answer: str, language: str = "") -> None:
        self._answer = answer
        self._language = language
        self.text = loose(answer, language)
        self._figures: frozenset[str] | None = None
        self._sentences: list[tuple[int, int]] | None = None

    def states(self, phrase: str, *, strict: bool = False) -> bool:
        """Whether it states a phrase, or the value that the phrase is.

        Args:
            phrase: As an expert wrote it.
            strict: For what must not be claimed: words beside a value are looked for in its clause, not its sentence.
        """
        return self._says(phrase, strict=strict, warned=False)

    def claims(self, phrase: str, *, asked: bool = False) -> bool:
        """Whether it claims what must not be claimed. What it warns of, it does not claim: "avoid 0.3 mg".

        Args:
            phrase: As an expert wrote it.
            asked: The question asks what to avoid (`cautioning.asks_for_warnings`): then a warning is the claim.
        """
        return self._says(phrase, strict=True, warned=not asked)

    def _says(self, phrase: str, *, strict: bool, warned: bool) -> bool:
        wanted = loose(phrase, self._language)
        if not wanted:
            return False
        places = list(_places(self.text, wanted))
        if any(not self._denied(a, b, warned) for a, b in places):
            return True
        return self._means(phrase, places, strict=strict, warned=warned)

    def mentions(self, phrase: str) -> bool:
        """Whether the words of a phrase stand in it, stated or denied."""
        wanted = loose(phrase, self._language)
        return bool(wanted) and next(_places(self.text, wanted), None) is not None

    def has_values(self, phrase: str) -> bool:
        """Whether it states every value that a text names; True for a text that names none."""
        wanted = values(phrase, self._language)
        return all(any(_backs(v, w, lone=False) for v in values(self._answer, self._language)) for w in wanted)

    def _means(self, phrase: str, denied: Sequence[tuple[int, int]], *, strict: bool, warned: bool) -> bool:
        """Whether a sentence has every value of the phrase and most of its other words, and denies none.

        Where the phrase itself stands, it is `denied`.
        """
        wanted = values(phrase, self._language)
        if not wanted or not self._may_have(wanted):
            return False
        rest = _without_values(phrase, wanted, self._language)
        if words(rest) and share(rest, self.text) < ALIKE:
            return False
        there = values(self._answer, self._language)
        if not all(any(_backs(v, w, lone=len(there) == 1) for v in there) for w in wanted):
            return False
        lone = len(there) == 1
        found = (at for p in self._pieces(strict) if (at := self._values_at(p, wanted, rest, lone=lone)) is not None)
        return any(
            all(not any(a <= x < b for a, b in denied) and not self._denied(x, y, warned) for x, y in at)
            for at in found
        )

    def _may_have(self, wanted: tuple[Value, ...]) -> bool:
        """Whether the digits that any way to write each value needs stand in it: reading all values costs far more."""
        if self._figures is None:
            runs = [m[0] for m in _FIGURE.finditer(self.text)]
            self._figures = frozenset(_bare(figure) for run in runs for figure in (run, *_MARKS.split(run)))
        return all((needed := _written(w)) is None or not needed.isdisjoint(self._figures) for w in wanted)

    def _values_at(
        self, piece: tuple[int, int], wanted: tuple[Value, ...], rest: str, *, lone: bool
    ) -> list[tuple[int, int]] | None:
        """Where a piece of the text has every value; None when it has not, or not enough of the other words."""
        text = self.text[piece[0] : piece[1]]
        there = values(text, self._language)
        found = [next((v for v in there if _backs(v, w, lone=lone)), None) for w in wanted]
        if None in found or (words(rest) and share(rest, text) < ALIKE):
            return None
        said = [loose(v.said) for v in found if v]
        return [(piece[0] + a, piece[0] + a + len(s)) for s in said if (a := text.find(s)) >= 0]

    def _pieces(self, clauses: bool) -> Iterator[tuple[int, int]]:
        """Sentences, or their clauses, as spans."""
        if self._sentences is None:
            self._sentences = list(_cut(self.text, _SENTENCE, 0, len(self.text)))
        for start, end in self._sentences:
            if clauses:
                yield from _cut(self.text, _BREAK, start, end)
            else:
                yield start, end

    def _denied(self, start: int, end: int, warned: bool) -> bool:
        """Whether the clause round a place denies it, or (`warned`) warns of it."""
        first, last = next(((a, b) for a, b in self._pieces(clauses=False) if a <= start < b), (0, len(self.text)))
        limit = _LIMIT.match(self.text[end:last])
        before, after = self.text[first:start], self.text[end + (limit.end() if limit else 0) : last]
        if warned and taken_back(before, self.text[end:]):
            return False
        if _denies_before(before):
            return not (_ALONE.search(before) and forbidden(after))
        if warned and not_bad(after):
            return False
        if not _PREPOSED.search(before) and _denies_after(after):
            return True
        return warned and cautions(before, self.text[end + (limit.end() if limit else 0) :], _own_clause(before))


@lru_cache(maxsize=32768)
def loose(text: str, language: str = "") -> str:
    """The form in which phrases are looked for: number words as digits, white space folded, no case.

    A number that is said twice, as contracts do, is said once: "five (5) days" is "5 days".
    """
    lines = (" ".join(line.split()) for line in in_digits(plain(text), language).casefold().split("\n"))
    text = "\n".join(lines).strip()
    return _TWICE.sub(r"\1", text) if "(" in text else text


def _bare(figure: str) -> str:
    """The digits of a number without marks and the zeros at its ends: the same for 1,500 and 1.5 and 0.15."""
    return re.sub(r"\D", "", figure).strip("0")


_FACTORS = {"": (1,), "%": (1,), "s": (1, 60, 3600, 86400, 604800, 1209600), "month": (1, 3, 6, 12)} | dict.fromkeys(
    MONEY, (1,)
)
"""Factors of the units of a base unit, powers of ten aside; a base unit that is not here has many."""


@lru_cache(maxsize=16384)
def _written(wanted: Value) -> frozenset[str] | None:
    """The digits of which an answer needs some to name a value; None = there are too many ways to write it."""
    if wanted.days or wanted.unit not in _FACTORS:
        return None
    ways = [amount / factor for amount in wanted.amounts for factor in _FACTORS[wanted.unit]]
    return frozenset(_bare(f"{float(way):.12f}") for way in (*ways, *wanted.raw))


def _places(text: str, phrase: str) -> Iterator[tuple[int, int]]:
    """Where a phrase stands by itself: not inside another number or at the end of another word."""
    at = text.find(phrase)
    while at >= 0:
        end = at + len(phrase)
        if _begins(text, at, phrase[0]) and _ends(text, end, phrase):
            yield at, end
        at = text.find(phrase, at + 1)


def _begins(text: str, at: int, first: str) -> bool:
    before = text[:at][-2:]
    if first.isdigit():
        return not re.search(r"\d$|\d[.,]$", before) and not re.search(r"[a-z]$", before)
    return re.match(rf"[{_EAST}]", first) is not None or not first.isalnum() or not re.search(r"[^\W\d_]$", before)


def _ends(text: str, end: int, phrase: str) -> bool:
    after, last = text[end : end + 4], phrase[-1]
    if last.isdigit():
        return not re.match(r"\d|[.,]\d", after)
    if not last.isalpha() or re.match(rf"[{_EAST}]", last):
        return True
    inflected = len(phrase.split()[-1]) >= 3  # "order" in "orders", never "ill" in "illness"
    return re.match(rf"[^\W\d_{_EAST}]{{{3 if inflected else 1}}}", after) is None


def _cut(text: str, pattern: re.Pattern[str], start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for match in pattern.finditer(text, start, end):
        if match.start() > at:
            yield at, match.start()
        at = match.end()
    if at < end:
        yield at, end


def _denies_before(before: str) -> bool:
    """Whether a word before the phrase, in its clause, denies it, and nothing between turns that round again."""
    breaks = list(_BREAK.finditer(before))
    while breaks and breaks[-1][0] == "," and _lists(before[breaks[-1].end() :]):
        breaks.pop()  # "no penalty, fine or charge of $10M"
    clause = before[breaks[-1].end() :] if breaks else before
    if _BOUNDED.search(clause) or _DONT_BUT_DO.search(clause):
        return False
    if alone := _ALONE.search(clause):  # "never without a written order" asks for one
        return not _RULED_OUT.search(clause, 0, alone.start())
    last = max(_BEFORE.finditer(clause), key=lambda m: m.end(), default=None)
    if last is None:
        return False
    return _TRUE.match(clause[last.end() :]) is not None or not _TURNED.search(clause, last.end())


def _own_clause(before: str) -> str:
    """The end of a sentence's beginning that belongs to what follows it."""
    breaks = [m.end() for m in _BREAK.finditer(before)]
    return before[breaks[-1] :] if breaks else before


def _lists(text: str) -> bool:
    return bool(_ALTERNATIVES.search(text)) and not _VERB.search(text)


def _denies_after(after: str) -> bool:
    ends = [found.start() for p in (_BREAK, _CONDITION) if (found := p.search(after))]
    clause = after[: min(ends, default=len(after))]
    found = _AFTER.search(clause)
    return found is not None and not _TURNED.search(clause, 0, found.end())


def _backs(there: Value, wanted: Value, *, lone: bool) -> bool:
    """Whether a value of an answer is one that is wanted: with its unit; without, only where it is the only number."""
    if wanted.unit and not there.unit and not there.days and not lone:
        return False
    return bears_out(there, wanted)


@lru_cache(maxsize=16384)
def _without_values(phrase: str, wanted: tuple[Value, ...], language: str) -> str:
    """The words of a phrase beside its values."""
    text = loose(phrase, language)
    for value in wanted:
        text = text.replace(loose(value.said, language), " ")
    return re.sub(r"[\d\ue000-\ue00f]+", " ", text)
