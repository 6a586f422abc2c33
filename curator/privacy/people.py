"""Names that their context gives away: a title, a relation, a verb of saying. Bare ones are for `given` and the model."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.privacy.finding import Finding

UPPER = "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĘĚĞĢĪĮİĶĻŁŃŅŇŐŒŘŚŞŠŢŤŪŮŰŲŹŻŽƠƯẠ-Ỹ"
WORD = rf"(?:[{UPPER}][\w'’]*(?:-[{UPPER}]?[\w'’]+)*)"
PARTICLE = r"(?:de|da|do|dos|das|di|del|della|van|von|der|den|ten|ter|al|el|bin|ibn|la|le|y|e|zu|O'|Mc)"
NAME = rf"{WORD}(?:\s+(?:(?:{PARTICLE}\s+){{0,2}}{WORD}|[{UPPER}]\.)){{0,3}}"
FULL = rf"{WORD}\s+(?:(?:{PARTICLE}\s+){{0,2}}{WORD}|[{UPPER}]\.\s+{WORD})(?:\s+{WORD}){{0,2}}"
NOT_NAMES = frozenset(
    "The A An In On At To For Of And Or But If This That These Those It He She We You They What When Where Who Why How Is Are "
    "Was Were Do Does Did Can Could May Must Should Will Would Have Has Not No Yes My Our Your His Her Their Please Thanks "
    "Thank Hello Hi Dear Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April June July "
    "August September October November December Article Section Table Form Plan Room Annex Sorry Sir Madam Team All "
    "Mr Mrs Ms Dr Prof Herr Frau Mme CPF CNPJ DNI NIE NIF BSN IBAN BIC VAT NHS SSN PIN SIM API Cordialement Salutations Saludos Gracias Groeten Groet Merci "
    "Freundlichen Freundliche Grüßen Grüße Guten Tag Hallo Bonjour Hola Ciao Very Really So Quite Just Too Extremely Still Already Also Unable Trying Having Getting "
    "Looking Interested Disappointed Furious Angry Happy Sad Sure Sick Done Waiting Confused Personal Info Policy Account Premium Service Services Help Claims Billing Sales Legal Payments "
    "Viele Liebe Beste Mit Bien Cordiali Distinti Sent From Subject Date Re Fwd Everyone Support Customer Guest There Good Both Regards Signed Sincerely Cheers Greetings Wishes Best Kind Yours Whom Whose Household Households Parents Staff Children Pupil Pupils".split()
)

_TITLES = r"(?:Mr|Mrs|Ms|Miss|Dr|Prof|Herrn?|Frau|Mme|Sir|Ing|Dipl)\.?\s+"
_STRONG = re.compile(
    rf"\b(?:[Mm]y (?:full |first |last )?name is|[Nn]ame(?: is|:)|[Mm]rs?\.?|[Mm]s\.?|[Mm]iss|[Dd]r\.?|[Pp]rof\.?|[Mm]ein Name ist"
    rf"|[Ii]ch heiße|[Jj]e m['’]appelle|[Mm]e llamo|[Mm]i nombre es|[Mm]i chiamo|[Mm]eu nome é|[Ff]rau|[Hh]errn?|[Mm]me\.?|[Mm]onsieur"
    rf"|[Mm]adame|[Ss]ra?\.?|[Mm]ijn naam is|[Ss]igned,?|[Nn]amed|[Dd]ear)\s+(?:{_TITLES})*((?:(?:van|von|de|der|den|di|da|al|el|ten)\s+){{0,2}}{NAME})"
)
_WEAK = re.compile(
    rf"\b(?:I am|I['’]m|[Tt]his is(?: about)?|[Pp]atient|[Cc]lient|[Ss]tudent|[Tt]eacher|[Nn]urse|[Ss]on|[Dd]aughter|[Cc]hild|[Ww]ife"
    rf"|[Hh]usband|[Mm]other|[Ff]ather|[Bb]rother|[Ss]ister|[Rr]egards,?|[Ss]incerely,?|[Gg]reetings,?|[Cc]heers,?|[Ww]ishes,?"
    rf"|[Cc]ontact|[Aa]sk for|[Ss]peak (?:to|with)|[Aa]ttn\.?:?|c/o|[Cc]olleague|[Nn]eighbou?r|van|di|de la part de"
    rf"|i\.A\.|[Gg]rüße,?|[Cc]ordialement,?)\s+({FULL})"
)
_SAYING = re.compile(
    rf"(?<![\w-])({FULL})(?=,? (?:told|asked|said|wrote|called|reported|wants|requested|complained|phoned|emailed|lives|is my|was born|has (?:asked|told|called)))"
)
_KIN = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er) (?:\w+ ){{0,2}}(?:grand)?(?:kid|son|daughter|child|wife|husband|mother|father|brother|sister|cousin|uncle|aunt|partner|baby|boy|girl|friend"
    rf"|colleague|boss|nephew|niece|teacher|doctor|landlord|neighbo?u?r)(?:,| (?:is|was) (?:called|named))? ({WORD}(?:\s+{WORD})?)"
)
_ACCOUNT = re.compile(
    rf"(?i:\b(?:last name|first name|surname|full name|name on the account|under (?:my|his|her|our|the) (?:\w+['’]s )?name|add|named? (?:him|her)|change it to|account holder"
    rf"|beneficiary|guardian|directed by|written by|sung by|signed by|submitted by|prepared by|sent by)\b[?:]*\s+(?:user:\s*)?)({NAME})"
)
_LIVES = re.compile(rf"(?:^|[.!?\n]\s*)({NAME}) (?:lives (?:in|on|at)|is from|is very|spent)\b")
_HEAD = re.compile(
    rf"(?m)^[> ]*(?:Name:?\s+)?({WORD}(?:[ \t]+(?:{PARTICLE}[ \t]+)?(?:{WORD}|[{UPPER}]\.?)){{1,3}})[ ,]*$"
)
_SIGNED = re.compile(
    rf"(?:[Rr]egards|[Ss]incerely|[Cc]heers|[Tt]hanks|[Gg]rüße|[Gg]reetings|[Ww]ishes),?\s*\n\s*({NAME})\s*(?:\n|$)"
)
_BELOW = re.compile(
    r"[^\n]*(?:\n[^\n]*){0,2}?\n[> ]*(?:\d{1,6}[A-Za-z]?,?\s+[^\W\d]|[^\n]*@|[^\n]*(?i:\b(?:phone|tel|mobile|fax|cell)\b)|\+\d)"
)
"""What stands under a name in a signature or on an envelope, at most three lines below it."""
FIRM = re.compile(
    r"\b(?:Inc|LLC|Ltd|Limited|Corp|Corporation|Company|Co|GmbH|AG|SA|SpA|BV|Partners|Group|Holdings?|Bank|School|University"
    r"|College|Hospital|Clinic|Department|Office|Center|Centre|Services?|Solutions|Systems|Manager|Director|Engineer|Officer"
    r"|Details|Information|Address|Number|Road|Street|City|County|Province|Republic|Kingdom|States)\b"
)
_DIGIT = re.compile(r"\d")
_LOWER = re.compile(
    r"\b(?:my name is|name:|i am called|call me)\s+([a-zà-ÿ]+(?:[ -][a-zà-ÿ]+){0,2}?)(?=\s*(?:[,.;!?]|\band\b|\bfrom\b|\bwith\b|\bmy\b|$))"
)
_CONTACT = re.compile(r"@|(?i:\b(?:phone|tel|mobile|fax|office|address|apt|suite|street)\b)|\d{5}|\+\d")
_VIETNAMESE = re.compile(
    r"(?<!\w)(?:Nguyễn|Trần|Lê|Phạm|Hoàng|Huỳnh|Phan|Vũ|Võ|Đặng|Bùi|Đỗ|Hồ|Ngô|Dương|Lý)(?:\s+[A-ZĐÀ-Ỹ][a-zà-ỹ]+){1,3}"
)

_SUR = "김이박최정강조윤장임한오서신권황안송류유전홍고문양손배백허남심노하곽성차주우구민진나지엄원채천방공현함변염여추도소석선설마길연위표명기반라왕금옥육인맹제모탁국어은편용"
_KO_NAME = rf"(?:남궁|황보|제갈|선우|독고|사공)[가-힣]{{1,2}}|[{_SUR}][가-힣]{{2}}"
_KOREAN = re.compile(
    rf"(?<![가-힣])({_KO_NAME})(?=\s?(?:님|씨|고객|환자|학생|어린이|대리|과장|부장|차장|팀장|사원|선생|교수|의사|변호사|이고|입니다|이에요|예요"
    rf"|의 (?:연락처|주소|휴대폰|전화|이메일|계좌|엄마|아빠|어머니|아버지|보호자)))"
    rf"|(?:이름은|이름|성함은|성함|성명은|성명|담당자는?|보호자는?|예금주는?|신청인은?|고객명은?|환자명은?|저는|제 이름은|작성자|수신인?)\s*[:：]?\s*({_KO_NAME}|[{_SUR}][가-힣]{{1,2}})"
    rf"(?=[^가-힣]|이|은|는|의|가|님|씨|라|입|$)"
    rf"|(?<![가-힣])({_KO_NAME})(?=(?:과|와|이랑|랑|에게|한테) (?:통화|연락|상담|전화|이야기|만나))"
)
_CHINESE = re.compile(
    r"(?:我叫|我是|姓名[:：]?|名字[是叫][:：]?)\s*([\u4e00-\u9fff]{2,4}?)(?=[，,。；;！!\s]|$|的|手机|电话)|([\u4e00-\u9fff]{1,2})(?:先生|女士|小姐)(?![\u4e00-\u9fff])"
)
_JAPANESE = re.compile(
    r"(?:名前は|氏名[:：]?|私は)\s*([一-龥ぁ-んァ-ヶ]{2,8}?)(?=です|と申|と言|といい|。|、|\s|$)|([一-龥]{2,5})(?=様(?:[がはのにへを、。\s]|$))"
    r"|(?<![一-龥])((?!患者|業者|利用者|担当者|加入者|被保険者|医者|店員|隣|大家|社員|会員|皆)[一-龥]{2,4})(?=さん(?:[がはのにへをからと、。\s]|$))"
)


# What must be among the words of a text before a pattern is tried: a hundred times as fast.
_GATED: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = tuple(
    (pattern, frozenset(words.split()))
    for pattern, words in (
        (_STRONG, "name mr mrs ms miss dr prof heiße appelle llamo nombre chiamo nome frau herr herrn mme monsieur madame sr sra naam signed named dear"),
        (_WEAK, "am m this patient client student teacher nurse son daughter child wife husband mother father brother sister regards sincerely greetings "
                "cheers wishes contact ask speak attn c colleague neighbor neighbour van di part i grüße cordialement"),
        (_SAYING, "told asked said wrote called reported wants requested complained phoned emailed lives my born has"),
        (_SIGNED, "regards sincerely cheers thanks grüße greetings wishes"),
        (_KIN, "my our his her"),
        (_ACCOUNT, "name named surname add change holder beneficiary guardian directed written sung signed submitted prepared sent"),
        (_LIVES, "lives from very spent"),
    )
)  # fmt: skip


def find_people(text: str, words: frozenset[str]) -> Iterator[Finding]:
    """Names that their context gives away, in a text of these words."""
    for pattern, needed in _GATED:
        for m in () if words.isdisjoint(needed) else pattern.finditer(text):
            start, end = m.span(1)
            if span := trimmed(text, start, end, least=2 if pattern is _WEAK or pattern is _SAYING else 1):
                yield Finding(*span, "person")
    if not words.isdisjoint(("name", "called", "call")):
        for m in _LOWER.finditer(text):
            yield Finding(*m.span(1), "person")
    if "\n" in text and _DIGIT.search(text):
        yield from _signed_above(text)
    if "\n" in text and (head := _HEAD.match(text)) and _CONTACT.search(text):
        yield Finding(*head.span(1), "person")
    if text.isascii():
        return
    for pattern in (_VIETNAMESE, _KOREAN, _CHINESE, _JAPANESE):
        for m in pattern.finditer(text):
            group = m.lastindex or 0
            yield Finding(*m.span(group), "person")


def _signed_above(text: str) -> Iterator[Finding]:
    """Names that begin a block of lines with an address or a number in it."""
    for head in _HEAD.finditer(text):
        above = text[max(0, head.start() - 200) : head.start()].removesuffix("\n").rpartition("\n")[2].strip(" >")
        begins = not above or above[-1] in ",.!?:"
        if begins and not FIRM.search(head[1]) and _BELOW.match(text, head.end()):
            span = trimmed(text, *head.span(1), least=2)
            if span:
                yield Finding(*span, "person")


def trimmed(text: str, start: int, end: int, *, least: int) -> tuple[int, int] | None:
    """A name without the words that are none at its ends: "Ana Silva What" ends before the question."""
    words = [(m.start() + start, m.end() + start) for m in re.finditer(r"\S+", text[start:end])]
    for n, (a, b) in enumerate(words):
        if text[a:b].strip(".,'’") in NOT_NAMES:
            words = words[:n]
            break
    while words and text[slice(*words[-1])] in ("de", "da", "van", "von", "der", "la", "y", "e", "al"):
        words.pop()
    if len(words) < least:
        return None
    return words[0][0], words[-1][0] + len(text[slice(*words[-1])].rstrip(".,'’"))
