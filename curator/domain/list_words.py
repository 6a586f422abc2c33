"""Words of lists that say how a system must behave, how hard a question is, and how bad a mistake: many languages."""

# ruff: noqa: E501, SIM905  a table of words is read more easily in long lines

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from curator.domain.case import Behavior, Difficulty, DraftRisk, RefusalReason
from curator.domain.list_fields import key_of

Kind = Literal["answer", "refuse", "escalate", "clarify", ""]

_REFUSE = frozenset(
    "refuse refused refuses refusal reject rejected rejects abstain abstained abstention decline declined "
    "declines deny denied unanswerable "
    "unanswered not_answerable out_of_scope outofscope out_of_corpus out_of_domain out_of_distribution oos ood "
    "off_topic offtopic "
    "honest_refusal no_answer no_answer_probe noanswer no_answer_in_corpus not_in_corpus not_in_sources "
    "not_in_docs not_covered "
    "should_refuse expected_refusal must_refuse impossible negative negatives negative_case negative_test refusals "
    "unsupported unsafe harmful safety_refusal idk dont_know i_dont_know insufficient_context "
    "insufficient_information missing_information "
    "trap traps jailbreak prompt_injection "
    "verweigern verweigert ablehnen abgelehnt ablehnung ablehnungen nicht_beantwortbar ausserhalb "
    "ausserhalb_des_bereichs "
    "recusar recusa recusado fora_de_escopo fora_do_escopo sem_resposta negativo negativos negativa negativas "
    "rechazar rechazo rechazado fuera_de_alcance fuera_de_ambito sin_respuesta refuser refus refuse_de_repondre "
    "hors_sujet hors_perimetre "
    "sans_reponse rifiutare rifiuto fuori_ambito weigeren weigering buiten_scope 거절 거부 범위외 범위_외 "
    "답변불가 답변_불가 無回答 拒否 回答不可 範囲外 拒绝 拒答 "
    "超出范围 无法回答 отказ отказать вне_темы odmowa odbij van_opsega".split()
)  # fmt: skip
_ESCALATE = frozenset(
    "escalate escalated escalates escalation escalations escalate_to_human escalate_to_agent handover hand_over "
    "handoff hand_off human_handoff "
    "human human_handover needs_human transfer transfer_to_human transfer_to_agent route_to_human live_agent "
    "eskalieren eskalation "
    "eskalationen weiterleiten escalar escalada escalado escalonar encaminhar derivar escalader "
    "escalate_required inoltrare 에스컬레이션 상담원연결 "
    "상담원_연결 이관 エスカレーション 有人対応 转人工 升级 эскалация".split()
)  # fmt: skip
_ANSWER = frozenset(
    "answer answered answers answerable answered_with_caveat answer_with_caveat full_answer partial_answer "
    "respond respond_normally comply "
    "allow allowed positive positives positive_case in_scope normal beantworten antworten beantwortbar "
    "responder respondido resposta "
    "positivo positivos repondre rispondere antwoorden 답변 답변가능 回答 応答 回答可 ответить".split()
)  # fmt: skip
_CLARIFY = frozenset(
    "clarify clarification ask_back ask_clarification needs_clarification clarifying_question nachfragen "
    "aclarar 되묻기".split()
)
_TRAPS = frozenset("trap traps jailbreak prompt_injection negative_test".split())
"""Words of categories that hold refusals, and answers to false premises as well."""
_REASONS: tuple[tuple[str, RefusalReason], ...] = (
    ("scope", "out_of_scope"), ("topic", "out_of_scope"), ("domain", "out_of_scope"), ("escopo", "out_of_scope"), ("alcance", "out_of_scope"),
    ("ambito", "out_of_scope"), ("sujet", "out_of_scope"), ("ausserhalb", "out_of_scope"), ("범위", "out_of_scope"), ("範囲", "out_of_scope"),
    ("safe", "unsafe"), ("harm", "unsafe"), ("jailbreak", "unsafe"), ("injection", "unsafe"), ("privacy", "personal_data"),
    ("personal_data", "personal_data"), ("pii", "personal_data"), ("ambiguous", "ambiguous"), ("mehrdeutig", "ambiguous"),
    ("unanswer", "not_in_sources"), ("no_answer", "not_in_sources"), ("noanswer", "not_in_sources"), ("corpus", "not_in_sources"),
    ("not_in", "not_in_sources"), ("impossible", "not_in_sources"), ("not_covered", "not_in_sources"), ("insufficient", "not_in_sources"),
    ("missing_info", "not_in_sources"), ("beantwortbar", "not_in_sources"), ("idk", "not_in_sources"), ("has_answer", "not_in_sources"),
    ("in_context", "not_in_sources"), ("answerable", "not_in_sources"), ("답변불가", "not_in_sources"), ("답변가능", "not_in_sources"),
    ("回答可能", "not_in_sources"), ("respond", "not_in_sources"), ("korpus", "not_in_sources"),
)  # fmt: skip


