"""What an answer does, told by its words: it refuses, hands over to a person, hedges, or nothing of that can be seen.

For systems that do not report it. The patterns are those of English, German, French, Spanish, Korean and Chinese;
how often each is right is measured on a labeled list by `python -m benchmarks.behaviors`. An answer that fits none
is `unknown`: that it is an answer is then shown by what it states, never by the lack of a pattern.

A refusal is the system's own: it cannot answer, or the sources do not say. "The school may not refuse a pupil" and "The
regulation does not provide for an exemption" are answers. A pattern counts in the first sentences, or when the whole
text is short: what stands at the end of a long answer is a courtesy.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, get_args

from curator.domain.going_on import goes_on, unquoted

Shown = Literal["answer", "refuse", "escalate", "hedged", "unknown"]
"""What an answer was seen to do. `hedged`: it calls it unsure, or refuses and answers all the same."""
SHOWN: tuple[Shown, ...] = get_args(Shown)
LANGUAGES = ("en", "de", "fr", "es", "ko", "zh")
OPENING = 400
"""Characters from the beginning in which a pattern counts."""

_TOLD = r"(?:(?:provided|available|given|retrieved|current|supplied|reference|source) )?"
_PAPERS = (
    _TOLD + r"(?:document(?:s|ation)?|sources?|context|guidelines?|materials?|texts?|information|passages?|excerpts?|"
    r"handbook|manual|knowledge base)"
)
"""What a system answers from. What it does not contain is not known; what a contract does not contain is not agreed."""
_SOURCES = rf"(?:{_PAPERS}|{_TOLD}(?:polic(?:y|ies)|regulations?|files?|records?|contract|report|filing))"
_GIVEN = r"(?:(?:that )?(?:I have|provided|available|given|here) )?"
_NOT = r"(?: no|n['’])t"
_REFUSE_EN = (
    r"\bI(?:['’]m| am)? (?:(?:really |very )?sorry,? (?:but )?)?(?:I )?(?:can(?:no|['’])t|can not|could(?: no|n['’])t|"
    r"am not able to|['’]?m not able to|not able to|am unable to|unable to|won['’]t|will not|must decline"
    r"|have to decline|"
    r"do(?: no|n['’])t have (?:any |enough |sufficient |the |that )?(?:information|details|data|access|knowledge"
    r"|context))"
    r"|\b(?:can(?:no|['’])t|unable to|not able to) (?:answer|help|assist|provide|advise|say|tell|find|confirm|comment|"
    r"determine|share|disclose|verify|give (?:you )?(?:advice|that|this|any))\b(?! the pupil)"
    r"|\bI did(?: no|n['’])t find\b|\bI (?:do not|don['’]t) know\b|\bI found (?:no|nothing)\b"
    rf"|\b(?:the|these|those|this|our|my|your) {_SOURCES} {_GIVEN}(?:do(?:es)?|did){_NOT} (?:say|state|mention|specify|"
    r"address|discuss|answer|include (?:any )?(?:information|guidance|details)|provide (?:any |enough |sufficient )?"
    r"(?:information|guidance|details|an answer)|give (?:any )?(?:information|an answer|guidance)|indicate|describe|"
    r"deal with|speak)"
    rf"|\b(?:the|these|those|this|our|my|your) {_PAPERS} {_GIVEN}(?:do(?:es)?|did){_NOT} (?:cover|contain|include"
    rf"|have)\b"
    rf"|\bbut (?:they |it )?do(?:es)?{_NOT} (?:say|state|mention|specify|address|cover)\b"
    r"|\bcan(?:no|['’])t be (?:answered|determined)\b"
    rf"|\bnone of (?:the|these|my|our) {_PAPERS} {_GIVEN}\w+"
    rf"|\b(?:the|these|those|our|my) {_SOURCES} (?:is|are) silent\b"
    rf"|\bnothing (?:in|about|on) [^.]{{0,60}}\b(?:{_SOURCES}|says)\b|\bnothing in (?:the|these|my|our) {_SOURCES}"
    r"|\b(?:is|are|was|were)(?: not|n['’]t) (?:(?:covered|mentioned|addressed|specified|stated|answered|discussed"
    r"|included|"
    r"contained|described|found|available) )?(?:in|by|anywhere in|within) (?:the|these|any|my|our|this) "
    rf"{_PAPERS}|\b(?:is|are|was|were)(?: not|n['’]t) (?:covered|mentioned|addressed|specified|stated|discussed|"
    rf"described) (?:in|by) (?:the|these|any|my|our|this) {_SOURCES}"
    rf"|^not (?:found|mentioned|covered|specified|stated|available) in (?:the|any|my) {_SOURCES}"
    r"|\b(?:there is|there['’]s|there are|contains?|has|have|found|find|with) (?:no|not enough|insufficient) "
    r"(?:information|mention|guidance|answer|details?|data|basis)(?= (?:about|on|regarding|concerning|for|in|of|to"
    r"|available|"
    r"that|here|given)\b|[.,;!?]|$)|^(?:there is )?(?:not enough|insufficient) (?:information|context|data)\b"
    r"|\b(?:outside|beyond|out of) (?:of )?(?:the|my|our|this) (?:\w+ )?(?:scope|remit|purview)\b"
    r"(?! of (?:the|a|an|this|that|your|his|her|their) (?:contract|agreement|law|licen[cs]e|permit|employment|order))"
    r"|\bI(?:['’]m| am) (?:only|just) (?:able|here|allowed|designed)\b|\bnot something (?:that )?I (?:can|have|know)\b"
    r"|\bI (?:only|can only) (?:answer|cover|have|help|assist)\b"
    r"|\b(?:could|can|would) you (?:please )?(?:clarify|specify|tell me (?:which|what)|say which|be more specific)\b"
    r"|\bplease (?:clarify|specify|tell me which|rephrase)\b|\bwhich [^.?]{2,40} (?:do you mean"
    r"|are you (?:referring to|asking about))\b"
    r"|\bI(?:['’]m| am) not (?:permitted|allowed|authorized|authorised)\b"
    r"|\bI(?:['’]d| would) need (?:to know|more (?:information|details|context))\b"
)
_REFUSE_DE = (
    r"\bfindet sich\b[^.]{0,40}?\b(?:keine|nichts)\b|\bdarf ich (?:Ihnen )?nicht\b|"
    r"\b(?:finde|habe|sehe|kenne) ich\b[^.]{0,30}?\b(?:keine|nichts)\b|\bfinde ich\b[^.]{0,40}?\bnicht\b|"
    r"\b(?:ich kann|kann ich|können wir|wir können|ich darf|darf ich)\b[^.]{0,60}?\b(?:nicht"
    r"|keine?n?)\b[^.]{0,60}?\b(?:beantworten|"
    r"helfen|sagen|geben|nennen|finden|machen|weitergeben|beurteilen|bestätigen|herausgeben|weiterhelfen|mitteilen"
    r"|entnehmen)"
    r"|\b(?:leider|dazu|hierzu|darüber|daraus) [^.]{0,50}?\b(?:keine|nicht|nichts)\b[^.]{0,40}?\b(?:Informationen"
    r"|Angaben?|Auskunft|Hinweise?|"
    r"beantworten|finden|enthalten|geregelt|erwähnt|steht|sagen)"
    r"|\b(?:Dokumente?n?|Quellen?|Unterlagen|Richtlinien?|Leitlinien?|Leitfaden|Verordnung|Texte?|Kontext|Handbuch"
    r"|Vertrag)\b[^.]{0,40}?"
    r"\b(?:enthält|enthalten|sagt|sagen|geben|gibt|nennt|nennen|erwähnt|erwähnen|machen|macht|regelt|regeln|schweigt"
    r"|schweigen)\b"
    r"(?:(?=[^.]{0,80}?\b(?:nichts|keine (?:Angaben?|Informationen|Auskunft|Antwort|Regelung|Aussage"
    r"|Hinweise?)))[^.]*|[^.,]{0,30}? nicht\b"
    r"|[^.]{0,20}?dazu\b|(?<=schweigt)|(?<=schweigen))"
    r"|\b(?:ist|sind|wird|werden)\b[^.]{0,40}?\b(?:in den|in der|im|in dem|in diesen|in meinen|aus den)\b[^.]{0,40}?"
    r"(?:Dokument\w*|Quelle\w*|Unterlagen|Richtlinie\w*|Leitfaden|Verordnung|Text\w*|Handbuch) nicht (?:enthalten"
    r"|geregelt|erwähnt|genannt|"
    r"behandelt|beschrieben|ersichtlich)"
    r"|\bIch weiß (?:es |das )?nicht|\bich habe (?:dazu |hierzu |darüber )?keine (?:Informationen|Angaben|Daten)"
    r"|\bkeine (?:Informationen|"
    r"Angaben) (?:dazu|hierzu|darüber|über|zu)\b|\bliegen (?:mir )?(?:dazu |hierzu )?keine\b"
    r"|\baußerhalb (?:meine[sr]|des|der|unsere[sr]) "
    r"(?:\w+ )?(?:Zuständigkeit\w*|Aufgabenbereich\w*|Themen\w*|Rahmens?|Bereichs?|Umfangs?)"
    r"|\b(?:Können|Könnten) Sie (?:das |bitte |mir )*(?:genauer|näher|präzisieren|sagen,? welche\w*|angeben)"
    r"|\bWelche\w* [^.?]{2,40} meinen Sie"
    r"|\bBitte (?:präzisieren|konkretisieren|geben Sie (?:genauer )?an, welche)"
)
_REFUSE_FR = (
    r"\bje ne (?:peux|puis|suis|saurais|sais|dispose|trouve|pourrai|connais)\b[^.]{0,30}?\b(?:pas|répondre"
    r"|aucune?)\b|\bje ne (?:peux|puis) (?:ni|que)\b"
    r"|\bje n['’](?:ai|arrive)\b (?:pas|trouvé aucune?|aucune?)|\bil (?:ne m['’]est pas|m['’]est impossible)"
    r"|\bnous ne (?:pouvons|sommes) pas\b"
    r"[^.]{0,20}?(?:répondre|fournir|en mesure|vous)"
    r"|\b(?:documents?|sources?|textes?|guides?|contexte|règlements?|informations?|extraits?|contrat|manuel"
    r"|directives?)\b[^.]{0,40}?\bn(?:e |['’])"
    r"(?:dit|disent|(?:mentionne|précise|traite|aborde|indique|couvre|évoque|spécifie|donne|comporte)(?:nt)?"
    r"|contient|contiennent|"
    r"permet|permettent|fournit|fournissent|répondent|répond)\b[^.]{0,30}?\b(?:pas|rien|aucune?)\b"
    r"|\bn['’](?:est|sont) pas (?:mentionnée?s?|précisée?s?|traitée?s?|abordée?s?|couverte?s?|indiquée?s?"
    r"|évoquée?s?) (?:dans|par)"
    r"|\baucun des (?:documents?|textes?|extraits?)\b|\bn['’]en parle(?:nt)?\b|\bpas (?:assez"
    r"|suffisamment) d['’]information"
    r"|\baucune (?:information|indication|précision|réponse|mention)\b|\b(?:hors|en dehors|dépasse"
    r"|sort)\b[^.]{0,10}(?:du"
    r"|de mon|de notre|le|mon) "
    r"(?:cadre|champ|périmètre|domaine)"
    r"|\bpouvez-vous (?:s['’]il vous plaît )?(?:préciser|clarifier|me dire (?:de )?quel)"
    r"|\bpourriez-vous (?:s['’]il vous plaît )?(?:préciser|clarifier|"
    r"me dire)|\bmerci de préciser|\bde quel(?:le)?s? [^.?]{2,40} parlez-vous|\bje regrette, mais"
    r"|\bje suis désolée?, (?:mais )?je ne"
)
_REFUSE_ES = (
    r"\bno (?:puedo|podemos|me es posible|estoy autorizad[oa]|estoy en condiciones|soy capaz de|sabría)\b"
    r"|\bno (?:tengo|dispongo de|disponemos de|"
    r"cuento con|encuentro|encontré|he encontrado|hallo)\b[^.]{0,30}?\b(?:información|datos|respuesta|nada|acceso"
    r"|detalles|referencia)|\bno lo sé\b"
    r"|\b(?:documentos?|fuentes?|textos?|guías?|contexto|reglamentos?|información|extractos?|contrato|manual"
    r"|directrices|documentación)\b[^.]{0,40}?"
    r"\bno (?:dicen?|mencionan?|especifican?|contienen?|tratan?|abordan?|indican?|cubren?|permiten? (?:saber"
    r"|responder)|ofrecen? (?:información|"
    r"datos)|recogen?|incluyen? información|precisan?|responden?|proporcionan? (?:información|datos)|aclaran?)\b"
    r"|\bno (?:se|está|están|aparece|figura)\b ?(?:menciona\w*|indica\w*|especifica\w*|trata\w*|recogid\w*"
    r"|contemplad\w*|cubiert\w*|dice)?[^.]{0,30}?"
    r"\ben (?:los|las|la|el|estos|mis|nuestr\w+) (?:documentos?|fuentes?|textos?|guías?|contexto|documentación"
    r"|reglamento|manual)"
    r"|\ben (?:los|las|mis|estos) (?:documentos|fuentes|textos|guías) no (?:se )?(?:dice|menciona|indica|encuentr\w+"
    r"|hay|figura"
    r"|aparece)\b"
    r"|\bno hay (?:ninguna |suficiente )?(?:información|mención|datos|indicación|respuesta)\b|\bfuera (?:de mi|del"
    r"|de nuestro) (?:ámbito|alcance|"
    r"cometido|área)|\b(?:podría|puede|podrías|puedes) (?:por favor )?(?:aclarar|precisar|especificar"
    r"|decirme (?:a )?(?:qué|cuál))|\ba qué "
    r"[^.?¿]{2,40} se refiere|\blo siento,? (?:pero )?no\b|\bpor favor,? (?:aclare|especifique|precise|indique a qué)"
)
_REFUSE_KO = (
    r"확인되지 않|(?:답변|대답|답|안내|제공|도움|도와|알려|확인|말씀|판단|공개|조언|알)[^.]{0,14}?(?:수(?:가|는)? 없"
    r"|드리기 어렵|어렵습니다|못합니다|못해|드릴 수 없|불가)"
    r"|(?:문서|자료|지침|출처|규정|본문|문맥|안내서|매뉴얼|근거|계약서|법령)[^.]{0,30}?(?:정보|내용|언급|규정"
    r"|설명|답|기준|명시|나와|포함|기재|다루)[^.]{0,12}?(?:없|않|있지)"
    r"|(?:정보|내용|근거|자료|언급)(?:가|이|은|는)? (?:전혀 |따로 |충분히 |포함되어 |나와 |들어 )?(?:없습니다"
    r"|없어|없으|않습니다|있지 않|부족)|찾을 수(?:가)? 없|모르겠습니다"
    r"|알지 못합니다"
    r"|범위(?:를|에서)? ?(?:벗어|밖)|(?:어떤|어느|무슨) [^.?]{1,20}(?:말씀이|말씀하|의미하|뜻하|인지 (?:알려"
    r"|말씀|구체))|구체적으로 (?:말씀|알려)|다시 질문"
    r"|답해 드릴 수 없|죄송(?:하지만|합니다만)"
)
_REFUSE_ZH = (
    r"(?:无法|不能|没法|不便|难以|无从)(?:为您|向您|给您|对此|就此|给出|具体)?(?:回答|提供|确定|确认|判断"
    r"|告知|给出|答复|解答|透露|协助|帮助|得知|查到|找到)"
    r"|(?:文件|文档|资料|来源|指南|规定|上下文|材料|文本|手册|条例|内容|合同|信息)(?:中|里|内)?(?:并|都"
    r"|均)?(?:没有|未|没|并未|不)(?:有)?(?:提到|提及|说明|包含|涉及|规定"
    r"|找到|给出|"
    r"记载|指出|写明|提供|讨论|涵盖|相关|关于|说)|(?:没有|未|找不到|缺乏|缺少)(?:找到|查到|足够的?|任何"
    r"|关于[^。]{0,20}的?|与[^。]{0,20}相关的?|相关的?)+(?:信息|内容|说明"
    r"|资料|依据|规定)"
    r"|没有权限|我不知道|我不清楚|超出(?:了)?(?:我的|本|该|我们的)?[^。]{0,8}(?:范围|职责)|不在[^。]{0,10}范围"
    r"|请(?:您)?(?:具体|进一步)?(?:说明|明确|澄清|告知)(?:您|是|一下"
    r"|具体|指)|您(?:指的|说的)是(?:哪|什么)"
    r"|(?:抱歉|对不起|很遗憾)[，,]?(?:但)?(?:我|目前|本)?(?:们)?(?:无法|不能|没有|不便)"
)
_PERSON_EN = (
    r"(?:school |on-call |your |our |local |legal |compliance |medical |human |customer |qualified |data protection "
    r"|duty |line |treating )*"
    r"(?:nurse|doctor|physician|gp|pharmacist|supervisor|manager|lawyer|attorney|counsel|officer|team|department"
    r"|specialist|professional|"
    r"expert|colleague|agent|representative|hotline|helpline|support|staff|authority|office|emergency services?"
    r"|ambulance|police|head teacher|"
    r"hr|human resources|headquarters|principal|poison (?:control|center|centre)|desk|service|person|human"
    r"|advis[eo]r|clinic|hospital)\b"
)
_ESCALATE_EN = (
    rf"\b(?:please|you (?:should|must|need to)|I(?:['’]d| would)? (?:advise|recommend|suggest)(?: you"
    rf"| that you)?(?: to)?|kindly|immediately|"
    rf"always|instead,?|so,?|then)\s*(?:immediately |directly |first |at once )?(?:contact(?:ing)?|call(?:ing)?"
    rf"|consult(?:ing)?|ask(?:ing)?|speak(?:ing)? "
    rf"(?:to|with)|talk(?:ing)? to|see(?:ing)?|turn(?:ing)? to|reach(?:ing)? out to|get(?:ting)? in touch with"
    rf"|inform(?:ing)?|refer(?:ring)? "
    rf"(?:this |it )?to|notify(?:ing)?)\s+(?:the |a |an |your |our )?{_PERSON_EN}"
    rf"|(?:^|[.!:]\s+)(?:contact|call|ring|consult|speak (?:to|with)|talk to|turn to|reach out to|get in touch with"
    rf"|refer (?:\w+ ){{0,3}}to|hand (?:\w+ ){{1,2}}(?:over )?to) (?:the |a |an |your |our )?{_PERSON_EN}"
    r"|\blet me (?:hand|transfer|connect|put|pass) (?:you|this)"
    r"|\b(?:call|dial|phone) (?:911|112|999|111|emergency)\b"
    r"|\bI(?:['’]m| am|['’]ll| will| have|['’]ve| need to| must) (?:now )?(?:transferr?(?:ing|ed)?|forward(?:ing"
    r"|ed)?|escalat(?:e|ing|ed)|hand(?:ing|ed)? "
    r"(?:this|you|it|over)|pass(?:ing|ed)? (?:this|you|it|your)|connect(?:ing|ed)? you|referr?(?:ing|ed)? (?:this"
    r"|you|it)|put(?:ting)? you through)"
    r"|\b(?:this|your) (?:question|request|case|matter|inquiry|query|issue)? ?(?:has been|will be|is being"
    r"|needs to be|must be|should be) "
    r"(?:escalated|forwarded|referred|handed (?:over|to)|passed (?:on|to)|transferred|reviewed by a (?:human|person))"
)
_ESCALATE_DE = (
    r"\b(?:wenden Sie sich|wende dich|kontaktieren Sie|rufen Sie|fragen Sie|sprechen Sie|konsultieren Sie"
    r"|informieren Sie|suchen Sie)\b[^.]{0,50}?"
    r"(?:an|Notruf|112|110|Arzt|Ärztin|Schul\w*|Leitung|Vorgesetzte\w*|Rechtsabteilung|Abteilung|Team|Beauftragte\w*"
    r"|Fach\w+|Anwalt|Behörde|Kolleg\w*|"
    r"Support|Kundendienst|Pflege\w*|Giftnotruf|Rettungsdienst|Apotheke\w*)"
    r"|\b(?:ich|wir) (?:leite|leiten|verbinde|verbinden|übergebe|übergeben|gebe|geben|verweise|verweisen"
    r"|eskaliere)\b[^.]{0,60}?(?:weiter|Sie|an|ab|über)\b"
    r"|\b(?:(?:Ihre?|diese[rs]?|die) (?:Frage|Anfrage|Anliegen|Fall|Sache)|es|das) (?:wird|wurde"
    r"|muss) [^.]{0,40}?(?:weitergeleitet|übergeben|eskaliert|weitergegeben|vorgelegt)"
)
_ESCALATE_FR = (
    r"\b(?:veuillez|merci de|il faut|vous devez|je vous (?:conseille|invite|recommande)(?: de| à)?"
    r"|prière de)\s*(?:immédiatement |d['’]abord )?(?:contacter|"
    r"appeler|consulter|vous adresser|joindre|demander|prévenir|saisir|parler)\b|\b(?:contactez|appelez"
    r"|consultez(?! (?:"
    r"le |la |les |l['’])?(?:tableau|section|article|annexe|page|document|guide|chapitre|règlement|notice))"
    r"|adressez-vous|prévenez|joignez|"
    r"parlez(?:-en)? (?:à|au|avec))\b|\bje (?:transmets|transfère|vous (?:mets en relation|transfère|oriente|renvoie"
    r"|passe)|fais suivre|redirige)\b"
    r"|\b(?:votre|cette|la) (?:demande|question|requête) (?:a été|sera|est|doit être) (?:transmise?|transférée?"
    r"|escaladée?|soumise?|confiée?) (?:à|au|aux)"
)
_ESCALATE_ES = (
    r"\b(?:póngase en contacto|ponte en contacto|contacte|contacta|llame|llama|consulte|consulta|diríjase|acuda"
    r"|hable|pregunte|avise|comuníquese)\b "
    r"(?:de inmediato |inmediatamente |directamente )?(?:con|a|al|el|la|su|por)\b(?! (?:tabla|sección|artículo|anexo"
    r"|página|documento|guía|capítulo|reglamento|claridad|calma))|\b(?:le |te )?(?:recomiendo"
    r"|aconsejo|sugiero) (?:que )?(?:contactar|"
    r"consultar|hablar|acudir|llamar|contacte|consulte|hable|acuda|llame)|\b(?:transfiero|paso|derivo|remito"
    r"|traslado|reenvío|escalo)\b[^.]{0,40}?\b(?:a|al|con)\b"
    r"|\b(?:su|esta|la) (?:pregunta|consulta|solicitud|petición|caso) (?:ha sido|será|se ha"
    r"|debe ser) (?:transferid[oa]|derivad[oa]|remitid[oa]|trasladad[oa]|enviad[oa]"
    r"|escalad[oa]) (?:a|al)|\bdebe (?:contactar|consultar|"
    r"acudir|llamar|hablar)"
)
_ESCALATE_KO = (
    r"(?:에게|께|으?로|에|와|과) (?:즉시 |바로 |먼저 |직접 )?(?:문의|연락|상담|신고|전화|보고|알리)(?:해 ?주"
    r"|하시|하십|해야|해 보|하세요|바랍|부탁|하셔|시기|십시오|세요)"
    r"|(?:에게|께|으?로) (?:전달|이관|연결|넘기|넘겨|인계|회부)|(?:119|112)(?:에|로|번)|(?:담당자|보건 ?교사"
    r"|의사|관리자|상담원|전문가|부서"
    r"|변호사)[^.]{0,12}?(?:연결|전달|이관|넘기|넘겨|상의|상담|문의|확인)[^.]{0,10}?"
    r"(?:하겠|드리겠|합니다|됩니다|주세요|하세요|바랍니다|주십시오|하십시오)"
)
_ESCALATE_ZH = (
    r"请[^。，]{0,4}与[^。，]{1,12}联系|请(?:您)?(?:立即|直接|尽快|先|务必)?(?:联系|咨询|拨打|致电|询问|告知"
    r"|通知|报告|求助于?|寻求)|(?:建议"
    r"|应当?|需要|务必)(?:您)?(?:立即|尽快|直接|先)?(?:联系|咨询|拨打"
    r"|致电|就医|求助)"
    r"|(?:已|将|会|正在|需要|我)(?:把|将|为您)?[^。，]{0,14}?(?:转交|转接|转给|移交|上报|转达|转至|提交给)"
)
_HEDGE_EN = (
    r"\bi(?:'m| am) not (?:entirely |completely |fully |quite |totally )?(?:sure|certain|confident)\b"
    r"|\bi (?:think|believe|guess|assume|suppose|could be wrong)\b|\b(?:probably|possibly|perhaps|presumably"
    r"|apparently|likely)\b"
    r"|\bit (?:seems|appears|might be|may be|could be)\b|\bas far as i (?:know|can tell)\b"
    r"|\bto (?:the best of )?my knowledge\b"
    r"|\b(?:verify|double-check) (?:this|that|it)\b|\bnot (?:entirely )?clear\b"
)
_HEDGE_DE = (
    r"\bich bin (?:mir )?(?:nicht|unsicher)\b[^.]{0,15}(?:sicher)?|\b(?:vermutlich|wahrscheinlich|möglicherweise)\b"
    r"|\bich (?:glaube|denke|vermute|nehme an)\b|\bsoweit ich weiß\b|\bohne gewähr\b|\bes scheint\b"
    r"|\bkönnten? (?:\w+ ){0,2}?sein\b"
)
_HEDGE_FR = (
    r"\bje (?:ne suis pas (?:sûr|certain)|crois|pense|suppose)|\b(?:probablement|peut-être|sans doute)\b"
    r"|\bil (?:semble|se peut|me semble)\b|\bà ma connaissance\b|\bsauf erreur\b"
)
_HEDGE_ES = (
    r"\bno estoy (?:del todo |completamente )?segur[oa]\b|\b(?:creo|supongo|pienso) que\b|\b(?:probablemente|quizás?"
    r"|tal vez|posiblemente)\b"
    r"|\bparece (?:que|ser)\b|\bhasta donde sé\b"
)
_HEDGE_KO = (
    r"확실하지|확실치|정확하지 않|(?:인|일|한|할) 것 같습니다|것으로 보입니다|아마|추정|(?:일|할) 수도 있|수 있을 것"
)
_HEDGE_ZH = r"不(?:太|完全)?确定|可能是|大概|也许|或许|应该是|据我所知|似乎|好像|不敢保证|恐怕"


def _compiled(pattern: str) -> re.Pattern[str]:
    """A pattern for text in lower case: several times as fast as one that ignores case."""
    return re.compile(re.sub(r"(?<!\\)[A-ZÀ-Þ]", lambda m: m[0].lower(), pattern))


_REFUSE = {
    n: _compiled(p)
    for n, p in zip(LANGUAGES, (_REFUSE_EN, _REFUSE_DE, _REFUSE_FR, _REFUSE_ES, _REFUSE_KO, _REFUSE_ZH), strict=True)
}
_ESCALATE = {
    n: _compiled(p)
    for n, p in zip(
        LANGUAGES, (_ESCALATE_EN, _ESCALATE_DE, _ESCALATE_FR, _ESCALATE_ES, _ESCALATE_KO, _ESCALATE_ZH), strict=True
    )
}
_HEDGED = {
    n: _compiled(p)
    for n, p in zip(LANGUAGES, (_HEDGE_EN, _HEDGE_DE, _HEDGE_FR, _HEDGE_ES, _HEDGE_KO, _HEDGE_ZH), strict=True)
}
_NEEDS = {  # one of these stands in whatever an English pattern finds; looking for them takes a hundredth of the time
    id(_REFUSE["en"]): (
        "not ", "n't", "cannot", " no ", "nothing", "none of", "unable", "decline", "silent", "scope", "remit",
        "purview", " only ", " just ", "clarify", "specif", "which", "rephrase", " need ", "insufficient",
    ),
    id(_ESCALATE["en"]): (
        "contact", "call", "ring", "consult", "ask ", "speak", "talk", "see ", "turn", "touch", "reach", "inform",
        "refer",
        "notify", "hand", "dial", "phone", "transfer", "forward", "escalat", "pass", "connect", "put", "review",
    ),
    id(_HEDGED["en"]): (
        "sure", "certain", "confident", "think", "believe", "guess", "assume", "suppose", "wrong", "ly ", "ly,",
        "perhaps", "it ", "far ", "knowledge", "verify", "check", "clear",
    ),
}  # fmt: skip


def _found(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    needs = _NEEDS.get(id(pattern))
    return pattern.search(text) if needs is None or any(word in text for word in needs) else None


_HANDING = re.compile(
    r"\b(?:pass|refer|hand|forward|contact|call|ask|tell|inform|notify|report|transfer|escalate|consult|alert|speak"
    r"|talk|turn|"
    r"leave|send|direct|rufen|ruf|fragen|informieren|melden|wenden|verständigen|übergeben|weiterleiten|weitergeben"
    r"|benachrichtigen|"
    r"appel\w*|contact\w*|préven\w*|transm\w*|adress\w*|avert\w*|inform\w*|llam\w*|avis\w*|remit\w*|deriv\w*"
    r"|consult\w*|acud\w*)\b|"
    r"신고|연락|문의|알리|보고|전달|상담|맡기|联系|拨打|报告|通知|转交|咨询|告知",
    re.IGNORECASE,
)
_LETTERS = {"ko": re.compile("[\uac00-\ud7af]"), "zh": re.compile("[\u4e00-\u9fff]")}


@lru_cache(maxsize=16384)
def shown(answer: str, language: str = "") -> frozenset[Shown]:
    """What the words of an answer show: refuse, escalate, both, hedged, or unknown. Never `answer`.

    Who refuses and names somebody to turn to does both. A refusal that answers all the same is hedged.

    Args:
        answer: As the system wrote it.
        language: Of the question. Its patterns are tried first, then those of all the others.
    """
    text = _plain(answer)
    opening = text[:OPENING]
    tried = _tried(language, opening)
    found: set[Shown] = set()
    said = unquoted(text)
    refusal = _refusal(tried, said[:OPENING])
    if refusal and goes_on(said, *refusal.span(), lambda c: _refuses_too(c, tried), language):
        found.add("hedged")
    elif refusal:
        found.add("refuse")
    if any(_found(_ESCALATE[n], opening) for n in tried):
        found.add("escalate")
    if not found and any(_found(_HEDGED[n], opening) for n in tried):
        found.add("hedged")
    return frozenset(found or {"unknown"})


def hedges(answer: str, language: str = "") -> bool:
    """Whether it calls unsure what it says; the arguments are those of `shown`."""
    opening = _plain(answer)[:OPENING]
    return any(_found(_HEDGED[n], opening) for n in _tried(language, opening))


def _plain(answer: str) -> str:
    return " ".join(answer.split()).replace("\u2019", "'").lower()


def _tried(language: str, text: str) -> Sequence[str]:
    """Languages whose patterns are tried, the question's first: a system may refuse in another than it was asked in.

    Korean and Chinese need a letter of theirs.
    """
    base = language.partition("-")[0].casefold()
    order = dict.fromkeys((base, "en", *LANGUAGES)) if base in LANGUAGES else LANGUAGES
    return tuple(n for n in order if n not in _LETTERS or _LETTERS[n].search(text))


_OTHERS = re.compile(
    r"\b(?:you|he|she|they|the|a|an|any|every|each|no|our|your|staff|schools?|teachers?|pupils?|employees?|companies|firms?"
    r"|parents?|patients?|customers?) (?:[\w'-]+ ){0,4}(?:(?:is|are|was|were|be) )?$"
)
_OWN = re.compile(
    rf"\b(?:i|i'm|we|assistant|system|bot|chatbot|model|tool|service|questions?|requests?|{_PAPERS}|{_SOURCES})\b"
)


def _refuses_too(clause: str, tried: Sequence[str]) -> bool:
    return any(_found(_REFUSE[n], clause) or _found(_ESCALATE[n], clause) for n in tried)


def _refusal(tried: Sequence[str], text: str) -> re.Match[str] | None:
    """The first refusal that is the system's own: "the school cannot share records" is an answer."""
    for name in tried:
        if _found(_REFUSE[name], text):
            for found in _REFUSE[name].finditer(text):
                if name != "en" or not (_is_of_others(text, found) or _TURN_OF_SPEECH.match(text, found.end())):
                    return found
    return None


_CANNOT = ("can", "unable", "not able")


_TURN_OF_SPEECH = re.compile(
    r" (?:help )?but (?:notice|think|say|feel|wonder|agree)\b| (?:stress|emphasi[sz]e|overstate|lie|hide|deny)\b"
    r"| to (?:say|tell you|confirm)\b| wait to\b"
)


def _is_of_others(text: str, found: re.Match[str]) -> bool:
    """Whether who cannot is somebody else than who answers."""
    clause = re.split(r"[.,;:!?]\s", text[: found.start()])[-1]
    return found[0].startswith(_CANNOT) and _OTHERS.search(clause) is not None and _OWN.search(clause) is None


def hands_over(answer: str) -> bool:
    """Whether it has a word for handing over. Of an answer that also names whom, that makes an escalation."""
    return _HANDING.search(answer) is not None
