"""Whether a phrase stands in an answer as what the answer warns of, rules out, or only repeats from others.

For what must not be claimed: "Avoid 0.3 mg", "0.3 mg is too much" and "You may have read 0.3 mg, but" do not claim
"0.3 mg". "Do not exceed 0.3 mg", "to avoid harm, give 0.3 mg" and "0.3 mg; more is too much" do. A claim that is
overlooked is worse than a warning that is taken for one: only wordings that leave no choice count. English, German,
French and Spanish are read, the plainest wordings of Korean and Chinese too; how often it is right on a labeled list is
measured by `python -m benchmarks.claims`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_REACH = 300
"""Characters before and after a phrase that are read."""
_WORD = (
    r"(?:(?!and\b|or\b|but\b|und\b|oder\b|aber\b|et\b|ou\b|mais\b|y\b|o\b|pero\b|to\b|um\b|pour\b|para\b)[\w'’/%-]+ )"
)
_QUANTITY = (
    r"(?:dos(?:e|es|is|en|ages?|ing)|amounts?|quantit\w+|levels?|values?|temperatures?|speeds?|period|mengen?|werte?n?"
    r"|temperatur(?:en)?|frist(?:en)?|quantités?|températures?|délais?|valeurs?|cantidad(?:es)?|temperaturas?|plazos?)"
)
_DETERMINER = (
    r"(?:the|a|an|any|all|this|that|such|de[rnms]|die|das|eine[rnms]?|jede[rnms]?|les?|la|l['’]|une?|des|du|tout\w*"
    r"|el|los|las|una?|unos|unas|cualquier|1)"
)
_LINK = r"(?:of|with|at|to|for|like|from|on|in|it|sie|es|bei|mit|von|auf|zu|de|d['’]|à|au|aux|avec|con|a|al|del|en)"
_DOING = r"(?:\w+ing|\w+(?:er|ir|re|ar)|usage|use|utilisation|uso|einsatz|verwendung|benutzung|gabe)"
_SMALL = rf"(?>{_DETERMINER} |{_LINK} |[ld]['’])"
_GAP = rf"(?>(?:{_DETERMINER} \w+ )?{_QUANTITY} |as much as |so \w+ (?:as|wie) |{_SMALL}|{_DOING} ){{0,6}}"
"""What may stand between a warning and its object: a token matches in one way alone, so that no text costs more."""
_LISTED = (
    rf"(?:{_GAP}[\w'’-]+(?: \w+)?(?:, (?:{_DETERMINER} )?[\w'’-]+){{0,6}}"
    rf",? (?:and|or|und|oder|et|ou|y|o|ni|nor) {_GAP})?"
)
_WARN = (
    r"(?:avoid(?:ing)?|refrain(?:ing)? from|stay(?:ing)? away from|steer clear of|keep away from|beware of|be wary of"
    r"|(?:warn\w*|advis\w+|recommend\w*|caution\w*) against|discourage\w*|abstain from|do without|rul(?:es?|ed|ing) out"
    r"|(?:prohibits?|forbids?|bans?)"
    r"|vermeide[nt]?(?: sie)?|meide[nt]?(?: sie)?|verzichte[nt]?(?: sie)? auf|unterlass\w+(?: sie)?|hüten sie sich vor"
    r"|(?:die )?(?:finger|hände)(?: weg)? von|warn\w*(?: \w+)? vor|ra(?:te|ten|t)(?: \w+)?(?= von [^.]{0,80}\bab\b)"
    r"|sehen sie(?= von [^.]{0,80}\bab\b)"
    r"|évite[rzs]?|évitons|abst[ei]n\w+(?:-vous)?|proscri\w+|bannis\w+|prenez garde à|garde[zr]?-vous de|renonce[zr]? à"
    r"|déconseill\w+|interdi[ts]\w*"
    r"|evit(?:e|en|ar|a|emos|arse|ando)|abst[eé]n\w+|prescind\w+ de|cuidado con|desaconsej\w+|prohíb\w+|huya de)"
)
_WARNS = re.compile(rf"(?P<aim>\b(?:to|zu|pour|afin d[e']|d['’]|para|a fin de) ?)?\b{_WARN} (?:{_LISTED}|{_GAP})$")
_AIMED = re.compile(r"^\W*(?:in order |so as )?$")
_FAULT = re.compile(
    r"\b(?:(?:(?:an?|1|common|widespread) (?:\w+ )?(?:mistake|error|myth|misconception|misunderstanding|fallacy)"
    r"|wrong|false|untrue|incorrect|irrtum|fehler|missverständnis|mythos|märchen|falsch|unwahr"
    r"|erreur|faux|mythe|idée reçue|inexact|error|mito|falso|incorrecto|bulo)"
    r"(?:,? (?:that|to|dass|zu|es sei|que|de|d['’]|qu['’])(?: ?(?:dire|croire|penser|believe|say|think|decir|creer"
    r"|pensar)\b"
    r"(?: (?:that|que|qu['’]))?)?(?= |(?<=['’]))|(?= \w+[aei]r ))"
    r"|(?:attention|veillez) à ne pas \w+) ?"
    rf"(?>{_QUANTITY} |{_SMALL}|{_DOING} |wait |pay |give |use |take |assume |\w+en ){{0,6}}$"
)
_FORMER = re.compile(
    r"\b(?:autrefois|jadis|anciennement|antes (?:era|eran|fue|fueron)|once was|einst)\b(?: \w+){0,3} $"
)
_WAS = re.compile(r"\b(?:was|were|betrug\w*|war|waren|galt\w*|était|étaient|era|eran|fue)(?: \w+){0,2} $")
_UNTIL = re.compile(
    r"^ ?(?:until|up to|before|bis|vor|jusqu['’]\w*|avant|hasta|antes de) (?:the )?(?:\w+ )?(?:19|20)\d\d\b"
)
_HEARSAY = re.compile(
    r"\b(?:(?:may|might) have (?:read|heard|seen|been told|found)|(?:some|many|other|older|several) (?:\w+ )?(?:say"
    r"|says"
    r"|claim|state|think|believe|report|give|name|mention)|manche (?:\w+ )?(?:sagen|meinen|behaupten|nennen)"
    r"|vielleicht haben sie|on (?:dit|lit) parfois|certains (?:\w+ )?(?:disent|affirment|parlent)"
    r"|algun[oa]s (?:\w+ )?(?:dicen|afirman|hablan)|quizás? haya)\b(?: \w+){0,5} $"
)
_REBUTTED = re.compile(
    r"^[^.!?]{0,60}(?:,| –|;) ?(?:but|yet|however|aber|doch|jedoch|mais|or|pero|sin embargo)\b"
    r"|^[^.!?]{0,60}[.!?;] ?(?:but|however|that|this|it|das|dies|c['’]est|cela|eso|esto) ?(?:is|was|ist|est|es)?"
    r" ?(?:\w+ )?(?:not|no longer|wrong|outdated|false|incorrect|untrue|nicht|falsch|veraltet|überholt|faux|périmé"
    r"|dépassé"
    r"|falso|incorrecto|obsoleto)\b"
)
_IS = (
    r"(?:(?:is|are|was|were|be|been|being|remains?|seems?|constitutes?|means|ist|sind|sei|wäre|wären|war|waren|liegt"
    r"|liegen|bleibt|gilt als|gelten als|est|sont|serait|seraient|était|reste|représente|es|son|sería|serían|está|están"
    r"|resulta|supone|queda)"
    r"|(?:would|will|must|should|can|could|may|might|has to|have to|is to|are to) (?:also |always |certainly )?be)"
)
_MUCH = (
    r"(?:far |much |way |well |clearly |simply |deutlich |viel |weit |klar |bien |beaucoup |nettement |muy "
    r"|claramente )?"
)
_BAD = (
    r"(?:an? |eine? |une |un |una |1 )?(?:"
    r"too (?:much|many|high|low|little|few|long|short|late|early|strong|hot|cold|fast|slow|far|large|small|old|young"
    r"|heavy|weak)"
    r"(?! (?:\w+ ){0,2}to (?!give|be\b|use|take|pay|wait|administer))"
    r"|(?:highly |very |potentially |extremely |also |strictly )?(?:dangerous|unsafe|risky|reckless|hazardous|harmful"
    r"|toxic|unlawful|illegal"
    r"|prohibited|forbidden|banned|contraindicated|unacceptable|inadvisable|excessive|inappropriate|untrue|wrong"
    r"|incorrect"
    r"|false|outdated|obsolete|invalid|discouraged|avoided|ruled out|inadmissible|impermissible|insufficient"
    r"|inadequate)\b"
    r"|(?:over|under)dose|(?:mistake|error|misconception|myth|misunderstanding)\b|out of the question|off limits"
    r"|(?:above|over|below|under|beyond|outside|past|more than|less than|in excess of) (?:the|what|our|your|its|any"
    r"|his|her)\b"
    r"|zu (?:viel|viele|hoch|niedrig|wenig|lange?|kurz|spät|früh|stark|heiß|kalt|schnell|langsam|groß|klein|schwer"
    r"|weit)\b"
    r"(?!,? um )|(?:sehr |äußerst |streng |strikt |dringend )?(?:gefährlich|riskant|bedenklich|schädlich|giftig"
    r"|verboten|untersagt|unzulässig"
    r"|kontraindiziert|überhöht|übertrieben|überzogen|falsch|veraltet|überholt|ungültig|unsicher|tabu|abzuraten)\b"
    r"|(?:zu )vermeiden\b|überdosis"
    r"|überdosierung|irrtum|fehler|(?:über|unter) (?:dem|der|den|unserem|ihrem) "
    r"|trop(?! \w+ pour (?!être))(?:\b)|(?:très |formellement |strictement |fortement )?(?:dangereu(?:x|se)s?"
    r"|risquée?s?|nocif\w*|nocives?"
    r"|toxiques?|interdite?s?|illéga\w+|contre-indiquée?s?|déconseillée?s?|proscrite?s?|prohibée?s?|excessi(?:f|ve)s?"
    r"|fau(?:x|sse)s?|erronée?s?|périmée?s?|obsolètes?|imprudente?s?|inadmissibles?|insuffisante?s?)\b|à (?:éviter"
    r"|proscrire"
    r"|bannir|exclure)\b|surdos\w+|erreur|(?:au-dessus|en dessous|au-delà) d"
    r"|demasiad[oa]s?(?! \w+ para (?!ser))\b|muy (?:alto|poco|peligros[oa])\b|(?:muy |estrictamente "
    r"|totalmente )?(?:peligros[oa]s?|arriesgad[oa]s?"
    r"|nociv[oa]s?|tóxic[oa]s?|prohibid[oa]s?|ilegal(?:es)?|contraindicad[oa]s?|desaconsejad[oa]s?|excesiv[oa]s?"
    r"|fals[oa]s?"
    r"|incorrect[oa]s?|erróne[oa]s?|obsolet[oa]s?|inadmisibles?|insuficientes?|imprudentes?)\b|sobredosis|error\b"
    r"|por encima|por debajo)"
)
_ACT = (
    r"(?:(?:must|should|may|can|shall|need to|has to|have to|is to|are to) (?:always |generally )?(?:never be"
    r"|be avoided)"
    r"|exceeds?\b|goes beyond|go beyond|(?:is|are) (?:\w+ )?(?:advised|warned) against"
    r"|(?:darf|dürfen|soll|sollen|sollte|sollten|kann|können)(?: \w+){0,2} (?:keinesfalls|niemals|nie)\b"
    r"|(?:soll|sollen|sollte|sollten|muss|müssen|ist|sind)(?: \w+){0,4} (?:zu )?(?:vermeiden|vermieden|meiden|gemieden"
    r"|unterlassen|verzichten|abzuraten|abgeraten|unterbleiben)\b|übersteig\w+|überschreite[tn]"
    r"|dépassent?\b|excèdent?\b|(?:doit|doivent|devrait) être (?:évitée?s?|proscrite?s?)"
    r"|superan? (?:el|la|los|las)\b|exceden?\b|sobrepasan?\b|(?:debe|deben|debería) (?:evitarse|ser evitad[oa]s?)"
    r"|se desaconseja)"
)
_GERUND = re.compile(rf"^\W*(?:\w+ing|to|zu|\w{{2,}}(?:er|ir|re|ar)|l['’]\w+|{_DETERMINER} {_DOING})\b")
_THIS = r"(?:c['’](?:est|était)|ce serait|das (?:ist|wäre)|that(?:['’]s| is| would be)|eso (?:es|sería))"
_HERE = r"(?:(?:(?:in|at|for|during|under|bei|für|im|dans|en|chez|pour|para)\b(?: \w+\.?){1,3}|here|hier|ici|aquí) )?"
_BADLY = rf"(?:(?:{_THIS}|{_IS}) {_HERE}{_MUCH}{_BAD}|{_ACT})"
_DIRECT = re.compile(rf"^[\"'»”)]*,? ?{_BADLY}")
_FURTHER = re.compile(rf"^[\"'»”)]* (?:{_WORD}{{0,4}}?|{_WORD}{{0,3}}?\w+, ){_BADLY}|^ zu \w+,? {_BADLY}")
_TO_WHOM = re.compile(rf"^[\"'»”)]* (?:to|a|à) {_WORD}{{1,4}}?{_BADLY}")
_FORBIDDEN = re.compile(
    r"\b(?:prohibited|forbidden|illegal|unlawful|not (?:allowed|permitted|possible)|(?:may|must|can)(?: no|n['’])t"
    r"|cannot"
    r"|verboten|unzulässig|untersagt|nicht (?:erlaubt|gestattet|möglich|zulässig)|darf\w* [^.]{0,80}nicht|interdite?s?"
    r"|n['’]est pas (?:permis|autorisé|possible)\w*|prohibid[oa]s?|no (?:se puede|está permitid[oa]|es posible))\b"
)
_NOT_BAD = re.compile(
    r"^[\"'»”)]* (?:(?!and\b|or\b)\w+ ){0,3}?(?:(?:is|are|was|were|would|be|ist|sind|wäre|wären|es|est|son|sont"
    r"|n['’]est|ne sont|no)"
    rf" ?(?:not|n['’]t|never|hardly|scarcely|by no means|far from|nicht|nie|kaum|keineswegs|pas|jamais"
    rf"|no|nunca|es|son|est[áé]n?|ser[íi]an?)(?: be)?|(?:is|are)n['’]t) (?:at all "
    rf"|überhaupt |du tout )?{_MUCH}{_BAD}"
)
_RATE = re.compile(r"\b(?:ra(?:te|ten|t)|sehen sie|sieh|seht)\b(?: \w+){0,2} von (?:\w+ ){0,2}$")
_OFF = re.compile(r"^ (?:\w+ ){0,4}?ab\b")
_MEIDEN = re.compile(r"^ (?:\w+ ){0,3}?(?:zu )?(?:vermeiden|meiden|unterlassen)\b(?!,)")
_VOR = re.compile(r"(?:^|[.:;!]\s*)\W*(?:von|auf|vor) (?:\w+ ){0,3}$")
_ABRATEN = re.compile(
    r"^ (?:\w+ ){0,4}?(?:ist|sind|wird|werden|rate|raten|sollte\w*|muss|warne|warnen)\b[^.;,]{0,60}?\b(?:abzuraten"
    r"|abgeraten"
    r"|verzichten|verzichtet|abzusehen|abgesehen|gewarnt|ab)\b"
)
_SHALL_AVOID = re.compile(r"\b(?:deben?|debería|hay que|conviene) evitar(?:se)? (?:\w+ )?$")
_ASKS = re.compile(
    r"\b(?:what|which|who|whom|when|where|from|at|is|are|was|welche\w*|wer|wann|ab|sind|ist|quel\w*|que|qu['’]|quand"
    r"|qui|à|est"
    r"|qué|cuál\w*|cuándo|quién|desde|es|son)\b[^.?!]{0,200}"
    r"\b(?:avoid\w*|danger\w*|unsafe|hazard\w*|harm\w*|toxic|prohibit\w*|forbidden|banned|contraindicat\w*"
    r"|too (?:much|many"
    r"|high|low|long|late|hot|cold)|overdose|unacceptable|vermeid\w+|vermieden|gefährlich\w*|schädlich|giftig|verboten"
    r"|unzulässig|kontraindiziert|zu (?:viel|hoch|niedrig|spät)|überdosis|verzicht\w+|évit\w+|danger\w*|interdit\w*"
    r"|toxique\w*|nocif\w*|contre-indiqu\w+|déconseill\w+|trop|proscri\w+|evit\w+|peligros\w+|prohibid\w+|tóxic\w+"
    r"|nociv\w+|contraindicad\w+|desaconsej\w+|demasiad\w+)\b"
)


_DONE = (
    r"(?:given|used|taken|administered|applied|prescribed|paid|charged|accepted|added|injected|offered|installed|chosen"
    r"|claimed|promised|quoted|recommended|gegeben|verabreicht|verwendet|eingesetzt|genommen|eingenommen|angewendet"
    r"|angewandt|benutzt|bezahlt|gezahlt|verordnet|empfohlen)"
)
_DO = r"(?:give|use|take|administer|apply|prescribe|pay|charge|accept|add|inject|offer|install|quote|promise)"
_FREE = (
    r"(?![^.;:]{0,120}\b(?:unless|without|until|except|before|more than|longer|again|only|if|bevor|ohne|außer|solange"
    r"|wenn|nur|erneut)\b)"
)
"""Not followed by what makes it a condition: "must not be given without an order" tells how it is given."""
_PLAIN = r"(?:(?!ohne\b|bevor\b|vor\b|mehr\b|länger\b|öfter\b|erneut\b|nur\b|als\b)\w+ )"
_NOT_DONE = re.compile(
    rf"^[\"'»”)]* (?:(?:must|should|may|shall|ought to|is to|are to)(?: not|n['’]t)(?: ever)? be {_DONE}\b"
    rf"|(?:darf|dürfen|soll|sollen|sollte|sollten) {_PLAIN}{{0,3}}?nicht {_PLAIN}{{0,2}}?{_DONE} werden\b){_FREE}"
)
_NOBODY = re.compile(
    rf"\b(?:nobody|no (?:1|one|child|adult|patient|person|pupil|customer|employee|driver|user)) "
    rf"(?:should|may|must|can|shall|is to|is allowed to)(?: ever)? {_DO} (?:{_GAP})$"
)
_HARM_TO = re.compile(
    rf"(?<!not )(?<!n't )(?<!n’t )(?<!never )(?<!less )\b(?:dangerous|unsafe|risky|reckless|harmful|hazardous|illegal"
    rf"|unlawful|prohibited|forbidden|contraindicated) to {_DO} (?:{_GAP})$"
)


def asks_for_warnings(turns: Iterable[str]) -> bool:
    """Whether what is to be avoided is just what is asked: "Which dose is too high?" Then a warning is the claim."""
    return any(_ASKS.search(turn.casefold()) for turn in turns)


def cautions(before: str, after: str, clause: str) -> bool:
    """Whether an answer warns of a phrase, rules it out, or only reports it.

    Args:
        before: The sentence up to the phrase, in the form of `stating.loose`.
        after: The text after the phrase, the next sentences too.
        clause: The end of `before` that is the phrase's own clause.
    """
    before, clause, after = before[-_REACH:], clause[-_REACH:], _INFLECTED.sub("", after[:_REACH])
    if _LIMITED.search(before) or _OR_MORE.search(after):
        return False
    if _NOBODY.search(clause) and _unconditional(after):
        return True
    if _NOT_DOING.search(clause):
        return False
    if _warned(before, clause) or _FAULT.search(before) or _FORMER.search(before) or _SHALL_AVOID.search(clause):
        return True
    if _EAST_BEFORE.search(clause) or _EAST_AFTER.search(after):
        return True
    if _DIRECT.search(after) or _ASKED_BACK.search(after) or _NOT_DONE.search(after):
        return True
    if _HARM_TO.search(clause) and _unconditional(after):
        return True
    subject = not _AFTER_PREPOSITION.search(clause) or _GERUND.search(clause)
    if subject and (_FURTHER.search(after) or (_GERUND.search(clause) and _TO_WHOM.search(after))):
        return True
    if _MEIDEN.search(after) and not re.search(r"\b(?:um|ohne)\b", clause):
        return True
    if (_VOR.search(before) and _ABRATEN.search(after)) or (_RATE.search(before) and _OFF.search(after)):
        return True
    if _WAS.search(clause) and _UNTIL.search(after):
        return True
    return _HEARSAY.search(clause) is not None and _REBUTTED.search(after) is not None


_LIMITED = re.compile(
    r"\b(?:above|over|beyond|below|under|than|exceed\w*|upwards of|past|higher|lower|missing|über|oberhalb|unter"
    r"|unterhalb"
    r"|mehr als|weniger als|als|ab|jenseits|à partir d[e'’]|dès|a partir de|überschreit\w*|übersteig\w*|plus d[e'’]"
    r"|moins d[e'’]|supérieur\w* à"
    r"|inférieur\w* à|au-delà d[e'’]|au-dessus d[e'’]|en dessous d[e'’]|dépass\w*|excéd\w*|más de|menos de"
    r"|superior\w* al?|inferior\w* al?|encima del?|debajo del?|super(?:ar|e|en|ando)|exced\w+|rebas\w+) ?"
    rf"{_SMALL}{{0,6}}(?:(?:limit|maximum|dose|level|grenze|limite|límite) (?:of|von|de) )?$"
)
"""Before a phrase: it is a bound, and what is warned of is beyond it. A bound is a claim."""
_EAST_BEFORE = re.compile(r"(?:避免|切勿|请勿|严禁|禁止|不要|别)[^，。、；]{0,6}$")
_EAST_AFTER = re.compile(
    r"^(?:은|는|이|가|을|를|도)? ?(?:\S+ ){0,2}?(?:너무 ?(?:많|높|적|길|늦)|지나치게|과다|과량|위험(?!하지)"
    r"|피하|피해야|금지|삼가"
    r"|권장하지 않|권하지 않)|^[^，。；]{0,4}(?:太多|过多|过量|太高|过高|太晚|太长|有?危险|有害|被?禁止|不安全|不可取)"
)
_ASKED_BACK = re.compile(r"^[\"'»”)]* ?\? ?(?:no|nein|non|nope)\b")
_INFLECTED = re.compile(r"^[^\W\d_]{1,2}(?= )")
_OR_MORE = re.compile(
    r"^ ?(?:,? ?(?:or|and|oder|und|et|ou|y|o) (?:more|less|above|over|below|higher|lower|mehr|weniger|darüber|darunter"
    r"|höher|plus|moins|davantage|au-delà|más|menos|superior\w*)\b)"
)
_NOT_DOING = re.compile(
    r"^\W*(?:not|never|failing|failure|omitting|nicht|ne pas|no|omettre|omitir|wer nicht)\b|\b(?:without|ohne|sans"
    r"|sin) "
)
_AFTER_PREPOSITION = re.compile(
    r"\b(?:after|within|for|until|before|by|from|during|over|at|in|than|nach|innerhalb|binnen|vor|bis|ab|seit|für|bei"
    r"|auf"
    r"|mit|pendant|après|dans|avant|dès|sous|à|tras|después de|durante|en|antes de|desde|con) "
    r"(?:(?:the|a|an|least|about|den|der|die|das|les|los|las|le|la) )?$"
)


def _unconditional(after: str) -> bool:
    """Whether nothing that follows makes it a condition."""
    return re.match(_FREE, after) is not None


def not_bad(after: str) -> bool:
    """Whether what follows a phrase denies that it is bad, and so claims it: "is not too much"."""
    return _NOT_BAD.search(after) is not None


def forbidden(text: str) -> bool:
    """Whether it says that something is forbidden: entry "without a permit is forbidden" asks for a permit."""
    return _FORBIDDEN.search(text) is not None


def _warned(before: str, clause: str) -> bool:
    """Whether a warning governs the phrase: "avoid", with nothing but "doses of" or a list between."""
    found = _WARNS.search(before)
    if found is None:
        return False
    if "," not in found[0] and not found["aim"]:
        return True
    aimed = found["aim"] and _AIMED.match(before[: found.start()])
    return not aimed
