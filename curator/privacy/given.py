"""Names that a list of given names gives away: "Laura Finch", "my wife olga", "adam, donna and brian".

The list has no word of a dictionary and no place, so that a given name with a capital is taken wherever it stands, unless
it belongs to the name of something: "Lake Geneva", "the Jeanne Clery Act", "Addison's disease". In small letters it is
taken only after a word that a person follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from curator.privacy.finding import Finding
from curator.privacy.people import NOT_NAMES, PARTICLE, UPPER, WORD

_RUN = re.compile(
    rf"(?<![\w@#/\\.])(?<!['’]){WORD}(?:[ \t]+(?:(?:{PARTICLE}[ \t]+){{0,2}}{WORD}|[{UPPER}](?:\.|(?!\w)))){{0,4}}(?![\w@/\\])"
)
_TOKEN = re.compile(r"\S+")
THINGS = frozenset(
    "Street Road Avenue Lane Drive Court Square Place Park Bridge Station Airport Island Islands Beach Bay River Lake Mountain Valley "
    "City Town County State Province Republic Kingdom House Hall Hotel Hospital Clinic School College University Academy Institute Library "
    "Museum Church Cathedral Theatre Theater Foundation Society Association Trust Fund Bank Group Company Corporation Inc Ltd LLC Limited "
    "GmbH AG SA Partners Holdings Insurance Assurance Mutual Capital Services Solutions Systems Plan Policy Act Law Bill Code Rule Rules "
    "Regulation Directive Convention Protocol Agreement Treaty Syndrome Disease Disorder Test Score Scale Index Method Model Award Prize Cup "
    "Medal League Championship Tour Show Card Account Plus Pro Max Premium Gold Silver Basic Classic Edition Series Version App Software "
    "Health Care Medical Center Centre Department Office Committee Commission Council Court Board Airlines Airways Railway Motors Records "
    "Magazine Times Journal News Press Post Store Shop Market Restaurant Cafe Bar Club Stadium Arena Centre Code Energy Water Gas Telecom Mobile "
    "Day Days Linux Vista Fellowship Alpha Bravo Foxtrot Tango Zulu Himmelfahrt Centrale "
    "Straße Platz Allee Klinik Bank Stiftung Versicherung Gesetz Rue Avenue Calle Plaza Hurricane Storm Virus Vaccine Report Manual Guide".split()
)
_BEFORE_THINGS = frozenset(
    "Lake Mount Mt Saint St Sankt San Santa Sainte Port Fort Cape Hotel Hurricane Storm Cyclone Radio Villa Casa Camp Castle Palace Clinic "
    "Hospital School College University Church Rue Via Calle Avenida Avenue Piazza Plaza Place Boulevard Estadio Project Operation Fannie "
    "Freddie Sallie Super Air Aunt Uncle Monte Apache Puerto Livret".split()
)
_OF_A_THING = re.compile(
    r"['’]?s?\s+(?:disease|syndrome|law|act|test|sign|method|rule|ring|palsy|street|road|hospital|clinic|foundation|prize|award|model|effect|theorem|rights?|warnings?|units?|wort|index|splint)\b"
    r"|\s+vs?\.\s+[A-Z]|\s+\d+\.\d"  # "Gideon v. Wainwright", "Julia 1.9"
)
_AFTER_A_SIGN = re.compile(r"(?:\b(?:St|Ste|Mt|Ft)\.|\bvs?\.)\s+$")
_INTRODUCED = re.compile(r"(?i:\b(?:this is|i am|i['’]m|name is|hi|hello|dear|regards|thanks|cheers)),?\s+\Z")
_RATHER_THINGS = frozenset(
    "alli apollo athena cassandra easter hermes juliet merlin odin pascal romeo thor watson zeus".split()
)
"""Names that, alone, are programs, medicines, gods or feasts more often than persons; a cue or a surname tells."""
_ARTICLE = re.compile(r"(?i)(?:^|\s)(?:the|a|an|les?|la|el|los|las|der|die|das|een|il|un|une|in|near)\s$")
_LISTED = re.compile(r"[a-zß-ÿ]{3,}(?:,\s?[a-zß-ÿ]{3,})+,?(?:\s(?:and|und|y|et|e|or)\s[a-zß-ÿ]{3,})?")
_CUES = (
    "my name's", "my name is", "name is", "name:", "names", "i am", "i'm", "im", "it's", "its", "this is", "here is", "hi", "hello", "hey", "dear",
    "thanks", "thank you", "thx", "cheers", "regards", "tell", "told", "ask", "asked", "asking", "inform", "spoke to", "spoke with", "speak to",
    "speak with", "talked to", "talked with", "talk to", "chatted with", "met", "call", "called", "named", "wife", "husband", "son", "daughter",
    "child", "mother", "father", "mum", "mom", "dad", "brother", "sister", "partner", "friend", "boss", "colleague", "flatmate", "roommate",
    "landlord", "landlady", "tenant", "neighbor", "neighbour", "agent", "nurse", "doctor", "driver", "customer", "patient", "client", "user",
    "mr", "mr.", "mrs", "mrs.", "ms", "ms.", "miss", "dr", "dr.", "with", "from", "early", "ich bin", "je suis", "soy", "sono", "ik ben", "mein name ist",
    "ich heiße", "je m'appelle", "me llamo", "mi chiamo", "mijn naam is", "meu nome é", "frau", "herr", "señor", "señora", "madame", "monsieur",
)  # fmt: skip
_LOWER = re.compile(
    r"(?i:(?<![\w'’])(?:" + "|".join(map(re.escape, sorted(_CUES, key=len, reverse=True))) + r"))[,:]?\s+"
    r"(?=([a-zß-ÿ]{3,})(?:(\s+[a-zß-ÿ][a-zß-ÿ'’-]+)(?=\s*(?:[,.;:!?)(\n]|$)|\s(?:here|and|from|with|calling|again|speaking|on|in|at|for|to|is|was|has|i|we|my)\b))?(?![\w@'’-]))"
)
_COMMON = frozenset(
    "here again and or but from with the this that calling speaking is was has had have will would can could asked said says told wants wanted on in at "
    "for to of about as so because i we you he she it they my your his her our their not no please thanks still also just who what when where why how "
    "yesterday today tomorrow tonight now then there if than too very und oder hier von et ou ici y de en aus ist hat est a la le il e called never".split()
)


@cache
def _given() -> frozenset[str]:
    lines = Path(__file__).with_name("given_names.txt").read_text("utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def is_given(word: str) -> bool:
    """Whether a word, or one part of "Jean-Pierre", is on the list of given names."""
    low = word.lower()
    return low in _given() or ("-" in low and low.partition("-")[0] in _given())


def find_given(text: str, words: frozenset[str]) -> Iterator[Finding]:
    """Names that begin with a given name, in a text of these words."""
    if words.isdisjoint(_given()):
        return
    for run in _RUN.finditer(text):
        if span := _name_in(text, run):
            yield Finding(*span, "person")
    for m in _LOWER.finditer(text):
        if is_given(m[1]):
            surname = m[2] is not None and m[2].strip() not in _COMMON
            yield Finding(m.start(1), m.end(2) if surname else m.end(1), "person")
    if ", " in text:
        for m in _LISTED.finditer(text):
            several = list(re.finditer(r"[^\W\d_]{3,}", m[0]))
            known = [w for w in several if is_given(w[0])]
            if len(known) >= 3 and len(known) * 5 >= len(several) * 3:
                for w in several:
                    if w[0] not in ("and", "und"):
                        yield Finding(m.start() + w.start(), m.start() + w.end(), "person")


def _name_in(text: str, run: re.Match[str]) -> tuple[int, int] | None:
    """The name in a run of words with capitals: from its given name to the last word that can be one."""
    words = [(m[0], run.start() + m.start(), run.start() + m.end()) for m in _TOKEN.finditer(run[0])]
    place = next((n for n, (w, *_) in enumerate(words) if _is_named(w)), None)
    if place is None or (place and words[place - 1][0].strip(".") in _BEFORE_THINGS):
        return None
    end = next((n for n in range(place + 1, len(words)) if words[n][0].strip("'’.") in NOT_NAMES), len(words))
    name = words[place:end]
    while name and name[-1][0].islower():
        name.pop()
    if any(_bare(w) in THINGS or (w.isupper() and len(w) > 3) for w, *_ in words[place + 1 :]):
        return None
    if len(name) == 1 and (
        (
            _bare(words[place][0]).lower() in _RATHER_THINGS
            and not _INTRODUCED.search(text[max(0, words[place][1] - 12) : words[place][1]])
        )
        or (not place and _AFTER_A_SIGN.search(text, max(0, words[place][1] - 6), words[place][1]))
        or _OF_A_THING.match(text, words[place][2] - (2 if words[place][0].endswith(("'s", "’s")) else 0))
        or (not place and _ARTICLE.search(text, max(0, words[place][1] - 6), words[place][1]))
    ):
        return None
    last, _start, stop = name[-1]
    for ending in ("'s", "’s"):
        stop -= 2 * last.endswith(ending)
    return name[0][1], stop - (text[stop - 1] in "'’")


def _bare(word: str) -> str:
    return word.strip(".'’").removesuffix("'s").removesuffix("’s")


def _is_named(word: str) -> bool:
    bare = _bare(word)
    return len(bare) > 2 and bare[0].isupper() and bare[1].islower() and not bare[-1].isdigit() and is_given(bare)
