"""What must not differ between two wordings of one provision: numbers, dates, units, negation, modals, comparisons.

`critical(text)` is the sequence of such tokens, in order: "5 to 10" is not "10 to 5". A number carries its sign, its
letters ("M1") and the word or symbol after it, so that a unit of any language counts; a negation carries the word that
it negates. The words are those of English, German, French, Spanish, Italian, Portuguese, Dutch, Korean, Japanese and
Chinese. Being strict costs a look, being lax a wrong answer: where a token may be one, it is one.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import Literal

_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_CJK = _HAN + "\u3040-\u30fe\u1100-\u11ff\u3130-\u318f\uac00-\ud7ff"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NEGATIONS = _words(
    "not no never without none nothing nobody nowhere cannot neither nor except excepting excluding unless non unable "
    "nicht nie niemals ohne nichts niemand nirgends weder noch außer ausgenommen sofern "
    "ne pas jamais sans aucun aucune rien ni sauf hormis excepté personne "
    "no nunca jamás sin ningún ninguno ninguna nada ni salvo excepto tampoco "
    "non mai senza nessun nessuno nessuna niente né tranne eccetto salvo "
    "não nunca jamais sem nenhum nenhuma nada nem exceto salvo "
    "niet geen nooit zonder niets noch behalve tenzij anders"
)
_MODALS = _words(
    "shall must may should can could would will might ought need needs maybe required mandatory optional permitted "
    "allowed forbidden prohibited entitled obliged recommended "
    "muss müssen musste müsste darf dürfen durfte dürfte soll sollen sollte sollten kann können konnte könnte könnten "
    "wird werden würde verboten untersagt erlaubt zulässig unzulässig verpflichtet berechtigt "
    "doit doivent devra devront devrait devraient peut peuvent pourra pourront pourrait pourraient interdit interdite "
    "obligatoire facultatif autorisé autorisée faut "
    "debe deben deberá deberán debería deberían puede pueden podrá podrán podría prohibido prohibida obligatorio "
    "permitido "
    "deve devono dovrà dovranno dovrebbe può possono potrà potranno vietato vietata obbligatorio facoltativo "
    "devem deverá deverão deveria pode podem poderá poderão proibido obrigatório "
    "moet moeten mag mogen zal zullen kan kunnen verplicht verboden"
)
_COMPARING = _words(
    "less more fewer least most above below over under before after minimum maximum min max only all any each every "
    "both either or until till within exceed exceeds exceeding up than first last half double twice triple once "
    "weniger mehr mindestens höchstens über unter vor nach nur alle jeder jede jedes beide oder bis innerhalb als "
    "höchst mindest halb doppelt zweimal einmal "
    "moins plus minimum maximum avant après seulement tous toutes chaque ou jusque inférieur supérieur inférieure "
    "supérieure demi double "
    "menos más mínimo máximo antes después solo sólo todos todas cada o hasta inferior superior medio doble "
    "meno più minimo massimo prima dopo solo tutti tutte ogni fino mezzo doppio "
    "menos mais mínimo máximo antes depois apenas todos todas cada ou até meio dobro "
    "minder meer minimaal maximaal voor na alleen alle elk elke beide of tot binnen half dubbel "
    "minus plus"
)
_NUMBER_WORDS = _words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand "
    "million billion trillion "
    "hundreds thousands millions billions second third fourth fifth sixth seventh eighth ninth tenth quarter dozen "
    "null ein eins eine einen einem eines einer zwei drei vier fünf sechs sieben acht neun zehn elf zwölf hundert "
    "tausend million millionen milliarde milliarden erste zweite dritte vierte fünfte erster zweiter dritter viertel "
    "un une deux trois quatre cinq sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante "
    "cinquante soixante cent cents mille milliard milliards premier première deuxième troisième "
    "uno una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince veinte treinta cuarenta "
    "cincuenta sesenta setenta ochenta noventa cien ciento mil millón millones primero primera segundo segunda tercero "
    "due tre quattro cinque sei sette otto nove dieci venti trenta quaranta cinquanta cento mila milione milioni primo "
    "dois duas três quatro sete oito dez vinte cem milhão milhões primeiro terceiro "
    "een twee drie vier vijf zes zeven acht negen tien twintig dertig honderd duizend miljoen eerste tweede derde"
)
_NUMBER_ENDS = re.compile(
    r".+(?:zig|ßig|zehn|hundert|tausend|hundred|thousand|teenth|tieth)|veinti.+|dieci.+|venti.+|.+(?:tig|honderd)"
)
_CALENDAR = _words(
    "january february march april june july august september october november december jan feb mar apr jun jul aug sep "
    "sept oct nov dec monday tuesday wednesday thursday friday saturday sunday "
    "januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag "
    "janvier février mars avril juin juillet août septembre octobre novembre décembre "
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre "
    "gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre "
    "janeiro fevereiro março maio junho julho setembro outubro novembro dezembro"
)
_UNITS = _words(
    "mm cm m km µm μm nm in ft mi kg g mg µg μg ng t lb lbs oz l ml dl µl μl hl s ms min h hr hrs kwh wh mwh w "
    "kw mw gw "
    "v kv mv a ma ka hz khz mhz ghz pa kpa mpa hpa bar mbar psi n kn j kj mj cal kcal k c f ppm ppb mol mmol bq gy sv "
    "second seconds minute minutes hour hours day days week weeks month months year years decade calendar working "
    "business annual annually daily weekly monthly quarterly hourly "
    "percent percentage per euro euros eur usd dollar dollars gbp pound pounds yen won krw jpy chf franc francs "
    "meter meters metre metres kilometer kilometers kilometre kilometres millimeter millimeters millimetre millimetres "
    "centimeter centimeters centimetre centimetres gram grams kilogram kilograms milligram milligrams microgram "
    "micrograms ton tons tonne tonnes liter liters litre litres milliliter milliliters millilitre millilitres degree "
    "degrees celsius fahrenheit kelvin inch inches foot feet mile miles watt watts volt volts ampere amperes newton "
    "joule joules pascal "
    "sekunde sekunden minuten stunde stunden tag tage tagen woche wochen monat monate monaten jahr jahre jahren jahres "
    "prozent kalendertage werktage arbeitstage werktagen kilogramm gramm milligramm tonnen kilometer zentimeter "
    "millimeter grad täglich wöchentlich monatlich jährlich "
    "jour jours semaine semaines mois an ans année années heure heures ouvrables grammes kilogrammes mètre mètres "
    "día días semana semanas mes meses año años hora horas hábiles giorno giorni settimana settimane mese mesi anno "
    "anni dia dias semanas mês ano anos dag dagen weken maand maanden jaar uur"
)
_KNOWN = _NEGATIONS | _MODALS | _COMPARING | _NUMBER_WORDS | _CALENDAR | _UNITS

# Where words are not set apart by spaces, or inflect at their end: what counts is found inside.
_INSIDE = re.compile(
    "않|못|없|아니|안(?= )|말아|금지|제외|불가|미만|이상|이하|초과|이내|까지|부터|하여야|해야|야 한다|야 합니다|"
    "수 있|수 없|의무|허용|권장|경우에만|또는|마다|모든|각각|최대|최소|매일|매주|매월|매년|"
    "(?<![가-힣])(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|스무)(?= |달|번|개|명|주|시간|차례|가지|살|배)|"
    "[일이삼사오육칠팔구]?[십백천][일이삼사오육칠팔구만억]*|일간|시간|개월|주일|주간|"
    "ません|ない|なけれ|なく|ず(?=[、。に])|ぬ|べき|べから|しなければ|できる|できます|できない|てもよい|してよい|"
    "以上|以下|以内|未満|超え|超過|まで|から|のみ|だけ|または|又は|禁止|義務|必須|可能|不可|全て|すべて|"
    "不得|不|未|没|沒|无|無|非|勿|禁|应当|應當|应|應|必须|必須|须|須|可以|可|能|宜|除|至少|至多|最多|最少|超过|"
    "低于|高于|大于|小于|少于|多于|之前|之后|仅|僅|只|所有|全部|每|或|之内|以外|"
    "[一二三四五六七八九十百千万億亿兆两兩半〇零倍]|[年月日週周時时分秒円元]"
)
_TOKEN = re.compile(
    r"(?P<mark>\[\^[^\]]*\])"
    r"|(?P<number>(?:[$€£¥₩±+\-~<>≤≥=≠§#]\s?)*[A-Za-zΑ-ω]{0,6}(?:\^?\d+(?:[.,:/'\u00a0\u202f]\d+)*)"
    rf"(?=\s?(?P<unit>[%‰°][^\W\d_]{{0,3}}|[{_CJK}]{{1,2}}|[^\W\d_]{{1,12}}|[$€£¥₩])?))"
    r"|(?P<item>\((?:[A-Za-z]|[ivxIVX]{1,5})\))"
    rf"|(?P<cjk>[{_CJK}][{_CJK} ]*)"
    r"|(?P<word>[^\W\d_]+(?:'[^\W\d_]+)*)"
    r"|(?P<sign>[≤≥<>=≠±×÷%‰°√∞$€£¥₩½¼¾/])"
)
_ROMAN = re.compile(r"[IVXLCDM]+")
_RAISED = re.compile("[¹²³⁰⁴-⁹₀-₉]+")
_DASHES = re.compile("[\u2010-\u2015\u2212\u2043]")
_OPPOSITE = ("un", "in", "im", "ir", "il", "non", "dis", "mis", "anti", "counter", "de", "miss", "nicht", "dés")
_VULGAR = re.compile("[¼-¾⅐-⅞]")


def _plain(text: str) -> str:
    """NFKC without fusing a raised digit or a fraction with the number before it; one hyphen, one apostrophe."""
    text = _RAISED.sub(lambda m: "^" + m[0], text.replace("\u00ad", "").replace("\ufffe", ""))
    text = unicodedata.normalize("NFKC", _VULGAR.sub(lambda m: " " + m[0], text))
    return _DASHES.sub("-", text).replace("\u2019", "'").replace("\u2044", "/")


@lru_cache(maxsize=4096)
def critical(text: str) -> tuple[str, ...]:
    """The tokens of a text that two wordings of the same provision must share, in order."""
    plain = _plain(text)
    found: list[str] = []
    negated = False
    for match in _TOKEN.finditer(plain):
        said, word = match[0], match["word"]
        if match["number"]:
            unit = match["unit"] or ""
            found.append(re.sub(r"\s", "", match["number"]) + " " + (unit if len(unit) <= 3 else unit.lower()))
        elif word:
            found += _word(word, plain[match.end() : match.end() + 2], negated)
        elif match["cjk"]:
            found += _INSIDE.findall(said)
        else:
            found.append(said)
        negated = bool(word) and _negates(word.lower())
    return tuple(found)


def _word(word: str, after: str, negated: bool) -> list[str]:
    low = word.lower()
    found = []
    if low in _KNOWN or _negates(low) or low.endswith(("less", "free", "los", "frei")) or _NUMBER_ENDS.fullmatch(low):
        found.append(word if len(word) <= 2 and low in _UNITS else low)
    elif _ROMAN.fullmatch(word) or (len(word) == 1 and word.isupper()):
        article = word == "A" and after[:1] == " " and after[1:2].islower()
        found += [] if article else [word]
    if negated and not found:
        found.append(f"~{low}")  # what is negated, so that the "not" cannot move on unseen
    return found


def _negates(word: str) -> bool:
    return word in _NEGATIONS or word.endswith("n't") or word.startswith(("kein", "n'", "d'aucun"))


def opposed(old: str, new: str) -> bool:
    """Whether a word of one text stands in the other with a negating beginning: "lawful" and "unlawful"."""
    one, two = (frozenset(re.findall(r"[^\W\d_]+", _plain(t).lower())) for t in (old, new))
    gone, come = one - two, two - one
    return any(f"{prefix}{word}" in come for word in gone for prefix in _OPPOSITE) or any(
        f"{prefix}{word}" in gone for word in come for prefix in _OPPOSITE
    )


def differs(old: str, new: str) -> bool:
    """Whether two wordings differ in a number, date, unit, negation, modal or comparison."""
    return old != new and (critical(old) != critical(new) or opposed(old, new))


Kind = Literal["number", "unit", "date", "negation", "modal", "comparison", "letter"]
KINDS: tuple[Kind, ...] = ("number", "unit", "date", "negation", "modal", "comparison", "letter")
_OF_WORD: tuple[tuple[frozenset[str], Kind], ...] = (
    (_CALENDAR, "date"),
    (_MODALS, "modal"),
    (_COMPARING, "comparison"),
    (_UNITS, "unit"),
    (_NUMBER_WORDS, "number"),
)


def kinds(old: str, new: str) -> tuple[Kind, ...]:
    """What of it differs, in the order of `KINDS`: "5 days" and "6 days" in a number, not in a unit.

    Of words of Korean, Japanese and Chinese it is not known which kind they are. () = nothing, or nothing known.
    """
    one, two = Counter(_parts(old)), Counter(_parts(new))
    found = {kind for kind, _ in (one - two) + (two - one)}
    if not found and critical(old) != critical(new):
        found = {kind for kind, _ in one}  # the same ones, in another order
    if opposed(old, new):
        found.add("negation")
    return tuple(k for k in KINDS if k in found)


def _parts(text: str) -> list[tuple[Kind, str]]:
    found: list[tuple[Kind, str]] = []
    for token in critical(text):
        number, _, unit = token.partition(" ")
        if any(c.isdigit() for c in number):
            found.append(("number", number))
            is_date = unit == "May" or unit.lower() in _CALENDAR
            found += [("date" if is_date else "unit", unit.lower() if is_date else unit)] if unit else []
        elif found[-1:] != [("date", token)] and (kind := _kind(token)) is not None:  # the month of "3 May" comes twice
            found.append((kind, token))
    return found


def _kind(token: str) -> Kind | None:
    if token.startswith("~") or _negates(token):
        return "negation"
    known = next((kind for words, kind in _OF_WORD if token in words), None)
    if known is None and _NUMBER_ENDS.fullmatch(token):
        return "number"
    if known is None and token.isascii() and token.strip("()").isalpha():
        return "negation" if token.endswith(("less", "free", "los", "frei")) else "letter"
    return known
