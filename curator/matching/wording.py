"""The wording of a question: what is compared when failures are folded. And its guard: what must be equal in two of them.

Personal details, greetings and thanks are put aside; case, spacing, punctuation and Unicode forms are folded.
"""

from __future__ import annotations

import re
import unicodedata

_PLACEHOLDER = re.compile(r"\[[A-Z][A-Z_]{1,30}(?:_\d{1,6})?\]")
_SENTENCE = re.compile(r"(?<=[.!?。？！])\s+|\n+|(?<=[。？！])")
_LEADING = re.compile(
    r"^(?:(?:hi|hello|hey|hiya|dear (?:all|team|sir|madam|support|sirs?)|good (?:morning|afternoon|evening|day)|greetings|hallo|guten (?:tag|morgen|abend)"
    r"|bonjour|hola|ciao|sorry|excuse me|thanks|thank you|ok|okay|so|well|um|quick question|question|one more thing|안녕하세요|您好|你好|こんにちは)"
    r"(?: (?:there|all|team|everyone|bot|again))?[\s,.!:;–—-]+"
    r"|(?:please|pls|plz|bitte|por favor|s'il vous plaît|혹시|请问)[\s,]+"
    r"|(?:(?:can|could|would|will) (?:you|someone|anyone|anybody) (?:please )?(?:kindly )?(?:tell|explain to|inform|advise|help) (?:me|us)(?: with| understand| out)?"
    r"|(?:please )?(?:tell|explain to|inform|remind) (?:me|us)|(?:i|we) (?:want|need|would like|'d like|wanted|wish) to (?:know|ask)(?: you)?|i was wondering|i wonder"
    r"|do you know|let me know|(?:können|könnten) sie mir (?:bitte )?(?:sagen|erklären)|ich (?:möchte|würde gerne?) wissen|pourriez-vous me dire)[\s,:]+)"
)
_TRAILING = re.compile(
    r"[\s,.!?;:()–—-]*\b(?:thanks?(?: you)?(?: (?:so|very) much| a lot| in advance)?|thx|many thanks|please|pls|plz|asap|urgent|danke(?: schön)?|vielen dank"
    r"|bitte|merci|gracias|grazie|regards|cheers|help)[\s.!?()]*$|\s*(?:감사합니다|고맙습니다|谢谢|ありがとうございます)[\s.!?。]*$"
)
_ANAPHORA = re.compile(
    r"\b(?:he|she|it|they|him|her|his|hers|its|them|their|this|that|these|those|there|then|one|er|sie|es|ihm|ihr|il|elle|lui|dies\w*)\b|그|이것|저것|它|他|她|これ|それ",
    re.I,
)
_FOLLOW_UP = re.compile(r"(?:and|but|or|what about|how about|und|et|y|e|그럼|그리고|那|では)\b", re.I)

_NUMBER_WORDS = {
    word: str(value)
    for value, words in {
        0: "zero null zéro cero 영 零", 1: "one eins ein eine une uno una 하나 한 一", 2: "two zwei deux dos due both 둘 두 二 两",
        3: "three drei trois tres tre 셋 세 三", 4: "four vier quatre cuatro quattro 넷 네 四", 5: "five fünf cinq cinco cinque 다섯 五",
        6: "six sechs seis sei 여섯 六", 7: "seven sieben sept siete sette 일곱 七", 8: "eight acht huit ocho otto 여덟 八",
        9: "nine neun neuf nueve nove 아홉 九", 10: "ten zehn dix diez dieci 열 十", 11: "eleven elf onze once undici", 12: "twelve zwölf douze doce dodici",
        13: "thirteen", 14: "fourteen", 15: "fifteen quinze", 16: "sixteen", 17: "seventeen", 18: "eighteen", 19: "nineteen",
        20: "twenty zwanzig vingt veinte venti", 30: "thirty dreißig trente", 40: "forty vierzig quarante", 50: "fifty fünfzig cinquante", 60: "sixty",
        70: "seventy", 80: "eighty", 90: "ninety", 100: "hundred hundert cent cien 百 백", 1000: "thousand tausend mille mil 千 천", 10000: "万 만",
        1000000: "million millionen millón", 1000000000: "billion milliarde",
    }.items()
    for word in words.split()
}  # fmt: skip
_NUMBER_WORDS |= {
    "half": "1/2",
    "twice": "2x",
    "once": "1x",
    "first": "1st",
    "second": "2nd",
    "third": "3rd",
    "fourth": "4th",
    "fifth": "5th",
    "double": "2x",
    "dozen": "12",
}
_NEGATIONS = frozenset(
    "not no never without none nothing nobody nowhere cannot neither nor except unless excluding nicht kein keine keinen nie ohne außer pas sans jamais "
    "sauf sin nunca ningún senza mai não sem 안".split()
)
_OPPOSITES = frozenset(
    "before after above below over under more less fewer least most minimum maximum min max within beyond earlier later start end begin finish first last "
    "always sometimes only all any every each allowed forbidden prohibited legal illegal valid invalid increase decrease increased decreased up down left "
    "right open close opened closed open closing opening buy sell new old yes inside outside mandatory optional must may can should possible impossible "
    "male female mother father parent parents employer employee buyer seller lender borrower tenant landlord morning afternoon evening night today tomorrow "
    "yesterday weekly daily monthly yearly annual quarterly vor nach mit über unter mehr weniger 전 후 이상 이하 초과 미만 前 后 後".split()
)
_MODALS = frozenset("must may can should".split())
_REAL = frozenset((
    "aboe acth afer alter annal annul anual befre beginn bein bellow billon blow booth canot cerro cine colse cose "
    "creo cuarto daly decease deceased dici doble docce doen doze drie duze eery elft elven employe enver fater "
    "finnish fist forth frist halff hone iene iens ilegal illegaal imposible inne keien keinn keinne kenen kien "
    "kiene kienen kine laer lasst lats latter leal leder leeft legaal lener lest malle mile milliade millionn "
    "minium mlle moer moore mots musst muts neer nether neve nien niht noce noe noen nonne noot noting nuca nuder "
    "oen onne ont opeen opende paret poen posible prent quarte quater quatto quine sart secs seen seite sena sete "
    "settee site spet staart starrt stat stete sven tauend teen tente thee there toady toto tow tree trees trennte "
    "tress trete trios tris tros uner unici veening veine venite vente veti viezig vinte vire voer weiger wto zhen "
).split())  # fmt: skip
"""Words of their own that a slip makes of the words above."""


