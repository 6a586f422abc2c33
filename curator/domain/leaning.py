"""Whether a turn leans on what was said before it, and what it speaks of by itself.

English, German, French, Spanish, Korean, Japanese and Chinese are read; of other languages only what opens a turn. What
leans without a mark ("When does the letter have to arrive?") cannot be told from words, and is not reported.
"""

from __future__ import annotations

import re

from curator.domain.subjects import SAYS_NOTHING, subjects

_OPENINGS = {
    "en": r"(?:and|but|or|so) |what about\b|how about\b|what if (?!an?\b|my\b|someone|somebody|anyone)|same for\b",
    "de": r"(?:und|aber|oder|dann) |was ist (?:dann )?mit |wie ist es (?:dann )?(?:mit|bei) ",
    "fr": r"(?:et|mais|ou alors|alors) |qu'en est-il|et si\b",
    "es": r"(?:y|pero|entonces) |qué pasa (?:con|si)\b",
    "it": r"(?:e|ma|allora) ",
    "pt": r"(?:e|mas|então) ",
    "nl": r"(?:en|maar|dan) ",
    "ko": r"그럼|그러면|그런데|그리고|그건|그게|그것|그때|거기|그 |그런 (?:경우|때)",
    "ja": r"それ(?!ぞれ)|その(?!他)|そこ(?!そこ)|そちら|では|じゃ|ちなみに",
    "zh": r"那(?!么高|里有|不勒斯|曲|霸|拉提|格浦尔)|这样|它|他(?!人|汀|克莫|莫昔|达拉|扎罗|唑|氟)|她",
}
_OPENING = {name: re.compile(f"(?:{words})", re.IGNORECASE) for name, words in _OPENINGS.items()}
_ANY_OPENING = re.compile("|".join(_OPENINGS[name] for name in ("en", "de", "fr", "ko", "ja", "zh")), re.IGNORECASE)
_ELLIPSIS = re.compile(
    r"^(?:which|how many|how much|whose|welche[rsnm]?|wie ?viele?|quel(?:le)?s?|combien de|qué|cuánt[oa]s?) [\w-]+ ?\?$"
    r"|(?:은|는|면|도|까지|부터|에서|랑)요\s?\??$|^[가-힣]+(?<![경온속연한용각밀습농강난제정지태포빈])도 "
    r"|(?:なら|は)(?:どう|いかが)(?:です|でしょう)か?[。?？]?$|呢[。?？]?$",
    re.IGNORECASE,
)
_SUBORDINATE = re.compile(r"(?:たら|れば|た場合は|る場合は)(?:どう|いかが)")
_EXPLETIVE = re.compile(
    r"\bit (?:\w+ ){0,3}?(?:to|that|if|whether|before|until|rains?|snows?|is (?:late|dark|cold|hot))\b"
    r"|\b(?:does|did|will|would|can|is) it (?:take|cost|mean|matter|need|require|called|written|determined|known|said"
    r"|decided|established)\b(?=.*\b(?:to|for|when|how|that|if|we|a|an|the)\b)"
    r"|\b(?:was|is|been|be) it (?:called|written|determined|known|said|decided|established)\b(?= \w)"
    r"|\bit (?:be |take )?(?:possible|allowed|necessary|legal|illegal|permitted|permissible|safe|okay|ok|right|true"
    r"|normal|worth)\b|\bmay it be (?:to|from)\b|\b(?:who|what time) is it\b"
    # a firm or an authority, as in "can they fire me" and "what do they charge"
    r"|\bthey (?:\w+ ){1,2}?(?:me|us|my|our)\b"
    r"|\bthey (?:charge|ask|pay|want|require|offer|accept|refund|take|open|close)\b",
    re.IGNORECASE,
)
_POINTING = {
    "en": re.compile(
        r"\b(?:he|she|they|him|them|his|theirs?|hers|it)\b|\bher\b(?=\s*[?.,!]|\s+(?:to|in|at|now)\b)"
        r"|\b(?:does|do|is|was|will|would|can|could|should|has) (?:this|that|these|those) (?:also|apply|mean|include"
        r"|count|hold|still|too|depend|cost|change|happen|take|work|enough|allowed|okay|ok|right|true|possible|valid"
        r"|the same)\b"
        r"|\b(?:about|like|for|after|before|than|with|of|to|by|from|doing|if) (?:this|that|these|those)\s*[?.!,]"
        r"|\bthat one\b|\bany\b(?= (?:over|left|more)\b|\s*\?)|\bthe (?:same|other) one\b|^the same\b",
        re.IGNORECASE,
    ),
    "de": re.compile(
        # "können sie" is how many write to a firm
        r"(?<!können )(?<!könnten )(?<!würden )(?<!haben )(?<!bieten )(?<!nehmen )(?<!akzeptieren )\bsie\b"
        r"|\b(?:er|ihn|ihm|ihnen|deren|dessen|davon|dafür|dazu|darüber|dagegen|damit|danach|dort)\b"
        r"|\b(?:das|dies) (?=(?:auch|so|nicht|gelten|melden|machen|immer|schon"
        r"|dann|noch|erlaubt|wirklich|bezahlen|unterschreiben|beantragen)\b)|\b(?:das|dies|es)\s*\?"
    ),
    "fr": re.compile(
        r"-(?:t-)?(?:ils?|elles?)\b(?! (?:possible|permis|interdit|obligatoire|nécessaire|vrai|y\b|d'|de |que |qu'))"
        r"|\b(?:cela|ça|celui-ci|celle-ci|ceux-ci)\b"
        r"|\b(?:dois|doit|peux|peut|puis|faut|devons|pouvons|doivent|peuvent)(?:-(?:je|on|il|elle|nous|vous))?"
        r" (?:(?:le|la|les|lui|leur|en|y) |l')(?!avoir\b)\w+(?:er|ir|re|oir)\b",
        re.IGNORECASE,
    ),
    "es": re.compile(
        r"\b\w+(?:ar|er|ir)(?:l[oae]s?|sel[oa]s?)\b|\blo (?!que\b|de\b|más\b|mejor\b|antes\b|mismo\b)\w+"
        r"|\b(?:quién|cuándo|dónde|cómo|cuánto tiempo|por qué|cuánto) (?:me |te |se |nos )?"
        r"(?:la|los|las|les?) \w+(?!.* (?:al?|a los|a las) )"
        r"|\b(?:eso|esto|ello)\b",
        re.IGNORECASE,
    ),
}  # fmt: skip
_NOT_POINTING = re.compile(r"(?:faut|agit|existe|semble|convient|passe|reste|suffit|y a)-(?:t-)?il\b", re.IGNORECASE)
# what a pointing word may stand for: something with an article or in the plural, or a name
_NAMED = {
    "en": re.compile(
        r"\b(?i:an?|the|my|our|your|this|these|every|each|any|some|no|all|whose|anyone|someone|somebody|who|people|another"
        r"|two|three)\s+\w|\b[a-z]{4,}s[,:]?\s+\w|(?<=[a-z,] )[A-Z]\w+"
        r"|\b(?i:what|which) (?!(?:is|are|was|were|do|does|did|has|have|can|could|will|would|should|must|may|about|if"
        r"|happens?)\b)\w"
        r"|\b(?i:anyone|someone|somebody|people|everyone|parents|children|pupils|patients|staff)\b"
    ),
    "de": re.compile(r"(?<=[\w,;] )[A-ZÄÖÜ][a-zäöüß]+|\b(?:jemand|man|wer)\b"),
    "fr": re.compile(
        r"\b(?:le|la|les|un|une|des|du|mon|ma|mes|notre|nos|votre|ce|cette|chaque|aux?|quels?|quelles?) \w"
        r"|\b[ld]['’]\w",
        re.IGNORECASE,
    ),
    "es": re.compile(
        r"\b(?:el|la|los|las|un|una|unos|unas|mi|mis|su|sus|este|esta|cada|al|del|alguien|qué) \w", re.IGNORECASE
    ),
}
_WHO = re.compile(r"\bwho\b", re.IGNORECASE)
_FUNCTION_FIRST = re.compile(r"^\W*([^\W\d_]+)")
_STARTS = "¿¡\"'„“«(- \u3000"


