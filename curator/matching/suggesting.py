"""Which folds may ask the same in other words: suggested to a person, never merged.

By meaning where the model is there (cosine of at least .85), else by the words that carry content.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rapidfuzz import fuzz

from curator.matching.slips import ASKING, SMALL_WORDS, swapped
from curator.matching.wording import guard, last_question, wording

COSINE = 0.85
ALIKE = 75.0
_MOST = 20_000
_COMMON = 60
_ALLOWING = frozenset(["allowed", "possible", "must", "may", "should"])
"""What the guard watches and another wording says by a small word: "are we allowed to", "may we"."""
_FRAMING = """
permitted permissible able entitled supposed okay ok fine safe way ways steps step procedure process know knowing want
like happen happens exactly actually currently usually normally really again someone somebody anyone anybody people
person need needs needed require requires required necessary kann können möglich erlaubt gibt
"""
_FRAME = _ALLOWING.union(_FRAMING.split())
"""Words that frame a question and carry nothing of it."""
_SYNONYMS = """
photo photos picture pictures image images
return returns returning returned back
child children kid kids
cost costs price prices
begin begins start starts started
end ends finish finishes finished
get gets getting receive receives receiving obtain obtaining
send sends sending sent submit submits submitted submitting
buy buying purchase purchasing bought
flat flats apartment apartments
mobile cell cellphone phone phones telephone
doctor doctors physician physicians gp
cancel cancelling canceling cancelled canceled cancellation terminate terminating terminated termination
cover covers covered covering include includes included including
pay pays paying paid payment payments
car cars vehicle vehicles auto
job work employment
holiday holidays vacation vacations
ill sick unwell
illness sickness
pupil pupils student students
parent parents guardian guardians
staff employee employees personnel worker workers
leave off
letter mail post
internet online web
another second
remain remains remaining left
change changes changing changed modify amend amending
reset resets resetting
clothes clothing
medicine medicines medication medications drug drugs
fee fees charge charges charged
money cash
lost lose loses missing
form forms
document documents paperwork papers
company companies firm
store shop stores shops
bin bins trash garbage rubbish
elevator lift
repair repairs repairing repaired fix fixes fixing fixed mend
break breaks breaking broke broken
permit permits permission
refuse refuses refused reject rejects rejected deny denies denied
correct right
delete deletes deleting remove removes removing removed
add adds adding added
see view viewing
make makes making made
give gives giving gave
keep keeps keeping kept
find finds finding found
tell tells telling told inform informing informed letting
open opens opening opened
close closes closing closed
take takes taking taken took
hour hours
day days
month months
year years
"""
_SAME = {word: words[0] for words in map(str.split, _SYNONYMS.strip().splitlines()) for word in words}
"""Forms and synonyms by the first of them."""

Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]


class Suggestion(NamedTuple):
    """Two folds that may be one: their numbers, the likeness from 0 to 1, and whether by meaning or by words."""

    one: int
    other: int
    likeness: float
    by: str


def content_of(question: str) -> frozenset[str]:
    """The stems of the words that carry content in the last question of a text."""
    return frozenset(_content(question))


def _content(question: str) -> list[str]:
    plain = wording(last_question(question))
    return [_SAME.get(w) or _stem(w) for w in plain.split() if w not in SMALL_WORDS and w not in _FRAME]


def _asking(question: str) -> frozenset[str]:
    return ASKING.intersection(wording(last_question(question)).split())


def _stem(word: str) -> str:
    for ending in ("'s", "ings", "ing", "ed", "es", "s", "ly"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def by_words(questions: Mapping[int, str]) -> Iterator[Suggestion]:
    """Pairs of folds with the same content words, or nearly: synonyms, one stem, one more on one side.

    Args:
        questions: Number of the fold -> its question, placeholders in it.
    """
    ordered = {n: _content(q) for n, q in questions.items()}
    contents = {n: frozenset(words) for n, words in ordered.items()}
    asking = {n: _asking(q) for n, q in questions.items()}
    guards = {n: _guard(questions[n]) for n in questions}
    holders: dict[str, list[int]] = defaultdict(list)
    for number, words in contents.items():
        for word in words:
            holders[word].append(number)
    seen: set[tuple[int, int]] = set()
    for number, words in contents.items():
        votes: Counter[int] = Counter()
        for word in sorted(words, key=lambda w: (len(holders[w]), w))[:4]:
            if len(holders[word]) <= _COMMON:
                votes.update(holders[word])
        for other in votes:
            pair = (min(number, other), max(number, other))
            if other == number or pair in seen or not _agree(guards[number], guards[other]):
                continue
            seen.add(pair)
            one, two = asking[number], asking[other]
            if (one and two and one != two) or swapped(ordered[number], ordered[other]):
                continue
            if (likeness := _likeness(words, contents[other])) >= ALIKE:
                yield Suggestion(*pair, likeness / 100, "words")


def _guard(question: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The guard of the last question, and that of the whole text."""
    asked, whole = guard(wording(last_question(question))), guard(wording(question))
    return tuple(w for w in asked if w not in _ALLOWING), tuple(w for w in whole if w not in _ALLOWING)


