"""What follows a label: "MRN 00482913", "BSN 111222333", "passport number is M12345678", "born on 12 March 2021"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.privacy.finding import Finding

_LINK = (
    r"\W{0,4}(?:(?:(?:no|nr|num|number|nummer|numéro|numero|id|is|was|ist|est|es|e|der|van|von|di|of)(?![A-Za-z\d])"
    r"|은|는|이|가|号码|號碼|号|は)\W{0,4}){0,3}"
)
_VALUE = r"((?=[A-Za-z0-9 ./-]*\d)[A-Za-z]{0,4}[ -]?\d[A-Za-z0-9]*(?:[ ./-](?=[A-Za-z0-9]*\d)[A-Za-z0-9]+){0,7}(?: [A-D](?![A-Za-z]))?)"

_GROUPS: tuple[tuple[str, str], ...] = (
    ("ssn", r"\bssn\b|\bsocial security(?: number| no\.?)?|\bsocial sec(?:urity)? ?#"),
    ("kr_rrn", r"주민(?:등록)?번호|외국인등록번호|주민번호"),
    ("uk_nino", r"\b(?:national insurance|ni|nino)\b(?=\W{0,3}(?:no|number|is|:))|\bnational insurance\b"),
    (
        "national_id",
        r"\b(?:bsn|burgerservicenummer|cpf|dni|nie|nif|nir|curp|aadhaar|aadhar|pesel|personnummer|hetu|cnp|egn|oib|emšo|jmbg"
        r"|rodné číslo|personal id(?:entification)?|national id(?:entity)?(?: card)?|id card|identity card|identity number"
        r"|personalausweis(?:nummer)?|codice fiscale|numéro de sécurité sociale|sozialversicherungsnummer|svnr|ahv(?:-nr)?"
        r"|cpr|fødselsnummer|nric|fin number|mynumber|my number card)\b|身份证(?:号码|号)?|マイナンバー|個人番号",
    ),
    (
        "tax_id",
        r"\b(?:tax (?:id|number|no\.?|file number|identification number)|tfn|tin|itin|steuer-?(?:id|nummer|identifikationsnummer)"
        r"|idnr|partita iva|numéro fiscal|utr)\b|납세번호",
    ),
    (
        "passport",
        r"\b(?:passport|passeport|reisepass|pasaporte|passaporto|paspoort)(?:nummer)?\b|여권\s?번호|여권|护照(?:号码|号)?|旅券番号",
    ),
    (
        "driver_license",
        r"\b(?:driver'?s?|driving) licen[sc]e\b|\bdl (?:no|number)\b|\bführerschein(?:nummer)?\b|\bpermis de conduire\b|(?:운전)?면허\s?번호",
    ),
    (
        "medical_record",
        r"\b(?:mrn|medical record|patient (?:id|no\.?|number)|chart (?:no\.?|number)|hospital number|nhs(?: number| no\.?)"
        r"|health card|medicare(?: number)?|versichertennummer|kvnr)\b|환자\s?번호|차트\s?번호|등록번호|병록번호|病历号|患者番号",
    ),
    (
        "account",
        r"\b(?:(?:bank )?account (?:no\.?|number)|acct\.?|sort code|routing (?:no\.?|number)|kontonummer|member(?:ship)? (?:id|no\.?|number)"
        r"|employee (?:id|no\.?|number)|emp ?id|customer (?:id|no\.?|number)|claim (?:no\.?|number))|계좌(?:번호)?|회원번호|사번|고객번호"
        r"|[가-힣]{2,6}은행|银行账号|口座番号",
    ),
    (
        "licence_plate",
        r"\b(?:licen[sc]e plate|number plate|registration plate|plate|(?:vehicle|car) reg(?:istration)?(?: no\.?| number)?|kennzeichen|immatriculation)\b|차량\s?번호|车牌",
    ),
)
_LABEL = re.compile("|".join(f"(?P<{kind}>{words})" for kind, words in _GROUPS), re.I)
_AFTER = re.compile(_LINK + _VALUE, re.I)
_PLATE = re.compile(
    r"\W{0,4}(?:(?:no|number|is|ist)\W{1,3}){0,2}([A-ZÄÖÜ]{1,3}[ -]?[A-Z]{0,2}[ -]?\d{1,4}[ -]?[A-Z]{0,3}|\d{2,3}[가-힣] ?\d{4})(?!\w)"
)
# What must be in a text before the labels are tried: one of these words, or a stem where words are not divided.
_WORDS = frozenset(
    "ssn social insurance ni nino bsn burgerservicenummer cpf dni nie nif nir curp aadhaar aadhar pesel personnummer hetu cnp egn oib emšo jmbg rodné personal national id identity "
    "personalausweis personalausweisnummer codice numéro sozialversicherungsnummer svnr ahv cpr fødselsnummer nric fin mynumber number tax tfn tin itin steuer steuerid steuernummer "
    "steueridentifikationsnummer idnr partita utr passport passeport reisepass reisepassnummer pasaporte passaporto paspoort passportnummer passeportnummer pasaportenummer "
    "passaportonummer paspoortnummer driver drivers driving dl führerschein führerscheinnummer permis mrn medical patient chart hospital nhs health medicare versichertennummer kvnr bank "
    "account acct sort routing kontonummer member membership employee emp empid customer claim licence license plate registration vehicle car kennzeichen immatriculation".split()
)
_STEMS = (
    "번호",
    "여권",
    "면허",
    "사번",
    "계좌",
    "은행",
    "身份",
    "ナンバー",
    "個人",
    "护照",
    "旅券",
    "病历",
    "患者",
    "银行",
    "口座",
    "车牌",
)
_BIRTH = frozenset(
    "dob d b birth birthday birthdate born né née geb geboren geburtsdatum nacimiento nacido nacida nato nascita naissance".split()
)
_BIRTH_STEMS = ("생", "출생", "出生", "生年")
_LEAST = {"licence_plate": 2, "passport": 3, "driver_license": 5, "medical_record": 4, "account": 5}
_MRN_WITH_WORD = re.compile(r"(?i)\bmrn\W{0,3}$")

_MONTH = (
    r"(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?"
    r"|sep(?:t(?:ember)?)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?|janvier|février|mars|avril|juin|juillet|août|septembre"
    r"|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)"
)
DATE = (
    rf"(?:\d{{1,4}}[./-]\d{{1,2}}[./-]\d{{1,4}}|\d{{1,2}}(?:st|nd|rd|th|\.)?(?: of| de)? {_MONTH}\.?,?(?: de)? \d{{2,4}}"
    rf"|{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?,? \d{{2,4}}|\d{{4}}\s?[年년]\s?\d{{1,2}}\s?[月월]\s?\d{{1,2}}\s?[日일])"
)
_BORN = re.compile(
    r"(?:\b(?:dob|d\.o\.b\.?|date of birth|birth ?da(?:te|y)|born(?: on)?|b\.|né(?:e)? le|geb(?:oren|\.)?(?: am)?|geburtsdatum"
    r"|fecha de nacimiento|nacid[oa] el|nato il|data di nascita|date de naissance)|생년월일|생일|출생일?|出生(?:日期|于)?|生年月日)"
    rf"\W{{0,6}}(?:is |was |ist |est |은 |는 |: ?)?({DATE})",
    re.I,
)


def find_labeled(text: str, words: frozenset[str]) -> Iterator[Finding]:
    """Values with a label before them, in a text that has digits and these words."""
    for m in _LABEL.finditer(text) if _may_have(text, words, _WORDS, _STEMS) else ():
        kind = str(m.lastgroup)
        if kind == "licence_plate":
            if plate := _PLATE.match(text, m.end()):
                yield Finding(*plate.span(1), kind)
            continue
        value = _AFTER.match(text, m.end())
        if value is None:
            continue
        start, end = value.span(1)
        if sum(c.isdigit() for c in value[1]) < _LEAST.get(kind, 6):
            continue
        if kind == "medical_record" and m[0].lower() == "mrn":
            start = m.start()  # "MRN 00482913" is written as one
        yield Finding(start, end, kind)
    for m in _BORN.finditer(text) if _may_have(text, words, _BIRTH, _BIRTH_STEMS) else ():
        yield Finding(*m.span(1), "date_of_birth")


def _may_have(text: str, words: frozenset[str], some: frozenset[str], stems: tuple[str, ...]) -> bool:
    return not words.isdisjoint(some) or (not text.isascii() and any(map(text.__contains__, stems)))
