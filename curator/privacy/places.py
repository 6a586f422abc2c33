"""Postal addresses, as they are written in English, in the languages around it, and in Korea, Japan and China."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.privacy.finding import Finding
from curator.privacy.people import UPPER, WORD

_STREET = (
    r"St(?:reet)?|Ave(?:nue)?|R(?:oa)?d|Blvd|Boulevard|Lane|Ln|Dr(?:ive)?|Court|Ct|Way|Parkway|Pkwy|Place|Pl|Square|Sq|Terrace|Ter|Circle|Cir"
    r"|Highway|Hwy|Crescent|Close|Loop|Trail|Trl|Row|Gardens|Grove|Mews|Alley|Pike|Run|Plaza|Walk|Rise|Hill|View|Wharf|Quay"
)
_STREET_WORDS = frozenset(
    "st street ave avenue rd road blvd boulevard lane ln dr drive court ct way parkway pkwy place pl square sq terrace ter circle cir highway hwy crescent close loop trail trl row gardens "
    "grove mews alley pike run plaza walk rise hill view wharf quay".split()
)
_UNIT = (
    r"(?:\.?,?\s*(?:\b(?:Apt|apt|Apartment|Suite|suite|Unit|Ste|Flat|Floor|Fl|Room|Bldg|Building)\b\.?|#)\s*#?\w+\.?)"
)
_NO_TOWN = (
    r"(?!(?:The|A|An|I|We|He|She|It|They|You|Please|Pls|Thanks|Thank|Can|Could|How|What|When|Where|Why|Who|Is|Are|Do|Does|And|But|My|Our|His|Her|This|That|There"
    r"|Apt|Suite|Phone|Tel|Fax|Mobile|Email|E|Mr|Mrs|Ms|Dr|Regards|Kind|Best|Name|Issue|Since|For|If|Not|No|Yes|On|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b)"
)
_TOWN_WORD = rf"{_NO_TOWN}(?:(?:St|Ste|Mt|Ft|Bad)\.|[{UPPER}][^\W\d_]*(?:['’-]+[^\W\d_]+)*\)?)"
_TOWN = rf"(?:\(?{_TOWN_WORD}(?:[ -](?:(?:de|del|di|da|do|la|le|les|am|an der|im|in|op|upon|on|nad|nan|sur|u)[ -])?\(?{_TOWN_WORD}){{0,3}})"
_BRITISH = r"[A-Z]{1,2}\d[A-Z\d]?\s*\d[A-Z]{2}"
_CODE = rf"(?:{_BRITISH}|(?:[A-Z]{{1,2}}-)?(?:\d{{5}}(?:-\d{{3,4}})?|\d{{4}}\s?[A-Z]{{2}}\b|\d{{4}}-\d{{3}}|\d{{3}} \d{{2}}|\d{{2}}-\d{{3}}|\d{{4}}))"
_STATE_CODE = rf"(?:[A-Z]{{2,3}}\s+\d{{4,5}}(?:-\d{{4}})?|{_BRITISH}|\d{{5}})"
_ENDS = r"(?=\s*(?:[,.;:?!)\n]|$)|\s+(?:and|or|for|to|in|is|was|but|which|because|last|after|before|since|so|on|at|by|near|with|has|have|need|y|et|und|e|en)\b)"
_PLACE = rf"(?:{_CODE}\s+{_TOWN}|{_TOWN}\s+{_STATE_CODE}|{_TOWN}(?:\s+\d{{4,6}})?|nan\b(?:\s+\d{{4,6}})?|{_CODE}|[A-Z]{{2,3}}(?:\s+\d{{4,6}})?){_ENDS}"
_REST = re.compile(
    rf"{_UNIT}{{0,2}}(?:(?:(?:\s*,\s*|\s*\n[ >?\t]*,?\s?){_PLACE}){{1,4}}|,?\s+{_TOWN},?\s+{_STATE_CODE}\b|,?\s+{_STATE_CODE}\b|\s+{_TOWN}(?=\s*(?:$|[.?!\n])))?"
)
_ENGLISH_ADDRESS = re.compile(rf"\b\d{{1,6}}[A-Z]?\s+(?:[NSEW]\.?\s+)?(?:[A-Z][\w'.-]*\s+){{1,4}}?(?:{_STREET})\b")
_EURO_ADDRESS = re.compile(
    r"\b(?:Calle|Avenida|Avda?\.|Rue|Avenue|Via|Viale|Piazza|Piazzetta|Corso|Largo|Vicolo|Strada|Rua|Travessa|Praça|Plaza|Place|Paseo|Carrer|Camino|Boulevard|Allée|Chemin|Impasse)\s+"
    r"(?:d[eu]s?\s+|de la\s+|du\s+|della?\s+)?[A-ZÀ-Ý][\w'À-ÿ -]{2,30}?,?\s*\d{1,4}(?:,\s*\d{1,2}º\s?[A-Z]?)?(?:,?\s*\d{4,5}\s+[A-ZÀ-Ý][\wÀ-ÿ-]+)?"
    r"|\bC/\s?[A-ZÀ-Ý][\w'À-ÿ -]{2,30}?,?\s*\d{1,4}"
    r"|\b\d{1,4}(?:\s?(?:bis|ter))?,?\s+(?:rue|avenue|boulevard|place|chemin|impasse|allée|quai|route|cours)\s+[\w'À-ÿ -]{3,40}(?:,?\s*\d{5}\s+[A-ZÀ-Ý][\wÀ-ÿ-]+)?"
    r"|\b[A-ZÄÖÜÅØÆÞ][^\W\d_-]*(?:straße|strasse|str\.|weg|allee|platz|gasse|ring|damm|ufer|straat|laan|gracht|kade|plein|gade|vej|gatan|vägen|katu|tie|vænget|vangen|veien|gata)\s+\d{1,4}\s?[a-z]?\b(?:,?\s*(?:\d{4,5}|\d{4}\s?[A-Z]{2})\s+[A-ZÄÖÜ][\wäöüß-]+)?"
    rf"|\b[{UPPER}][^\W\d_-]+\s+(?:Straße|Strasse|Str\.|Platz|Allee|Weg|Gasse|Ring|Damm|Ufer|gate|gata|vei|vej|tér|utca|út|útja|körút)\s+\d{{1,4}}\s?[a-z]?\b"
    rf"|\b(?:ul|al|os|pl)\.\s+[{UPPER}][^\W\d_-]+(?:\s[{UPPER}][^\W\d_-]+){{0,2}}\s+\d{{1,4}}\b"
)
_NO_STREET = (
    r"(?!(?:Table|Section|Article|Chapter|Figure|Fig|Page|Version|Phase|Annex|Form|Type|Class|Grade|Level|Step|Part|Windows|Model|Rule|Note|Item|Case|Day|Week|Year|Order|Invoice|Ticket"
    r"|January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember"
    r"|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b)"
)
_CODED_ADDRESS = re.compile(
    rf"(?<![\w.-]){_NO_STREET}{WORD}(?:[ -](?:{WORD}|de|la|der|den|dem|van|von|di|da|do|das|del)){{0,4}}\s+\d{{1,4}}\s?[a-zA-Z]?(?:,\s*\d{{1,2}}º\s?[A-Z]?)?\s*[,\n]\s*"
    rf"(?!(?:19|20)\d\d\s)(?:[A-Z]{{1,2}}-)?(?:\d{{5}}|\d{{4}}\s?[A-Z]{{2}}|\d{{4}}-\d{{3}}|\d{{3}} \d{{2}}|\d{{2}}-\d{{3}}|\d{{4}})\s+{_TOWN}"
)
_BOX = re.compile(
    r"\b(?:P\.?\s?O\.?\s?Box|Postfach|PSC|Unit)\s+\d+(?:,?\s*Box\s*\d+)?(?:\s+(?:APO|FPO|DPO)\s+[A-Z]{2}\s+\d{5})?|\b(?:USNS|USS|USNV|USCGC)\s+\w+\s+(?:APO|FPO|DPO)\s+[A-Z]{2}\s+\d{5}"
    r"|\b(?:APO|FPO|DPO)\s+[A-Z]{2}\s+\d{5}|\b(?:Suite|Apt\.?|Apartment)\s+\d+\b"
)
_CORNER = re.compile(
    rf"\b(?:the )?corner of (?:[\d{UPPER}][\w.'’-]*\s+){{1,6}}(?:and|&)\s+[\d{UPPER}][\w'’-]*(?:\s+[{UPPER}][\w'’-]*){{0,2}}"
)
_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mär|Mai|Okt|Dez"
_NUMBERED = re.compile(
    rf"(?<![\w.,-])(?!(?:19|20)\d\d[ \t])\d{{2,6}}[ \t]+(?!(?:{_MONTHS})|(?:Months?|Years?|Days?|Weeks?|Hours?|Stars?|Minutes?|Percent|Items?|Steps?)\b|[^\n,]{{0,30}}\b(?:Part|Page|Section|Article|Chapter|Vol|No|CFR|USC|CE|EC|EU)\b)(?:(?:ul|Avda?|Av|Str|C)\.?/?[ \t]+)?{WORD}(?:[ \t]+(?:(?:de|del|di|da|do|la|le|z)[ \t]+){{0,2}}{WORD}){{0,3}}(?:\s+(?:utca|út|tér|gate|vej|u)\b\.?)?"
    rf"[ \t]+\d{{1,4}}(?![.,]\d|\s?[%€$£])\.?(?=\s*(?:\n|,|$|[.?!]|(?:Suite|Apt))|\s+(?:and|for|last|after|in)\b)"
)
_BEFORE = re.compile(
    rf"(?:(?<!\w)(?:Flat|Unit|Apt|Apartment|Suite|Room|Floor)\b\.?\s*#?\w{{1,5}},?\s+(?:{WORD}(?:\s+{WORD})?,\s+)?)?(?:(?<![\w.,-])\d{{1,6}}[A-Za-z]?,?\s+(?:{WORD}\s+(?:{WORD}\s+)?\d{{1,4}}\.?\s+)?)?\Z"
)
_LABELED_ADDRESS = re.compile(
    r"(?i:\b(?:(?:e?mail |postal |home |billing |shipping |delivery |new |old |current )?address(?: is\b|\s*[:-])|lives? (?:at|on)|living at|reside at|residing at|(?:moved|moving) (?:to|from)"
    r"|apartment is|house is|office is at|located at|ship(?: it| this)? to|send(?: it| this)? to|deliver(?: it)? to|sent (?:there )?to|meet (?:me|you) at|return to|taxi to"
    r"|wohne(?:n)? (?:in der|in|am|im)|anschrift|adresse (?:lautet|ist)|adresse\s*:|dirección(?: es|:)|vivo en|domicilio(?: es|:)|j'habite(?: au)?|domicilié(?:e)? (?:au|à)|mon adresse est|woon (?:op|in|aan)(?: de| het)?|adres is|abito in|indirizzo(?: è|:)"
    r"|moro (?:na|no|em)|bor (?:på|i)|mieszkam (?:przy|na))\s*:?\s+)"
    r"((?=[^\n.?!]{0,60}\d)(?-i:[\d#A-ZÀ-Ý])[^\n?!;]{4,90}?)(?=$|\n|[?!;]|\.\s|\.$|,? (?:and|but|please|because|with|which|is|to|for|so|my|i|last|since|et|und|y|e|en|attn)\b)"
)
_LABEL_WORDS = frozenset(
    "address live lives living reside residing moved moving apartment house office located ship send deliver sent meet return taxi wohne wohnen anschrift adresse dirección vivo "
    "domicilio habite domicilié domiciliée woon adres abito indirizzo moro bor mieszkam".split()
)
_COUNTED = re.compile(
    r"\b(?:Total|Other|Others|Unspecified|Unknown|Average|Mean|Male|Female|Austria|Belgium|Bulgaria|Croatia|Cyprus|Czech|Denmark|Estonia|Finland|France|Germany|Greece|Hungary|Iceland"
    r"|Ireland|Italy|Latvia|Lithuania|Luxembourg|Malta|Netherlands|Norway|Poland|Portugal|Romania|Russia|Serbia|Slovakia|Slovenia|Spain|Sweden|Switzerland|Turkey|Ukraine|Kingdom|States"
    r"|Canada|Mexico|Brazil|Argentina|Chile|China|Japan|Korea|India|Indonesia|Australia|Zealand|Africa|Asia|Europe|America|Israel|Egypt|Nigeria|Kenya)\b"
)
"""What stands between two numbers in the row of a table."""
_KOREAN_ADDRESS = re.compile(
    r"(?:[가-힣]{2,7}(?:특별시|광역시|특별자치시|특별자치도|도|시)\s+)?(?:[가-힣]{1,8}(?:시|군|구)\s+){1,2}[가-힣\d]{1,12}(?:로|길|동|읍|면|리)(?=[\s\d])(?:\s*\d+(?:-\d+)?)(?:번지|번길)?(?:\s*\d+(?:-\d+)?)?(?:,?\s*(?:\d+동\s*)?\d+(?:층|호))?"
)
_JAPANESE_ADDRESS = re.compile(
    r"[一-龥]{2,3}[都道府県][一-龥ぁ-んァ-ヶ]{1,8}[市区町村][一-龥ぁ-んァ-ヶ]{1,10}[\d０-９]+(?:[-－丁目番地の][\d０-９]+)*"
)
_CHINESE_ADDRESS = re.compile(
    r"[\u4e00-\u9fff]{2,8}(?:省|市|区|县)[\u4e00-\u9fff]{2,12}(?:路|街|道|巷)\d{1,5}号(?:\d+(?:室|号楼|单元))*"
)
_PATTERNS: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = (
    (_ENGLISH_ADDRESS, _STREET_WORDS),
    (_EURO_ADDRESS, frozenset()),
    (_CODED_ADDRESS, frozenset()),
    (_BOX, frozenset("box postfach psc unit usns uss usnv uscgc apo fpo dpo suite apt apartment".split())),
    (_NUMBERED, frozenset()),
    (_CORNER, frozenset({"corner"})),
)
"""Each with the words of which one must be in the text; none = always."""


def find_places(text: str, words: frozenset[str]) -> Iterator[Finding]:
    """Postal addresses, in a text that has digits and these words."""
    for pattern, needed in _PATTERNS:
        if needed and words.isdisjoint(needed):
            continue
        for m in pattern.finditer(text):
            if pattern is not _NUMBERED or not _COUNTED.search(m[0]):
                yield _whole(text, m.start(), m.start() + len(m[0].rstrip(" ,.\n")))
    for m in () if words.isdisjoint(_LABEL_WORDS) else _LABELED_ADDRESS.finditer(text):
        yield _whole(text, m.start(1), m.start(1) + len(m[1].rstrip(" ,.")))
    if not text.isascii():
        for pattern in (_KOREAN_ADDRESS, _JAPANESE_ADDRESS, _CHINESE_ADDRESS):
            for m in pattern.finditer(text):
                yield Finding(m.start(), m.start() + len(m[0].rstrip()), "address")


def _whole(text: str, start: int, end: int) -> Finding:
    """An address with the number before it, and the lines of town, code and country below it."""
    if before := _BEFORE.search(text, max(0, start - 60), start):
        start = before.start()
    if after := _REST.match(text, end):
        end = after.start() + len(after[0].rstrip(" ,.\n"))
    return Finding(start, max(start, end), "address")