class Behaving(NamedTuple):
    """What a word says of how to behave; `sure` = it says nothing else. kind "" = nothing."""

    kind: Kind
    sure: bool = True


def behavior_of(word: str) -> Behaving:
    """How a system must behave by one word or short name of an action, category or list."""
    key = (
        key_of(word)
        .removeprefix("must_")
        .removeprefix("expect_")
        .removeprefix("to_")
        .removesuffix("_cases")
        .removesuffix("_questions")
    )
    if key in _REFUSE:
        return Behaving("refuse", key not in _TRAPS)
    if key in _ESCALATE:
        return Behaving("escalate")
    if key in _CLARIFY:
        return Behaving("clarify")
    return Behaving("answer") if key in _ANSWER else Behaving("")


def as_behavior(kind: Kind) -> Behavior:
    """The behavior of a case: who must ask back answers."""
    return kind if kind in ("refuse", "escalate") else "answer"


def reason_of(*words: str) -> RefusalReason:
    """Why to refuse, by the first of these words that says it; "" = none does."""
    keys = [key_of(w) for w in words if w]
    return next((reason for key in keys for part, reason in _REASONS if part in key), "")


_SENTINEL = re.compile(
    r"(?:[A-Z]{2,}(?:[_-][A-Z]{2,})+|<[a-z_]*(?:no_?answer|unanswerable)[a-z_]*>|\[[A-Z_ ]*NO[_ ]ANSWER[A-Z_ ]*\])"
)
_RUBRIC_REFUSE = re.compile(
    r"(?:(?:the )?(?:assistant|answer|response|bot|model|system|agent|output|it)\s+)?(?:must |should |politely |clearly |firmly |always |has to )*"
    r"(?:declin|refus|abstain|reject|does not (?:answer|give|provide|comply|help)|do not (?:answer|give|provide|comply)|not (?:answer|provide|comply)"
    r"|lehnt\b|verweigert|recusa|rechaza|refuse|se niega)", re.I,
)  # fmt: skip
_RUBRIC_ESCALATE = re.compile(
    r"(?:(?:the )?(?:assistant|answer|response|bot|model|system|agent|it)\s+)?(?:must |should |always |has to |immediately )*"
    r"(?:escalat|hands? (?:the \w+ |it |this )?(?:over|off)\b|handing over|transfers? (?:the \w+ |it |this )?to (?:a |the )?(?:human|member|agent|person|staff)|"
    r"leitet .{0,30}weiter|übergibt|escala|deriva|encaminha)", re.I,
)  # fmt: skip
_DONT_KNOW = re.compile(
    r"\W*(?:i (?:do not|don'?t|can ?not|can'?t) (?:know|answer|help|find|provide|say|disclose|share)|i'?m (?:sorry|afraid|not able|unable)|sorry,? (?:but )?i|"
    r"(?:this|that|it) (?:is|information is|question is)? ?(?:not (?:covered|mentioned|stated|available|in (?:the|our|these|any) (?:documents?|sources?|corpus|context|knowledge|files?|manuals?|text)|part of|specified|answerable)|out(?:side| of) (?:the )?scope)|"
    r"not (?:covered|answerable|mentioned|in (?:the )?(?:documents?|sources?|corpus|context|knowledge base)|available in)|no (?:answer|information|relevant)\b|"
    r"the (?:documents?|sources?|context|provided \w+) (?:do(?:es)? not|don'?t|doesn'?t) (?:say|mention|contain|cover|specify|include|provide)|"
    r"(?:cannot|can'?t|could not) (?:be )?(?:answer|determine|provide|help|find)|unanswerable|unknown\b\W*$|n/a\W*$|refuses?\b|declines?\b|out of scope|"
    r"(?:das )?(?:ich )?wei(?:ß|ss) (?:ich )?(?:das |es )?(?:leider )?nicht|dazu (?:kann ich|liegen|habe ich|gibt es|findet sich)\b.{0,40}(?:nicht|keine)|das kann ich (?:leider )?nicht|keine (?:angabe|information|antwort)|"
    r"nicht (?:enthalten|beantwortbar|bekannt)|leider kann ich|no (?:lo )?sé|no puedo|no (?:hay|tengo|dispongo|se dispone)|não sei|não (?:posso|há|tenho|consta)|nao sei|je ne sais pas|"
    r"je ne peux pas|aucune information|non lo so|non posso|ik weet het niet|모르겠|알 수 없|답변(?:할|드릴) 수 없|제공(?:할|해 드릴) 수 없|わかりません|お答えできません|"
    r"(?:我)?不知道|无法回答|没有(?:相关)?(?:信息|资料)|не знаю|ne znam|nie wiem)", re.I,
)  # fmt: skip
_HANDS_OVER = re.compile(
    r"\W*(?:escalate|hand (?:this |it )?(?:over|off)|hand over to|transfer to (?:a |the )?(?:human|agent|nurse|person|member)|"
    r"(?:is|be) (?:passed|handed|transferred|escalated) (?:on )?to|an einen menschen übergeben|eskalieren|escalar)", re.I,
)  # fmt: skip


