"""Every check that there is: code, severity, what it says, the next step. docs/checks.md is made from this list.

A check that a line could not do without (`fixed`) stays an error; every other may be raised, lowered or switched off in
`[checks]` of curator.toml.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from curator.domain.problem import Problem, Severity
from curator.errors import InputError

Level = Literal["error", "warning", "off"]
Group = Literal["form", "evidence", "content", "question", "workspace"]


class Check(NamedTuple):
    """One check.

    Attributes:
        title: What it says, without any text of the case.
        why: What goes wrong when nobody looks.
        fixed: A line cannot be without it: its severity stays.
    """

    code: str
    severity: Severity
    group: Group
    title: str
    step: str
    why: str
    fixed: bool = False


def _form(code: str, title: str, step: str, why: str) -> Check:
    return Check(code, "error", "form", title, step, why, fixed=True)


def _look(group: Group, code: str, title: str, step: str, why: str) -> Check:
    return Check(code, "warning", group, title, step, why)


_LIST: tuple[Check, ...] = (
    _form("question-missing", "no question, or an empty turn", "write the question as a user would ask it",
          "there is nothing to ask"),
    _form("summary-with-follow-up", "a summary has more than one turn", "remove the earlier turns",
          "a summary is asked for at once"),
    _form("reference-missing", "no reference answer", "write the answer that is right",
          "an evaluator has nothing to compare with"),
    _form("evidence-missing", "no required source", "mark the row or chunk that proves the answer",
          "nobody can check the answer, and retrieval cannot be measured"),
    _form("refusal-reason-missing", "no reason to refuse", "choose one of the reasons",
          "a refusal for lack of sources is another test than one for safety"),
    _form("refusal-with-evidence", "a refusal with a required source", "make near misses distractors",
          "a system that finds it would be scored for finding what must not be used"),
    _form("refusal-reason-idle", "a reason to refuse on a case that is no refusal", "remove it",
          "the case says two things"),
    _form("risk-missing", "no risk stated", "say how bad a wrong answer is",
          "how much review the case gets depends on it, and a default would be nobody's judgement"),
    _form("escalate-whom-missing", "it does not say whom to escalate to", "say whom", "nobody is reached"),
    _form("escalate-when-missing", "it does not say when to escalate", "say when", "it is handed over always or never"),
    _form("escalation-idle", "an escalation on a case that is none", "remove it", "the case says two things"),
    _form("source-id-bad", "an id that no source can have", "mark the source again in the reader",
          "it can never be found"),
    _form("quote-missing", "evidence without a quote", "mark the source again in the reader",
          "evaluators compare texts, not ids"),
    _form("sha256-bad", "no SHA-256 where one belongs", "write 64 hex digits, or leave it empty",
          "the bytes that were judged cannot be recognized"),
    _form("date-bad", "no date where one belongs", "write YYYY-MM-DD", "validity cannot be worked out"),
    _form("dates-crossed", "evidence that ends before it begins", "correct the dates", "it was never in force"),
    _form("page-bad", "a page or number of pages below 0", "count pages from 1; 0 = unknown", "no reader finds it"),
    _form("provision-id-bad", "a provision id that is none, or twice", "use p1, p2 ... each once",
          "results could not be told apart"),
    _form("provision-empty", "a key provision says nothing", "write what the answer must carry",
          "there is nothing to look for"),
    _form("accept-missing", "a mandatory provision accepts nothing", "add a phrase or value",
          "every answer would fail it"),
    _form("empty-entry", "an entry of a list is empty", "remove it", "an empty phrase occurs in every answer"),
    _form("provision-uncited", "a provision cites what is not evidence", "mark that source as evidence",
          "its proof is not in the case"),
    _form("summary-provisions", "a summary with fewer than 3 key provisions", "mark more of them",
          "a summary is judged by what it carries"),
    _form("summary-document", "a summary of no document", "choose the document", "nobody knows what to summarize"),
    _form("summary-one-sided", "no key provision in a third of the document", "mark one in that part",
          "systems that read only the beginning would pass"),
    _form("turn-bad", "an expectation of a turn that is no earlier one", "speak of each earlier turn once",
          "it is never compared"),
    _form("turn-uncited", "an earlier turn cites what is not evidence", "mark that source as evidence",
          "its proof is not in the case"),
    _form("repeated-entry", "an entry of a list stands twice", "remove one", "it would count twice"),
    _form("case-id-bad", "an id that no case can have", "a slug, a dash, six base32 characters",
          "ids become names of files and tests"),
    _form("language-bad", "no language tag where one belongs", "write en, ko, pt-BR ...",
          "strata by language would be wrong"),
    _look("form", "consequence-missing", "high risk without a consequence", "say what happens when the answer is wrong",
          "who reviews cannot judge the risk"),
    _look("form", "documents-missing", "judged against no document", "choose the documents",
          "length and staleness cannot be worked out"),
    _look("form", "domain-missing", "no domain", "choose one", "the case counts in no stratum"),
    Check("source-unknown", "error", "evidence", "a cited source is in no document here",
          "ingest that document, or choose it again", "nobody can check it", fixed=True),
    Check("source-stale", "error", "evidence", "a cited source is not in the current revision of its document",
          "`curator docs reconfirm show SOURCE`, or cite another one", "the answer may be out of date", fixed=True),
    Check("quote-changed", "error", "evidence", "a source does not read as it was cited",
          "ingest that document, or choose it again", "the answer rests on another text", fixed=True),
    Check("document-unknown", "error", "evidence", "judged against a document that is not here",
          "ingest that document, or choose it again", "nobody can check it", fixed=True),
    Check("document-changed", "error", "evidence", "a document has other bytes here than were judged",
          "ingest that document, or choose it again", "the answer may be out of date", fixed=True),
    _look("evidence", "case-stale", "what the case rests on has changed and waits for a look",
          "`curator docs reconfirm list`", "the answer may be out of date"),
    _look("evidence", "evidence-not-in-force", "evidence that is not in force on the day asked about",
          "cite what is in force, or name the date asked about", "the answer was right on another day"),
    _look("evidence", "row-without-title", "a row without the title of its table",
          "mark the row again, or repair the title of the table", "bare cells say nothing of what they are"),
    _look("evidence", "row-without-header", "a row without the header of its table",
          "mark the row again, or repair the header of the table", "bare cells say nothing of what they are"),
    _look("evidence", "row-misfits-header", "a row with another number of cells than its header",
          "mark the row again, or repair the table", "a value stands under the wrong heading"),
    _look("evidence", "row-not-named", "neither question nor answer names a required row",
          "check that it is the right row of the table", "the wrong row makes a right system fail"),
    _look("content", "value-unsupported", "a number or date that none of the evidence has",
          "correct it, or mark the source that says so",
          "a wrong number in the key is the worst fault of a golden set"),
    _look("content", "unit-differs", "a number that the evidence has with another unit", "correct the unit",
          "5 days are not 5 weeks, and EUR are not USD"),
    _look("content", "values-exchanged", "two numbers stand each where the evidence has the other",
          "compare both with the source; exchange them, or say more clearly which is which",
          "each number is right, and the answer is wrong"),
    _look("content", "column-not-asked", "a value from another column of the row than the one asked for",
          "compare it with the heading of the column that is asked for",
          "the row is right, and the answer is wrong"),
    _look("content", "citation-unsupported", "a cited place that is neither where the evidence lies nor named in it",
          "correct it, or mark the source there", "people look it up in the wrong article"),
    _look("content", "citation-misplaced", "a provision's citation is not where its evidence lies",
          "correct the citation, or mark the source there", "people look it up in the wrong article"),
    _look("content", "page-misplaced", "a provision's page is not that of its evidence", "correct the page",
          "people look it up on the wrong page"),
    _look("content", "accept-unsupported", "the source of a mandatory provision has nothing like what is accepted",
          "quote the source, or cite another one", "a faithful answer would fail"),
    _look("content", "answer-misses-provision", "the reference answer has nothing that a mandatory provision accepts",
          "say it in the answer, or accept how the answer says it", "the reference answer would fail its own test"),
    _look("content", "claim-forbidden", "the case itself says what must not be claimed",
          "correct the answer, or take the phrase off the list", "no answer could pass"),
    _look("content", "wording-opposed", "a word whose opposite the evidence has",
          "compare it with the source word by word", "higher for lower, before for after"),
    _look("question", "answer-in-question", "the question contains its answer",
          "ask without saying what is right", "a system passes by repeating the question"),
    _look("question", "question-needs-context", "a question that goes on from something that was not said",
          "add the earlier turn, or name what it is about", "nobody could answer it"),
    _look("question", "follow-up-stands-alone", "a last turn that can be understood by itself",
          "make it one question, or let it refer back", "it does not test the conversation"),
    _look("workspace", "near-duplicate", "a question that is nearly the same as another's",
          "retire one of them, or say why both are needed: tag them `variant`",
          "it counts twice and leaks between partitions"),
    Check("near-duplicate-conflict", "error", "workspace", "nearly the same question with another expectation",
          "decide which is right and retire the other", "no system could pass both"),
    _look("workspace", "refusal-answerable", "a refusal for silence of the sources, and a source that may answer",
          "read that source; mark it as a distractor when it does not answer",
          "a right answer would be scored as wrong"),
    _look("workspace", "label-alike", "a domain, route, kind of document or tag that looks like another in use",
          "write it as the other cases do, or give it a name of its own",
          "two spellings are two strata, and quotas count half of each"),
    Check("personal-data", "error", "workspace", "an identifier of a person",
          "replace it with an invented one", "a suite is handed on and cannot be called back"),
)  # fmt: skip
CHECKS: Mapping[str, Check] = {check.code: check for check in _LIST}


def levels(settings: Mapping[str, str]) -> dict[str, Level]:
    """How severe each check is, with `[checks]` of curator.toml applied.

    Raises:
        InputError: A code that there is not, or one whose severity stays.
    """
    found: dict[str, Level] = {code: check.severity for code, check in CHECKS.items()}
    for code, level in settings.items():
        if code not in CHECKS:
            raise InputError(f"curator.toml: checks.{code}: no such check", "`curator lint --list` shows all of them")
        if CHECKS[code].fixed and level != "error":
            raise InputError(
                f"curator.toml: checks.{code}: stays an error",
                "a line without it could not be released: remove the key",
            )
        found[code] = level  # type: ignore[assignment]
    return found


def leveled(problems: Iterable[Problem], by_code: Mapping[str, Level]) -> tuple[Problem, ...]:
    """Problems with the severity that was set for them; those that are off are left out."""
    found = []
    for problem in problems:
        level = by_code.get(problem.code, problem.severity)
        if level != "off":
            found.append(problem if level == problem.severity else problem.model_copy(update={"severity": level}))
    return tuple(found)


def page() -> str:
    """docs/checks.md."""
    names = {
        "form": "What a case must have",
        "evidence": "Evidence",
        "content": "What the case says against its evidence",
        "question": "The question",
        "workspace": "Among the cases",
    }
    lines = [_HEAD]
    for group, name in names.items():
        lines.append(f"## {name}\n")
        for check in (c for c in _LIST if c.group == group):
            fixed = "; stays so" if check.fixed else ""
            lines.append(f"### `{check.code}`\n\n{check.severity}{fixed}. {check.title.capitalize()}.")
            lines.append(f"\n- why: {check.why}\n- next: {check.step}\n")
    return "\n".join(lines).rstrip() + "\n"


_HEAD = """\
# Checks