_TIMES = r"year|month|week|weekend|morning|evening|afternoon|summer|winter|spring|autumn|quarter|semester|season"
_DOCUMENTS = (
    r"document|regulation|guideline|policy|law|act|article|section|chapter|annex|table|page|contract|agreement|lease"
    r"|handbook|manual|report|filing|standard|code|rule|directive|plan|form|app|site|website|company|school|hospital"
    r"|office|bank|building|house|country|state|city"
)
_THERE = re.compile(
    rf"\b(?:in|at|during|over|for|until|by|since|within|under) (?:that|those|these) (?:same )?(?!{_TIMES}\b)\w+"
    r"|\bin (?:this|that|such a) (?:case|event|situation)\b|, then,|\b(?:these|those) two\b"
    rf"|^(?:what|how|why|when|who|where) (?:is|was|are|were|does|did|do|can|must|should) (?:this|that|these|those)"
    rf" (?!{_TIMES}|{_DOCUMENTS})\w+(?!.* (?:on|in|of|at|by) (?:the|an?|my|our)\b)"
    r"|\b(?:in|bei) (?:diesem|so einem|solchen) F[aä]ll(?:en)?\b|\bin (?:dieser|jener) Zeit\b"
    r"|(?<!\bist)(?<!\bwird)(?<!\bwäre) es (?:mir|ihm|uns|ihnen|dir) [a-zäöü]+en\s?\?"
    r"|\bdans (?:ce|un tel) cas\b|\bpendant (?:ce|cette) \w+|\ben (?:ese|este|tal) caso\b|\bdurante (?:ese|esa) \w+"
    r"|^(?:이 경우|이런 경우|그런 경우|この場合|このとき|这种情况|在这种情况)",
    re.IGNORECASE,
)


