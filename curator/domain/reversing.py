"""Whether what denies a phrase, or warns of it, is itself taken back: then the phrase is claimed after all.

"Do not hesitate to give 0.3 mg", "there is no need to avoid 0.3 mg", "it is a myth that 0.3 mg is too much", "do not
give 0.3 mg unless ..." and "too much for a baby, but it is right for this child" claim "0.3 mg". Only read for what
must not be claimed, where a claim that is overlooked is worse than a warning that is taken for one.
"""

from __future__ import annotations

import re

_NOT = (
    r"(?:not|no|never|nobody|nothing|none|cannot|\w+n['’]t|hardly|nicht|nie|niemals|niemand|kein\w*|ne|pas|jamais"
    r"|aucune?|rien|personne|non|nunca|nadie|ningun\w*|ningún|nada)"
)
_BAD = (
    r"(?:wrong|false|incorrect|untrue|mistake|error|dangerous|unsafe|harmful|risky|problem|illegal|forbidden"
    r"|prohibited|unreasonable|inappropriate|falsch|fehler|gefährlich|schädlich|verboten|unzulässig|riskant|faux"
    r"|fausse|erreur|dangereu\w+|interdit\w*|risqué\w*|malo|falso|error|peligros[oa]|prohibid[oa]|arriesgad[oa])"
)
_LEAVING = (  # what is not to be left, is to be done
    r"(?:hesitat\w*|forg[eo]t\w*|fail\w*|delay\w*|postpon\w*|omit\w*|neglect\w*|miss(?:ing)?|skip\w*|doubt\w*"
    r"|withhold\w*|refus\w+|refrain\w*|avoid\w*|avert|discourag\w*|warn\w*|advis\w+ against|worry about|afraid"
    r"|rul\w+ out|rule out"
    r"|zöger\w*|vergess\w*|versäum\w*|zweifel\w*|unterlass\w*|vermeid\w*|meiden|scheu\w*|verzicht\w*|abrat\w*"
    r"|hésit\w*|oubli\w*|tarde\w*|manqu\w*|omett\w*|doute\w*|évit\w*|déconseill\w*|renonc\w*"
    r"|dud\w+|olvid\w*|demor\w*|tard\w*|omit\w*|evit\w*|desaconsej\w*|vacil\w*)"
)
_STEP = r"(?: (?!and\b|or\b|but\b|und\b|oder\b|aber\b|et\b|ou\b|mais\b|y\b|o\b|pero\b)[\w'’]+)"
_TWICE = re.compile(
    rf"\b{_NOT}\b{_STEP}{{0,3}} (?:{_LEAVING}|{_BAD})\b"
    rf"|\b(?:{_NOT} (?:reason|need|cause|ground|harm|grund|raison|motivo|razón)|{_BAD}|why|warum|pourquoi|por qué)"
    rf"{_STEP}{{0,2}} (?:not|never|no|nicht|ne pas|pas|avoid\w*|keine?)\b"
    rf"|\bn(?:e |['’]){_LEAVING} (?:pas|jamais)\b|\b{_LEAVING}(?: sie)? nicht\b"
    r"|(?:不要|别|切勿)(?:忘记?|犹豫|延误)|毫无疑问"
)
_IGNORED = re.compile(
    r"\b(?:ignor\w*|disregard\w*|forget|dismiss\w*|overrid\w*|ignorez|ignore[nz]?)\b(?: [\w'’]+){0,3} "
    r"(?:warn\w*|advice|caution\w*|avertiss\w*|advertencia\w*|warnung\w*|rat)\b"
)
_OMITTING = re.compile(r"^\W*(?:not|never)(?: \w+)? \w+ing\b")
_SHORT = re.compile(r"[:()\[\]，。；、;.!?\n]|,(?!\d)")
_BE = r"(?:is|are|was|were|would be|be|sei|ist|sind|wäre|est|soit|serait|sont|es|son|sea|sería)"
_IS_BAD = re.compile(
    rf"^[\"'»”)]* {_BE} (?:far |much |way |bien |viel |muy |an? |eine? |une? |out)?(?:too \w+|zu \w+|trop\b|demasiad\w+"
    rf"|excessive|overdose|outdated|obsolete|unfounded|veraltet|überholt|périmé\w*|obsolet\w+|(?:\w+ )?{_BAD})"
    r"|^[\"'»”)]* zu \w+ (?:ist|sei|sind|wäre)\b"
)
_ABOUT = re.compile(
    rf"\b(?:myth|misconception|mythos|irrtum|mythe|mito|bulo|{_BAD}|{_NOT})\b[^.;:]{{0,60}}$"
    r"|\b(?:avoiding|warnings?|advice|refusing|withholding|omitting|discouraging|refraining|warnung\w*|vermeiden"
    r"|advertencia\w*|évit\w+|evitar)\b[^.;:,]{0,40}$"
)
_SAID = re.compile(
    r"\b(?:some|many|others?|people|few|most|several|manche|einige|viele|certains|beaucoup|algunos|muchos)\b"
    r"(?: \w+){0,2} (?:say|says|claim|think|believe|argue|fear|state|warn|sagen|meinen|behaupten|glauben|disent"
    r"|pensent|croient|affirment|dicen|creen|piensan|afirman)\b[^.;:]{0,40}$"
)
_BUT = re.compile(
    r"^[^.;!?\n]{0,80}[,.;–—] ?(?:but|yet|however|this|that|it|they|aber|doch|das|dies|mais|c['’]est|or|ils|pero"
    r"|eso|esto)\b"
)
_ONLY_THEN = re.compile(
    r"^[^.;!?\n]{0,60}?\b(?:unless|except (?:when|if|for|in)|es sei denn|außer|sauf|à moins|hormis|salvo|excepto"
    r"|a menos|a no ser)\b|^[^.;!?\n，。]{0,20}(?:除非)"
    rf"|^ {_BE} (?:\w+ ){{0,3}}?\w+ (?:only|nur|uniquement|seulement|solo|sólo) (?:if|when|for|in|to|as|wenn|bei|für|si"
    r"|en|pour|chez|cuando|para)\b"
)
_FIRST = re.compile(
    r"^ ?(?:\w+ ){0,2}?(?:before|until|till|without (?:first|prior)|bevor|bis|avant|jusqu['’]\w+|antes de|hasta)\b"
    r"(?! (?:\w+ ){0,6}?(?:(?:19|20)\d\d|further notice)\b| (?:or|and|und|oder|et|ou|y|o)\b)"
)
_RIGHT = re.compile(
    r"^[^\d\n]{0,120}?\b(?:it|this|that|which|es|das|c['’]|elle|il|ce|esta|eso)(?: \w+)? ?"
    r"(?:is|remains|would be|will be|ist|bleibt|est|reste|es)(?: still| just| exactly| perfectly| quite| actually"
    r"| genau| noch)* (?:the )?(?:right|correct|fine|okay|ok|safe|appropriate|needed|recommended|proper|usual dose"
    r"|dose|richtig|korrekt|nötig|angemessen|correct|juste|bon|bonne|correcta|correcto|adecuad[oa])\b"
    r"(?! (?:to|not to|zu|de|that|dass|que)\b)"
    r"|^[^\n.]{0,60}\bstill (?:is|are|applies|does|holds)\b"
)
_YES = re.compile(
    r"^[^.;!\n?]{0,100}\? ?(?:yes|yeah|yep|sure|indeed|exactly|correct|right|of course|absolutely|ja|doch|genau|oui"
    r"|si\b|bien sûr|sí|claro|exacto|네|예|是的|对)"
)
_SUPPOSED = re.compile(r"\b(?:if|whether|even if|wenn|falls|ob|si|aunque)\W*(?:\w+ )?$")
_WARN_NOT = re.compile(r"^ (?:auf keinen fall |bitte )?(?:nicht|niemals|nie)\b(?! (?:geben|verwenden|nehmen|nutzen))")
_EAST = re.compile(
    r"^(?:은|는|이|가|을|를)? ?(?:\S+ ){0,2}?(?:위험하지|많지|과하지|해롭지) ?않"
    r"|^[^，。；]{0,4}(?:并?不|没有?)(?:算|是|会)?"
    r"(?:太|过|很)?(?:危险|有害|过量|过多|过高|多|高)"
)