def _agree(one: tuple[tuple[str, ...], tuple[str, ...]], other: tuple[tuple[str, ...], tuple[str, ...]]) -> bool:
    """The questions have one guard, and what stands before them does not contradict: "37.9" and "38.9" do."""
    if one[0] != other[0]:
        return False
    a, b = Counter(one[1]), Counter(other[1])
    return a <= b or b <= a


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """100 = the same content; 0 when each has a word that the other has nothing like."""
    only_a, only_b = sorted(one - other), sorted(other - one)
    if "".join(only_a) == "".join(only_b) or "".join(sorted(one)) == "".join(sorted(other)):
        return 100.0
    for word in list(only_a):
        if match := next((o for o in only_b if _akin(word, o)), None):
            only_a.remove(word)
            only_b.remove(match)
    if only_a and only_b:
        joined = fuzz.ratio("".join(only_a), "".join(only_b))
        return joined if joined >= 85 else 0.0
    extra = len(only_a) + len(only_b)
    shared = len(one | other) - extra
    return 100.0 * shared / (shared + extra) if shared >= 2 else 0.0


def _akin(one: str, other: str) -> bool:
    """Whether two stems may be of one word: the same beginning, and not the two sides of a matter."""
    sides = {word[-2:] for word in (one, other)}
    if one[:1] != other[:1] or ("ee" in sides and sides & {"er", "or"}):
        return False
    shorter = min(len(one), len(other))
    begin = next((n for n in range(shorter) if one[n] != other[n]), shorter)
    return fuzz.ratio(one, other) >= 75 or (begin >= 5 and begin >= 0.6 * shorter)


def by_meaning(questions: Mapping[int, str], embed: Embed) -> Iterator[Suggestion]:
    """Pairs of folds of one guard whose questions mean nearly the same.

    Args:
        questions: As `by_words`; the first 20,000 are compared.
        embed: Texts -> unit vectors.
    """
    guards = {n: _guard(q) for n, q in questions.items()}
    groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number in list(questions)[:_MOST]:
        groups[guards[number][0]].append(number)
    for numbers in groups.values():
        if len(numbers) < 2:
            continue
        vectors = embed([last_question(questions[n]) for n in numbers])
        for i, one in enumerate(numbers):
            for j in range(i + 1, len(numbers)):
                if not _agree(guards[one], guards[numbers[j]]):
                    continue
                cosine = sum(a * b for a, b in zip(vectors[i], vectors[j], strict=True))
                if cosine >= COSINE:
                    yield Suggestion(min(one, numbers[j]), max(one, numbers[j]), round(float(cosine), 4), "meaning")