_WORD = re.compile(r"[^\W_]+")
_POINTERS = frozenset(
    re.findall(
        r"\w+",
        """
        he she they him them his her their theirs hers it this that these those such then same
        other any left es diesem dieser jener einem solchen ce cet cette un tel ese esa este tal
        """,
    )
)
"""Words without one of which nothing points back (English), or nowhere (all): looking for them costs far less."""


def leans(turn: str, language: str = "") -> bool:
    """Whether a turn says by its own words that something was said before.

    By an opening ("And for twins?"), a pronoun that stands for nothing in it ("Who signs it?"), or by speaking of
    nothing at all ("Until when?").
    """
    text = turn.strip().lstrip(_STARTS)
    if not text:
        return False
    base = language.partition("-")[0].casefold()
    if _OPENING.get(base, _ANY_OPENING).match(text):
        return True
    if _ELLIPSIS.search(text) and not _SUBORDINATE.search(text) and len(subjects(text)) <= 2:
        return True
    said = frozenset(_WORD.findall(text.casefold()))
    if _speaks_of_nothing(text, said):
        return True
    east = _EAST.search(text) is not None
    there = _THERE.search(text) if east or said & _POINTERS else None
    if there and (there[0].startswith(" es ") or not _NAMED["en"].search(text[: there.start()])):
        return True
    name = base or "en"
    return name in _POINTING and (name != "en" or bool(said & _POINTERS)) and _points(text, name)


def _speaks_of_nothing(text: str, said: frozenset[str]) -> bool:
    """Only a question of question words alone: a greeting, a code or a number is none."""
    if any(len(w) > 1 and w.isascii() and w.isalpha() for w in said - SAYS_NOTHING) or subjects(text):
        return False
    asks = text.rstrip().endswith(("?", "？", "か。", "か", "요", "요."))
    return asks and (not _HAN.search(text) or bool(_KANA.search(text)))


def _points(text: str, language: str) -> bool:
    """Whether a pronoun comes before anything that it could stand for."""
    named = _NAMED[language]
    idle = [m.span() for m in (_EXPLETIVE if language == "en" else _NOT_POINTING).finditer(text)]
    for match in _POINTING[language].finditer(text):
        if any(a <= match.start() < b or a < match.end() <= b for a, b in idle):
            continue
        before = text[: match.start()]
        if match[0].casefold() in ("it", "them"):
            before = _WHO.sub("", before)  # who signs it is not what is signed
        if not named.search(before) and not _begins_with_a_name(before):
            return True
    return False


def _begins_with_a_name(before: str) -> bool:
    """Whether the text begins with a word of its own, no question word: "Petra says she"."""
    first = _FUNCTION_FIRST.match(before)
    return first is not None and first[1].casefold() not in SAYS_NOTHING and len(before.split()) > 1