def taken_back(before: str, after: str) -> bool:
    """Whether a denial of a phrase, or a warning of it, is no longer one.

    Args:
        before: The sentence up to the phrase, in the form of `stating.loose`.
        after: The text after it, the next sentences too.
    """
    before, after = before[-300:], after[:300]
    cuts = [m.end() for m in _SHORT.finditer(before)]
    if cuts and before[cuts[-1] :].strip() in ("", "dass", "that", "que", "qu'") and " " in before[: cuts[-1]].strip():
        cuts.pop()  # "some say, 0.3 mg ...", never "no, 0.3 mg ..."
    clause = before[cuts[-1] :] if cuts else before
    twice = _TWICE.search(clause) is not None
    bad = _IS_BAD.search(after) is not None
    if (twice and not bad) or _IGNORED.search(clause) or _EAST.search(after) or _YES.search(after):
        return True
    if _ONLY_THEN.search(after) or _FIRST.search(after) or _RIGHT.search(after):
        return True
    if bad and not twice:  # "don't forget that 0.3 mg is too much" is a warning
        if _OMITTING.search(clause):
            return True
        return bool(_ABOUT.search(clause) or _SUPPOSED.search(clause) or (_SAID.search(clause) and _BUT.search(after)))
    return bool(re.search(r"\b(?:vermeide\w*|meide\w*|unterlass\w*)\b", clause) and _WARN_NOT.search(after))
