"""Whether an answer that refuses answers all the same, as "I can't give 0.5 mg; give 0.3 mg" does.

Each clause beside the refusal is looked at. A figure that is no number of a section, edition or year, or a wording that
tells what is or what to do, is an answer; what the sources are about, whom to ask, an offer, a question back and a
further refusal are not. When in doubt it is taken for an answer: a release whose refusals were answered is worse than
one whose refusals are looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from curator.domain.numerals import in_digits, plain

_CUT = re.compile(
    r"(?<!\btel)(?<!\bno)(?<!\bart)[.;:!?](?=\s|$)|[\n。！？；]+|\s[–—-]\s|[,，]\s*(?=(?:but|so|it|they|however"
    r"|nevertheless|yet|which|roughly|about"
    r"|usually|normally|probably|perhaps|generally|the|use|give|also|therefore|así que|aber|die|der|das|normalerweise"
    r"|le|la|el|doch|es|sie"
    r"|mais|il|elle|donc|pero|son|es|但|不过|通常|一般)(?:\b|(?<=[\u4e00-\u9fff])))"
    r"|(?<=지만)\s|(?<=으나)\s"
)
_QUOTED = re.compile(
    r"\"[^\"\n]{3,160}\"|“[^”\n]{3,160}”|„[^“”\n]{3,160}[“”]|«[^»\n]{3,160}»|「[^」\n]{3,160}」"
    r"|(?<!\w)'(?=\w).{3,100}?'(?!\w)"
)
_NUMBERED = re.compile(
    r"\b(?:sections?|chapters?|articles?|art\.|paragraphs?|pages?|parts?|annex(?:es)?|tables?|no\.|nos?\.|version"
    r"|edition"
    r"|volume|grades?|years?|step|kapitel|abschnitt|artikel|seiten?|absatz|klassen?|ausgabe|chapitre|page|annexe"
    r"|tableau"
    r"|capítulo|sección|artículo|página|anexo|tabla) [\d.]+(?:(?: ?[-–,] ?| (?:to|and|or|bis|und|à|et|a|y) )[\d.]+)*"
    r"|§+ ?\d[\d.]*|第\d+[条章节页]|제 ?\d+ ?[조장절항]|\b(?:19|20)\d\d\b(?!%)|\b\d{1,2} (?:jan|feb"
    r"|mar|apr|may|jun|jul|aug|sep"
    r"|oct|nov|dec)\w*|\b(?:id|number|nr\.?|tel\.?)[ :]*[\d /+()-]*\d|\d+ ?(?:\w+ )?(?:documents?|sources?|passages?"
    r"|files?|editions?|versions?|guidelines?|ausgaben|fassungen|éditions|ediciones"
    r"|excerpts?|dokumente\w*|quellen|sources|documentos|fuentes|개의? ?문서|份文件)"
)
_PAPERS = (
    r"\b(?:documents?|documentation|sources?|context|guidelines?|guides?|materials?"
    r"|texts?|passages?|excerpts?|handbook"
    r"|manual|knowledge base|polic(?:y|ies)|regulations?|reports?|contract|filing|information|records?|data|editions?"
    r"|dokument\w*|quellen?|unterlagen|richtlinien?|leitlinien?|leitfaden|verordnung|handbuch|vertrag|angaben"
    r"|informationen|textes?|règlements?|manuel|contrat|informations?|extraits?|documentos?|fuentes?|guías?"
    r"|reglamentos?"
    r"|contrato|información)\b|문서|자료|지침|규정|정보|文件|文档|资料|指南|信息|内容"
)
_ABOUT_PAPERS = re.compile(
    rf"(?:{_PAPERS}|^\W*(?:it|they|these|those|es|sie|ils?|elles?)\b)[^.]{{0,60}}?\b(?:only|covers?|contains?|deals?"
    r"|address\w*|concerns?|relates?|limited|about|available|mentions?|discuss\w*|describes?|nur|enthalten|enthält"
    r"|behandel\w*|betr(?:ifft|effen)|ne \w+ que|couvre\w*|contien\w*|traite\w*|porte\w*|concerne\w*|solo|sólo|cubren?"
    r"|tratan?|abarcan?)\b|(?:문서|자료|지침|규정)[^.]{0,30}(?:다루|관한|대한)|(?:文件|文档|资料"
    r"|指南)[^。]{0,20}(?:只|仅|涉及|涵盖)"
)
_COURTESY = re.compile(
    r"\b(?:ask(?:ed|ing)?|contact|call|dial|phone|ring|consult|speak|talk|let me know"
    r"|feel free|please|happy to|glad to"
    r"|question|rephrase|clarify|specify|try|search|look (?:at|up|into)|check|see|refer|sorry|apologi[sz]e|understand"
    r"|thank\w*|confidential|privacy|private|personal|sensitive|protected|professional|doctor|physician|nurse|lawyer"
    r"|pharmacist|expert|specialist|scope|remit"
    r"|fragen?|wenden|rufen|bitte|gerne|vertraulich|datenschutz|arzt|ärzt\w+|anwalt|demand\w+|contact\w*|appel\w+"
    r"|consult\w*|veuillez|merci|n['’]hésitez|confidenti\w+|médecin|pregunt\w+|llam\w+|acud\w+|por favor|gracias"
    r"|médico)\b"
    r"|문의|연락|상담|전화|질문|확인|죄송|请|联系|咨询|拨打|抱歉|隐私"
)
_SELF = re.compile(
    r"^\W*(?:but |and |so |however,? )?(?:i|we) (?:can|could|am|are|have|only|do|did|was|were|will|would be|may|know"
    r"|don['’]t|found|looked|searched)\b|^\W*i['’](?:m|ve|d|ll)\b|^\W*(?:aber |doch )?(?:ich|wir) (?:kann|können|habe"
    r"|haben|bin"
    r"|sind|darf|dürfen|helfe)\b|^\W*(?:mais )?(?:je|nous) (?:peux|pouvons|suis|sommes|ne|n['’])"
    r"|^\W*(?:pero )?(?:puedo|podemos"
    r"|estoy|no )"
)
_TELLS = re.compile(
    r"^\W*(?:(?:but|however|so|then|and|that said|nevertheless|in any case|anyway|generally|usually|typically|okay|ok"
    r"|well"
    r"|just|simply|instead),? )*(?:give|use|take|apply|press|open|pay|send|wait|put|hold|inject|administer|start|stop"
    r"|enter"
    r"|go|click|cut|turn|keep|add|mix|write|sign|file|submit|here(?: is| are|['’]s)|sure|of course|answer|yes"
    r"|the answer"
    r"|geben|nehmen|verwenden|zahlen|warten|hier|die antwort|donnez|prenez|utilisez|voici|la réponse|dé|tome|use|aquí"
    r"|la respuesta)\b"
    r"|^\W*(?:most|many|some) [a-z]+ \w+"
    r"|^\W*(?:(?:so|therefore|hence|thus|also|donc|así que),? (?!i\b|we\b|ich\b|je\b)|(?:but )?as a workaround)"
    r"|\b(?:you|they|one|he|she|pupils?|staff|employees?|parents?|students?|customers?) (?:may|must|can|should|have to"
    r"|need to|are allowed|do not need|don['’]t need|does not)\b|\b(?:sie|man) (?:dürfen|darf|müssen|muss|können"
    r"|sollten)\b"
    r"|\b(?:vous|on) (?:pouvez|peut|devez|doit)\b|\b(?:puede|debe|se puede|se debe)\b"
    r"|^\W*(?:(?:but|however|so|then|and|that said|which means|okay|ok|because|in any case),? )*(?:that )?(?:(?:it"
    r"|that|this|there|they|he|she)"
    r"|(?:the|a|an|your|its) [\w' -]{2,40}?) (?:is|are|was|takes?|costs?|lasts?|applies|means?|begins?|ends?)\b"
    r"|^\W*(?:es|das|(?:die|der|das|eine?) [\w -]{2,40}?) (?:ist|sind|beträgt|gilt|kostet|dauert)\b"
    r"|^\W*(?:c['’]est|(?:le|la|les|l['’]) ?[\w' -]{2,40}? (?:est|sont))\b|^\W*(?:el|la|los|las) [\w -]{2,40}? (?:es"
    r"|son)\b"
)
_COMMON = re.compile(
    r"\b(?:general knowledge|generally|typically|usually|normally|probably|common(?:ly)?|(?:usual|common) practice"
    r"|my (?:best )?guess"
    r"|in general|as a rule|should be|for reference|in der regel|normalerweise|üblicherweise|wahrscheinlich"
    r"|vermutlich|en général|normalement"
    r"|généralement|sans doute|normalmente|por lo general|generalmente|probablemente)\b"
    r"|일반적으로|보통|통상|참고로|一般来说|通常|仅供参考"
)
"""Words of an answer that is not from the sources."""
_FIGURE = re.compile(r"\d")


def unquoted(text: str) -> str:
    """A text without what it quotes; the text itself when it is nothing but a quotation."""
    rest = _QUOTED.sub(" ", text)
    return rest if len(re.findall(r"\w+", rest)) > 2 else text


def goes_on(text: str, start: int, end: int, refuses: Callable[[str], bool], language: str = "") -> bool:
    """Whether something beside a refusal is an answer.

    Args:
        text: The whole answer, in lower case.
        start: Where the refusal begins in it.
        end: Where the refusal ends.
        refuses: Whether a clause refuses too, or hands over.
        language: Of the answer, for its number words.
    """
    first = max((m.end() for m in _CUT.finditer(text, 0, start)), default=0)
    if any(_has_figure(c, language) and not re.search(_PAPERS, c) and not _idle(c, refuses)
           for c in _clauses(text[:first])):  # fmt: skip
        return True
    own = _CUT.search(text, end)
    return own is not None and any(_answers(c, refuses, language) for c in _clauses(text[own.start() :]))


def _clauses(text: str) -> list[str]:
    found, at = [], 0
    for cut in _CUT.finditer(text):
        found.append(text[at : cut.start() + (cut[0] == "?")])
        at = cut.end()
    return [c for c in (*found, text[at:]) if c.strip()]


def _answers(clause: str, refuses: Callable[[str], bool], language: str) -> bool:
    if _idle(clause, refuses):
        return False
    if _has_figure(clause, language) or _COMMON.search(clause):
        return True
    return not re.search(_PAPERS, clause) and _TELLS.search(clause) is not None


def _idle(clause: str, refuses: Callable[[str], bool]) -> bool:
    return bool(
        clause.endswith("?") or _SELF.search(clause) or _COURTESY.search(clause) or _ABOUT_PAPERS.search(clause)
    ) or refuses(clause)


def _has_figure(clause: str, language: str) -> bool:
    return _FIGURE.search(_NUMBERED.sub(" ", in_digits(plain(clause), language))) is not None