_KANA = re.compile("[\u3041-\u30ff]")
_HAN = re.compile("[一-鿿]")
_SENTENCE = re.compile(r"(?<=[.!?。？！])\s+")
_LEANING = {
    "en": r"it|its|they|them|their|these|those|this|that|he|she|him|her|his|hers|there|then|such|same|instead|otherwise"
          r"|other|others|one|ones|also|too|still|else|another|either|neither|both",
    "de": r"er|sie|es|ihn|ihm|ihr|ihre|ihrem|ihren|sein|seine|seinen|diese|dieser|dieses|diesem|davon|dafür|dazu|dort"
    r"|da|dann|das|auch|dasselbe|sonst|noch|stattdessen",
    "fr": r"il|elle|ils|elles|le|lui|leur|leurs|celui|celle|ceux|cela|ça|ce|cet|cette|ces|son|sa|ses|en|y|aussi|alors"
    r"|même|sinon|autre|autres",
    "es": r"él|ella|ellos|ellas|lo|le|les|eso|esto|ese|esa|este|esta|su|sus|también|entonces|mismo|misma|otro|otra|ahí",
}  # fmt: skip
_LEANS = {name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for name, words in _LEANING.items()}
_ANYWHERE = re.compile(
    rf"\b(?:{'|'.join(_LEANING.values())}|y|e|lui|lei|loro|questo|quello|ele|ela|isso|hij|zij|dit|dat|deze)\b",
    re.IGNORECASE,
)
_CLITIC = re.compile(r"\b\w+(?:ar|er|ir)(?:l[oae]s?)\b|-(?:ils?|elles?|l[ae]s?)\b", re.IGNORECASE)
# "the fridge was off": what begins so is known from before, unless more words say which
_KNOWN_FIRST = re.compile(
    r"^(?:the|der|die|das|den|le|la|les|l['’]|el|los|las) ?[^\W\d_]+ (?!of\b|for\b|that\b|which\b|des?\b|du\b|d['’]"
    r"|von\b|der\b|del\b)",
    re.IGNORECASE,
)
# "the riser of a stair" is told by its own words
_DEFINITE = re.compile(
    r"\b(?:the|der|die|das|den|dem|le|la|les|el|los|las|my|mein\w*|mon|ma|mes|mis?|our|unser\w*)\b"
    r"(?! [^\W\d_]+(?: [^\W\d_]+)? (?:of|eine[rs]|d['’]une?|de une?|del?|du|des)\b)",
    re.IGNORECASE,
)
_INDEFINITE = re.compile(
    r"\b(?:an?|every|each|any|eine?[nmrs]?|jede[rsnm]?|une?|des|chaque|un[oa]?s?|cada|any)\b", re.IGNORECASE
)
_LEANS_EAST = re.compile(
    r"[一-鿿ァ-ヴ]も|同じ|同様|一緒|[そこ][のれ]|[가-힣\d]+도(?= )|같은|같이|그 |이것|同样|一样|也|这|那"
)
_EAST = re.compile("[\u3040-\u9fff\uac00-\ud7ff]")


def stands_alone(turn: str, earlier: str, known: str, language: str = "") -> bool:
    """Whether a later turn could be asked without the ones before.

    Args:
        turn: The last turn.
        earlier: The turns before it.
        known: All that the case speaks of beside its turns (evidence and answer); "" = nothing to compare with.
        language: Tag; "" = unknown.
    """
    text = turn.strip().lstrip(_STARTS)
    if leans(turn, language):
        return False
    asked = _SENTENCE.split(text)[-1]
    mine = subjects(text)
    elsewhere = not mine & (subjects(earlier) | subjects(known)) if known.strip() else False
    if _EAST.search(text):
        return elsewhere and len(mine) >= 3 and not _LEANS_EAST.search(text)
    pattern = _LEANS.get(language.partition("-")[0].casefold(), _ANYWHERE)
    if elsewhere and len(mine) >= 2 and not _KNOWN_FIRST.match(text):
        indefinite, definite = bool(_INDEFINITE.search(text)), bool(_DEFINITE.search(text))
        if len(mine) >= (2 if indefinite and not definite else 3 if indefinite or not definite else 4):
            return True
    if pattern.search(asked) or _CLITIC.search(asked):
        return False
    own = subjects(asked)
    return len(own) >= 4 and len(own & subjects(earlier)) < 0.25 * len(own)