def is_sentinel(answer: str) -> bool:
    """Whether an answer is a code word for "no answer", such as NO_ANSWER_IN_CORPUS."""
    text = answer.strip()
    return bool(_SENTINEL.fullmatch(text)) and behavior_of(text.strip("<>[] ")).kind == "refuse"


def reads_like(answer: str) -> Kind:
    """What the wording of an answer suggests: "refuse", "escalate" or ""; a guess, for a person to confirm."""
    if _DONT_KNOW.match(answer[:400]):
        return "refuse"
    return "escalate" if _HANDS_OVER.match(answer[:200]) else ""


def remark_suggests(note: str) -> Kind:
    """What a short remark suggests ("escalate", "should refuse"): a guess."""
    words = re.sub(r"^\W*(?:must|should|needs? to|please|expected?:?|muss|soll)\s+", "", note.strip(), flags=re.I)
    kind = behavior_of(words).kind if len(words) < 40 else ""
    return kind if kind in ("refuse", "escalate") else ""


def rubric_says(text: str) -> Kind:
    """How to behave by the words of a rubric: "Declines to ...", "Hands the chat over ..."."""
    if _RUBRIC_REFUSE.match(text.strip()):
        return "refuse"
    return "escalate" if _RUBRIC_ESCALATE.match(text.strip()) else ""


_EASY = (
    "easy simple simples low basic beginner trivial leicht einfach niedrig facil facile gering "
    "easy_question 쉬움 하 簡単 易 容易 лёгкий легкий latwy lako l1 e"
)
_MEDIUM = (
    "medium moderate mid middle intermediate normal average mittel media medio moyen moderado gemiddeld "
    "보통 중 普通 中 中等 средний sredni srednje m"
)
_HARD = (
    "hard difficult complex high advanced expert schwer schwierig hoch dificil difficile complexo complejo "
    "complexa moeilijk 어려움 상 難しい 難 困难 难 сложный тяжелый trudny tesko very_hard h"
)
_DIFFICULTY: dict[str, Difficulty] = {
    **dict.fromkeys(_EASY.split(), "easy"), **dict.fromkeys(_MEDIUM.split(), "medium"), **dict.fromkeys(_HARD.split(), "hard")
}  # fmt: skip
_RISK_WORDS: dict[DraftRisk, str] = {
    "low": "low minor trivial negligible none niedrig gering klein leicht baixo baixa bajo baja faible basso "
    "laag 낮음 하 低 низкий niski nisko",
    "medium": "medium moderate mid normal mittel medio media moyen moderado gemiddeld 보통 중간 중 中 средний "
    "sredni srednje",
    "high": "high major serious severe significant hoch gross schwer alto alta eleve haute grave hoog 높음 상 "
    "高 высокий wysoki visoko important",
    "critical": "critical blocker catastrophic very_high extreme kritisch sehr_hoch critico critica critique "
    "심각 매우높음 매우_높음 重大 极高 критический krytyczny severe_critical fatal",
}  # fmt: skip
_RISK: dict[str, DraftRisk] = {word: risk for risk, words in _RISK_WORDS.items() for word in words.split()}


def difficulty_of(word: str) -> Difficulty | Literal[""]:
    """A difficulty by its word; "" = none that fits easy, medium, hard."""
    return _DIFFICULTY.get(key_of(word), "")


def risk_of(word: str) -> DraftRisk:
    """A risk by its word; "" = none that fits."""
    return _RISK.get(key_of(word), "")


_LEGEND = re.compile(r"(?<![\d.])(\d)\s*(?:=|:|-|–|is|ist)?\s*([^\W\d_]+)")


def scale_of(legend: str) -> dict[str, DraftRisk]:
    """What the numbers of a scale mean by a text that explains it: "1 low, 2 medium, 3 high"; {} = it explains none."""
    found: dict[str, DraftRisk] = {}
    for number, word in _LEGEND.findall(legend):
        if risk := risk_of(word):
            found[number] = risk
    return found if len(found) > 1 else {}