def _misspelt() -> dict[str, str]:
    """What slips of typing make of numbers, negations and opposites: "fvie" is five, "nto" is not."""
    known = {*_NUMBER_WORDS, *_NEGATIONS, *_OPPOSITES}
    made: dict[str, str] = {}
    for word in sorted(
        w for w in known if w.isascii() and w.isalpha() and (len(w) >= 4 or w in ("not", "one", "two", "six", "ten"))
    ):
        for n in range(len(word)):
            slips = [word[:n] + word[n] * 2 + word[n + 1 :], word[:n] + word[n + 1 : n + 2] + word[n] + word[n + 2 :]]
            if 0 < n < len(word) - 1 and len(word) >= 5:
                slips.append(word[:n] + word[n + 1 :])
            for slip in slips:
                if slip not in known and slip not in _REAL:
                    made.setdefault(slip, word)
    return made


_MISSPELT = _misspelt()
_NEGATING = ("않", "못", "없", "아니", "말아", "마세", "不", "没", "沒", "無", "未", "非")
_DIGIT = re.compile(r"\d")
_KOREAN_UNIT = re.compile(r"(\d+(?:[.,]\d+)?)")


def normalised(text: str) -> str:
    """Compatibility forms and case folded, punctuation and repeated white space gone, numbers kept whole."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'").replace("n't", " n't")
    folded = re.sub(r"(?<=[^\W\d_])-(?=[^\W\d_])", "", folded)
    return " ".join(
        re.sub(
            r"[^\w'%$€£¥.,:/+-]+|(?<!\d)[.,:/]|[.,:/](?!\d)|(?<!\s)[+-](?!\d)|[+-](?!\d)|'(?!\w)|(?<!\w)'", " ", folded
        ).split()
    )


def wording(question: str) -> str:
    """The normalised question without greetings, thanks and sentences that only carry personal details.

    A sentence with a placeholder is left out only when what is left stands alone: it has words enough, and no "he" or
    "it" that speaks of the sentence before it.
    """
    if "[" in question and _PLACEHOLDER.search(question):
        question = _without_details(question)
    plain = normalised(question)
    while (m := _LEADING.match(plain)) and len(plain) - m.end() >= 8:
        plain = plain[m.end() :]
    while (m := _TRAILING.search(plain)) and m.start() >= 8:
        plain = plain[: m.start()]
    return plain.strip()


def _without_details(question: str) -> str:
    sentences = [s for s in _SENTENCE.split(question) if s and s.strip()]
    kept = [s for s in sentences if not _PLACEHOLDER.search(s)]
    rest = " ".join(kept)
    stands = len(rest.split()) >= 4 or (len(rest) >= 10 and not rest.isascii())
    return rest if kept and stands and not _ANAPHORA.search(rest) else question


def is_follow_up(question: str) -> bool:
    """Whether a question leans on the one before it: "And if she is away?" says another thing in each conversation."""
    return _FOLLOW_UP.match(question.strip()) is not None


def guard(plain: str) -> tuple[str, ...]:
    """What must be equal in two wordings, sorted: numbers and number words, negation, codes, words that have an opposite.

    Args:
        plain: A normalised text.
    """
    found: list[str] = []
    for written in plain.split():
        word = _MISSPELT.get(written, written)
        if _DIGIT.search(word):
            found.append(word)
        elif word in _NUMBER_WORDS:
            found.append(_NUMBER_WORDS[word])
        elif word in _NEGATIONS or word == "n't":
            found.append("not" if word == "n't" else word)
        elif word in _OPPOSITES and word not in _MODALS:
            found.append(word)
    if not plain.isascii():
        found += [m for m in _NEGATING for _ in range(plain.count(m))]
    return tuple(sorted(found))


def last_question(question: str) -> str:
    """The last sentence that asks something; else the longest. What stands before it is mostly the occasion."""
    sentences = [s.strip() for s in _SENTENCE.split(question) if s and s.strip()]
    asking = [s for s in sentences if s.endswith(("?", "？", "까", "까?", "요?"))]
    if asking:
        return asking[-1]
    return max(sentences, key=len) if sentences else question