The form shows these while a person types, `curator case show` those of one case, and `curator lint` runs them over all
cases that are not retired:

```bash
curator --as kim init team
curator -w team lint --fail-on error
curator -w team lint --sarif lint.sarif --junit lint.xml
```

An error stops a submission, and makes `curator lint` exit with 1; a warning asks for a look, and fails with `--fail-on
warning`; what is off is shown nowhere. `[checks]` in `curator.toml` sets the severity of all but those that stay errors
(below: "stays so"):

```toml
[checks]
value-unsupported = "error"
follow-up-stands-alone = "off"
```

Values are compared by what they mean: 10,000,000 is $10M is 10 million, 24 hours are 1 day, 1.5 % is 1,5 %; 5 days are
not 10 days, nor 5 working days, and 5 EUR are not 5 USD. What can be read in two ways ("1.500", "1/3/2025") agrees with
either. A number without a unit agrees with one that has a unit, but for percent, since the unit may stand elsewhere.
Months are no number of days. Number words are read in English, German, French, Spanish, Italian, Portuguese, Dutch,
Danish, Korean, Chinese and Japanese.

Those under "Among the cases" look further than one case and its sources: `curator lint` alone runs them, so they stop
no submission. A case whose labels are hidden from you is checked by its question alone. Of a holdout case only the code
and the field are told by lint. What stands in a summary beyond its key provisions is not compared.
"""
