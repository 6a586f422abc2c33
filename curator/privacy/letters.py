"""Names at the edges of messages: greetings, closings, the heads of mails, and what a form says of a person."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.privacy.finding import Finding
from curator.privacy.given import THINGS, is_given
from curator.privacy.people import FIRM, FULL, NAME, trimmed

_CLOSING = (
    r"(?:(?:kind(?:est)?|best|warm(?:est)?|many|with|yours)? ?(?:regards|wishes|thanks|greetings)|thanks(?: again| a lot| so much)?|thank you(?: very much)?|thx|ta|cheers"
    r"|best|all the best|take care|(?:yours )?(?:sincerely|faithfully|truly)(?: yours)?|respectfully"
    r"|(?:mit )?(?:freundliche[nm]?|viele[nm]?|liebe[nm]?|beste[nm]?|herzliche[nm]?) gr[uü](?:ß|ss)e?n?|mfg|lg|vg|gru(?:ß|ss)|hochachtungsvoll|danke|vielen dank"
    r"|(?:bien )?cordialement|bien à (?:vous|toi)|(?:meilleures )?salutations|sincèrement|merci(?: d'avance)?|bonne journée"
    r"|(?:un )?(?:cordial )?saludos?(?: cordiales)?|atentamente|(?:muchas )?gracias|(?:cordiali|distinti) saluti|grazie(?: mille)?"
    r"|(?:met )?(?:vriendelijke |hartelijke )?groet(?:en|jes)?|mvg|(?:alvast )?bedankt|atenciosamente|(?:melhores )?cumprimentos|obrigad[oa]"
    r"|(?:med )?vänliga? hälsning(?:ar)?|mvh|(?:med )?vennlig hilsen|(?:med )?venlig hilsen|hilsen|ystävällisin terveisin|terveisin|pozdrawiam|z poważaniem"
    r"|s pozdravem|üdvözlettel|saygılar(?:ımla)?|teşekkürler)"
)
_NO_NAME = r"(?!(?:Inc|Ltd|The|Our|Your|Sent|From|To|On)\b)"
_UNDER = re.compile(
    rf"(?:^|\n|[.!?]\s)[> \t]*(?i:{_CLOSING})[ \t]*[,.!]?[ \t]*\n+[> \t]*(?:[-–—*~][ \t]*)?(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?[ \t]+)*{_NO_NAME}({NAME})[ \t]*[,.]?(?=\n|$)"
)
_BESIDE = re.compile(rf"(?:^|[\n.!?])\s*(?i:{_CLOSING})[,.!]?[ \t]+[-–—]?[ \t]?({NAME})[ \t]*[.!]?(?=\n|$)")
_HEADER = re.compile(
    rf"(?m)^[>* \t]*(?:From|To|Cc|CC|Bcc|Reply-To|Sender|Von|An|De|À|Para|Da|Van|Aan|Expéditeur|Absender)\*?[ \t]*:\*?[ \t]*[\"']?({NAME})[\"']?[ \t]*(?=<|\[|;|,|\n|$)"
)
_BRACKETED = re.compile(rf"({NAME})[\"']?[ \t]*[<(\[](?:mailto:)?[^\s<>()@]{{1,64}}@")
_ROLES = (
    r"policy[- ]?holder|insured(?: person| party)?|tenants?|sub-?tenant|landlord|landlady|lodger|lessee|lessor|driver|beneficiary|claimant|account[- ]?holder|card[- ]?holder"
    r"|account name|customer(?: name)?|caller|resident|occupant|member|applicant|co-?applicant|guarantor|passenger|guest|employee|manager|supervisor|technician|engineer|plumber"
    r"|electrician|adviser|advisor|agent|broker|pharmacist|prescriber|physician|caregiver|next of kin|emergency contact|contact(?: person)?|attn|attention|recipient|payee|payer"
    r"|sender|owner|buyer|seller|executor|trustee|spouse|fianc[eé]e?|ex-?(?:wife|husband)|flatmate|roommate|friend|boss|signatory|reported by|handled by|on behalf of|chat with"
    r"|spoke (?:to|with)|spoken (?:to|with)|talked (?:to|with)|speak (?:to|with)|met with|ask(?:ed)? for|name(?:d)?|full name|patient(?: name)?|Kunde|Kundin|Mieter(?:in)?|Versicherter?"
    r"|Versicherungsnehmer(?:in)?|Patient(?:in)?|Ansprechpartner(?:in)?|Kontoinhaber(?:in)?|Sohn|Tochter|Mutter|Vater|Mann|Frau|locataire|titulaire|assuré|propriétaire|client"
    r"|fils|fille|mère|père|mari|femme|inquilino|titular|asegurado|propietario|cliente|hijo|hija|madre|padre|marido|esposa|figlio|figlia|moglie|marito"
    r"|huurder|verhuurder|verzekerde|klant|zoon|dochter|moeder|vader|zegt|ich bin|hier ist|je suis|c'est|soy|sono|ik ben|ik heet|sou (?:o|a)|jag heter|jag är|jeg heter|nazywam się|jestem"
)
_ROLE = re.compile(rf"(?<![\w-])(?i:(?:{_ROLES})\.?)(?:\s+(?:is|was|ist|est|es|è))?\s*[:=,–-]?\s+({FULL})")
_FIELD = re.compile(rf"(?<![\w-])(?i:(?:{_ROLES})\.?)\s*[:=]\s*({NAME})")
_ROLE_WORDS = frozenset(
    "holder policyholder accountholder cardholder insured tenant tenants subtenant landlord landlady lodger lessee lessor driver beneficiary claimant account customer caller "
    "resident occupant member applicant coapplicant guarantor passenger guest employee manager supervisor technician engineer plumber electrician adviser advisor agent broker "
    "pharmacist prescriber physician caregiver kin contact attn attention recipient payee payer sender owner buyer seller executor trustee spouse fiancé fiancée fiance "
    "fiancee ex exwife exhusband flatmate roommate friend boss signatory reported handled behalf chat spoke spoken talked speak met ask asked name named patient kunde kundin mieter mieterin "
    "versicherte versicherter versicherungsnehmer versicherungsnehmerin patientin ansprechpartner ansprechpartnerin kontoinhaber kontoinhaberin sohn tochter mutter vater mann "
    "frau locataire titulaire assuré propriétaire client fils fille mère père mari femme inquilino titular asegurado propietario cliente hijo hija madre padre marido esposa "
    "figlio figlia moglie marito huurder verhuurder verzekerde klant zoon dochter moeder vader zegt bin hier suis est soy sono ben heet sou heter är nazywam jestem".split()
)
_CLOSING_WORDS = frozenset(
    "regards wishes thanks greetings thank thx ta cheers best care sincerely faithfully truly respectfully grüße grüßen grüsse grüssen gruesse gruß gruss grusse grussen mfg lg vg "
    "hochachtungsvoll danke dank cordialement vous toi salutations sincèrement merci journée saludo saludos atentamente gracias saluti grazie groet groeten groetjes mvg bedankt "
    "atenciosamente cumprimentos obrigado obrigada hälsning hälsningar mvh hilsen terveisin pozdrawiam poważaniem pozdravem üdvözlettel saygılar saygılarımla teşekkürler".split()
)
_TITLE_WORDS = frozenset(
    "herr frau mr mrs ms miss dr prof sig sr sra meneer mevrouw monsieur madame señor señora".split()
)
_GREETED = re.compile(
    rf"(?:^|\n|[.!?:]\s)[> \t]*(?i:hi|hello|hey|dear|hallo|liebe[rs]?|guten tag|bonjour|cher|chère|hola|querid[oa]|estimad[oa]|ciao|car[oa]|gentile|beste|geachte|hej|olá|prezad[oa]|sehr geehrter?)"
    rf"[ \t]+(?i:(?:herr|frau|mr|mrs|ms|miss|dr|prof|sig|sr|sra|meneer|mevrouw|monsieur|madame|señora?)\.?[ \t]+)+((?:(?:van|von|de|der|den|la|le|el|di|da|al)[ \t]+){{0,2}}{NAME})"
)
_AM_PM = re.compile(r"^(?:(?:AM|PM|CET|CEST|GMT|UTC|EST|PST|BST)\s+)+")


def find_signed(text: str, words: frozenset[str]) -> Iterator[Finding]:
    """Names in greetings, closings, heads of mails and forms, in a text of these words."""
    if not words.isdisjoint(_CLOSING_WORDS):
        for m in _UNDER.finditer(text) if "\n" in text else ():
            yield from _named(text, m, least=1)
        for m in _BESIDE.finditer(text):
            yield from _named(text, m, least=2)
    if "\n" in text:
        for m in _HEADER.finditer(text):
            yield from _named(text, m, least=2)
    if "@" in text:
        for m in _BRACKETED.finditer(text):
            yield from _named(text, m, least=2)
    if not words.isdisjoint(_ROLE_WORDS):
        for m in _ROLE.finditer(text):
            yield from _named(text, m, least=2)
        for m in _FIELD.finditer(text):
            yield from _named(text, m, least=2)
    for m in () if words.isdisjoint(_TITLE_WORDS) else _GREETED.finditer(text):
        yield from _named(text, m, least=1)


def _named(text: str, m: re.Match[str], *, least: int) -> Iterator[Finding]:
    """The name of a match: of two words, or of one that is a given name or that its place gives away."""
    start, end = m.span(1)
    if time := _AM_PM.match(text[start:end]):
        start += time.end()
    span = trimmed(text, start, end, least=1)
    if span is None:
        return
    value = text[slice(*span)]
    if (
        FIRM.search(value)
        or not THINGS.isdisjoint(value.split())
        or (len(value.split()) < least and not is_given(value))
    ):
        return
    yield Finding(*span, "person")
