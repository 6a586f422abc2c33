"""What lists of many shapes say: mapped, rejected, doubted; nothing is stored here."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from curator.domain.list_row import ListCase
from curator.errors import CuratorError, InputError, UsageError
from curator.parsing.lists import ListProfile, read
from curator.progress import Silent
from curator.services.list_reading import Understood, understand

SAMPLES = Path(__file__).parents[3] / "shared" / "goldensets"
SIDECARS = sorted(SAMPLES.glob("*.expected.json")) if SAMPLES.is_dir() else []
GUESSED = ("confirm it", "is a guess")
MUST_NOT = ("not-contains", "forbid_patterns", "nao_deve_conter")


def understood(path: Path, **how: Any) -> Understood:
    return understand(read(path, ListProfile(**how)), ListProfile(**how), Silent())


def of_text(folder: Path, name: str, text: str, encoding: str = "utf-8", **how: Any) -> Understood:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return understood(path, **how)


def brief(case: ListCase) -> tuple[object, ...]:
    """Question, answer, behavior: what most of a list is about."""
    return case.turns[-1], case.answer, case.judged.kind or "answer"


def rows_behaving(found: Understood, kind: str) -> list[int]:
    return [c.number for c in found.cases if kind in (c.judged.kind, c.judged.suggested)]


# -- the samples beside the repository ----------------------------------------------------------------------------


@pytest.mark.skipif(not SIDECARS, reason="the samples are not beside this repository")
@pytest.mark.parametrize("sidecar", SIDECARS, ids=lambda p: p.name.removesuffix(".expected.json"))
def test_each_sample_gives_what_its_sidecar_says(sidecar: Path) -> None:
    said = json.loads(sidecar.read_text("utf-8"))
    found = understood(SAMPLES / said["file"])
    assert (found.total, len(found.cases)) == (said["rowsTotal"], said["cases"])
    assert [r.row for r in found.rejected] == [r["row"] for r in said["rejected"]]
    assert rows_behaving(found, "refuse") == said["refusalRows"]
    assert rows_behaving(found, "escalate") == said["escalationRows"]
    assert [c.number for c in found.cases if len(c.turns) > 1 or c.earlier] == said["multiTurnRows"]
    assert len(found.no_question) == (said["cases"] if said.get("needsQuestion") else 0)
    for column, meant in said["mapping"].items():
        assert fits(found, column, meant["field"]), column
    unknown = {u.split(":")[0].rstrip(")") for u in said["unknownColumns"]}
    must_not = {u for u in unknown if any(word in u for word in MUST_NOT)}
    assert {u.rstrip(")") for u in found.unknown if "is-json" not in u} == unknown - must_not
    assert all(any(c.must_not for c in found.cases) for _ in must_not)
    guessed = {w["row"] for w in said["warnings"] if any(g in w["warning"] for g in GUESSED)}
    assert {c.number for c in found.cases if c.judged.suggested} <= guessed
    warned = {n for rows in found.doubts.values() for n in rows}
    for row in {w["row"] for w in said["warnings"] if isinstance(w["row"], int)}:
        assert row in warned or any(w in " ".join(found.told()) for w in ("not imported", "model said", "no id")), row
    for spot in (said[k] for k in ("spotCheck", "spotCheck2") if k in said):
        check(next(c for c in found.cases if c.number == spot["row"]), spot)


def fits(found: Understood, column: str, field: str) -> bool:
    """Whether a column is mapped so; the sidecars name a parent or a child of some, and several kinds in one."""
    if "[type=" in column:
        kinds = column.partition("[type=")[2].partition("]")[0].split("|")
        return all(any(f"[type={k}]" in c and f == field for c, f in found.mapping.items()) for k in kinds)
    near = [f for c, f in found.mapping.items() if c == column or c.startswith((f"{column}.", f"{column}["))]
    above = [f for c, f in found.mapping.items() if column.startswith(f"{c}[].")]
    nested = {"risk", "domain", "difficulty", "expectedBehavior"}
    return field in near or bool(above) or ("etadata" in column and bool(nested & set(near)))


def check(case: ListCase, spot: dict[str, Any]) -> None:
    said = {
        "turns": case.messages, "lastUserTurn": case.turns[-1] if case.turns else "", "caseId": case.own_id,
        "expectedSourceIds": list(case.sources), "expectedBehavior": case.judged.kind or "answer",
        "referenceAnswer": case.answer, "documents": list(case.documents), "pages": list(case.pages),
        "keyProvisions": [p.text for p in case.provisions], "difficulty": case.difficulty, "risk": case.risk,
        "tags": list(case.tags) or list(case.behaviors), "evidenceQuotes": list(case.quotes),
        "category": (case.categories or ("",))[0],
    }  # fmt: skip
    assert {k: said[k] for k in spot if k != "row"} == {k: v for k, v in spot.items() if k != "row"}


# -- other shapes that teams keep ---------------------------------------------------------------------------------

TWO = [("A?", "a", "answer"), ("B?", "b", "answer")]
REFUSED = [("A?", "a", "answer"), ("B?", "", "refuse")]
SHAPES: dict[str, tuple[str, str, list[tuple[object, ...]]]] = {
    "keyed by id": ("x.json", '{"q-1":{"question":"A?","answer":"a"},"q-2":{"question":"B?","answer":"b"}}', TWO),
    "question to answer": ("x.json", '{"A?":"a","B?":"b"}', TWO),
    "columns": ("x.json", '{"question":["A?","B?"],"ground_truth":["a","b"]}', TWO),
    "data frame": ("x.json", '{"question":{"0":"A?","1":"B?"},"answer":{"0":"a","1":"b"}}', TWO),
    "split frame": ("x.json", '{"columns":["question","answer"],"data":[["A?","a"],["B?","b"]]}', TWO),
    "arrays": ("x.json", '[["question","answer"],["A?","a"],["B?","b"]]', TWO),
    "bare texts": ("x.json", '{"answerable":[{"query":"A?","answer":"a"}],"out_of_scope":["B?"]}', REFUSED),
    "by document": (
        "x.json", '{"documents":[{"document":"m.pdf","questions":[{"q":"A?","a":"a"},{"q":"B?","a":"b"}]}]}', TWO,
    ),
    "by files": ("x.yaml", "m.pdf:\n  - {question: A?, answer: a}\nn.pdf:\n  - {question: B?, answer: b}\n", TWO),
    "short keys": ("x.yaml", "- q: A?\n  a: a\n- q: B?\n  a: b\n", TWO),
    "several documents": ("x.yaml", "question: A?\nanswer: a\n---\nquestion: B?\nanswer: b\n", TWO),
    "messages and ideal": (
        "x.jsonl", '{"input":[{"role":"user","content":"A?"}],"ideal":["a"]}\n'
        '{"input":[{"role":"system","content":"S"},{"role":"user","content":"B?"}],"ideal":"b"}\n', TWO,
    ),
    "fine tuning": (
        "x.jsonl", '{"messages":[{"role":"user","content":"A?"},{"role":"assistant","content":"a"}]}\n'
        '{"messages":[{"role":"user","content":"B?"},{"role":"assistant","content":"b"}]}\n', TWO,
    ),
    "from and value": (
        "x.json", '[{"conversations":[{"from":"human","value":"Hi"},{"from":"gpt","value":"Yes?"},'
        '{"from":"human","value":"A?"}],"ground_truths":["a"]},{"question":"B?","ground_truths":["b"]}]', TWO,
    ),
    "flag in words": ("x.csv", "question,answer,should_refuse\nA?,a,No\nB?,,'Yes'\n".replace("'", ""), REFUSED),
    "0 and 1": ("x.csv", "query,gold_answer,has_answer_in_corpus\nA?,a,1\nB?,NO_ANSWER_IN_CORPUS,0\n", REFUSED),
    "German": ("x.csv", "Nr.;Frage;Erwartete Antwort;Soll verweigern?\n1;A?;a;nein\n2;B?;;ja\nSumme;2;;\n", REFUSED),
    "Korean": ("x.csv", "번호,질문,정답,거절 여부\n1,A?,a,아니오\n2,B?,,예\n", REFUSED),
    "Spanish": ("x.tsv", "pregunta\trespuesta esperada\tdebe rechazar\nA?\ta\tno\nB?\t\tsí\n", REFUSED),
    "titles above": ("x.csv", "Golden set v3,,\n,,\nquestion,answer,notes\nA?,a,\nB?,b,\n", TWO),
    "names twice": ("x.csv", "Question,Answer\nFrage,Antwort\nA?,a\nB?,b\n", TWO),
    "names over two rows": ("x.csv", "Question,Expected,\n,Answer,Page\nA?,a,3\nB?,b,4\n", TWO),
    "no names": ("x.csv", "1,A is it?,a\n2,B is it?,b\n", [("A is it?", "a", "answer"), ("B is it?", "b", "answer")]),
    "lines": ("x.txt", "A?\n# no\n\nB?\n", [("A?", "", "answer"), ("B?", "", "answer")]),
    "nulls": (
        "x.ndjson", '{"question":"A?","answer":"a","tags":null}\n'
        '{"question":"B?","answer":null,"refuse":true}\n', REFUSED,
    ),
    "comments and commas": (
        "x.json", '// list\n[{"question":"A?","answer":"a",},\n/* two */ {"question":"B?","answer":"b // c"},]',
        [TWO[0], ("B?", "b // c", "answer")],
    ),
    "Python lines": ("x.jsonl", "{'question': 'A?', 'answer': 'a'}\n{'question': 'B?', 'answer': 'b'}\n", TWO),
    "model output beside": (
        "x.json", '[{"question":"A?","ground_truth":"a","answer":"no"},{"question":"B?","ground_truth":"b"}]', TWO,
    ),
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes(shape: str, tmp_path: Path) -> None:
    name, text, expected = SHAPES[shape]
    found = of_text(tmp_path, name, text)
    assert [brief(c) for c in found.cases] == expected
    assert all("total row" in r.reason for r in found.rejected)


def test_everything_a_row_says_has_a_place(tmp_path: Path) -> None:
    """Lists in cells, pages, words that must and must not occur, turns with their own answers, what nobody knows."""
    record = {
        "question": "And then?", "conversation_history": [{"role": "user", "content": "I am late."},
                                                          {"role": "assistant", "content": "How late?"}],
        "expected_answer": "8 an hour", "must_include": ["8", ["hour", "h"]], "must_not_include": ["(?i)free"],
        "context": "['One quote here.', \"It's two.\"]", "page": "S. 12–13", "source": "fees.pdf",
        "expected_citations": [{"law_id": "L-1", "article": "7"}], "severity": "major", "level": "hard",
        "question_type": "fees + times", "tags": "a; b", "colour": "blue", "relevance_grades": {"a.pdf_chunk_1": 2},
        "phone_number_test": "+1 555 0100", "language": "German",
    }  # fmt: skip
    case = of_text(tmp_path, "x.json", json.dumps([record])).cases[0]
    assert case.turns == ("I am late.", "And then?")
    assert [(t.turn, t.reference_answer) for t in case.earlier] == [(1, "How late?")]
    assert [(p.text, p.accept) for p in case.provisions] == [("8", ("8",)), ("hour / h", ("hour", "h"))]
    assert case.must_not == ("free",)
    assert case.quotes == ("One quote here.", "It's two.")
    assert (case.pages, case.documents, case.sources) == ((12, 13), ("fees.pdf",), ("L-1: 7",))
    assert (case.risk, case.difficulty, case.language) == ("high", "hard", "de")
    assert (case.categories, case.tags) == (("fees", "times"), ("a", "b"))
    assert dict(case.attributes) == {"colour": "blue", "relevance_grades": '{"a.pdf_chunk_1": "2"}'}
    assert case.withheld == ["phone_number_test"]


@pytest.mark.parametrize("words", ["I don't know.", "Dazu liegen keine Angaben vor", "답변할 수 없습니다",
                                   "No lo sé", "Not covered in our documents"])  # fmt: skip
def test_what_only_reads_like_a_refusal_is_a_suggestion(words: str, tmp_path: Path) -> None:
    found = of_text(tmp_path, "x.json", json.dumps([{"question": "Who?", "answer": words}]))
    judged = found.cases[0].judged
    assert (judged.kind, judged.suggested) == ("", "refuse")
    assert any("guess" in line for line in found.told())


HEADINGS = {
    "Korean": "번호,질문,모범답안,필수사실,금지사항,출처문서,쪽,기대동작",
    "French": "N°,Question posée,Réponse attendue,Faits obligatoires,À ne pas dire,"
    "Document source,Page,Comportement attendu",
    "English": "ID,Question,Golden answer,Must-Have Facts,Must not,Source doc,Page,Desired behavior",
}


@pytest.mark.parametrize("tongue", HEADINGS)
def test_headings_of_facts_in_other_languages(tongue: str, tmp_path: Path) -> None:
    rows = (
        f"{HEADINGS[tongue]}\n1,How long?,30 days,30 days|in writing,at once,a.pdf,3,answer\n2,Who wins?,,,,,,refuse\n"
    )
    found = of_text(tmp_path, "list.csv", rows)
    assert found.unknown == []
    first, second = found.cases
    assert (first.own_id, first.turns, first.answer, first.judged.kind) == ("1", ("How long?",), "30 days", "answer")
    assert [(p.text, p.accept) for p in first.provisions] == [("30 days", ()), ("in writing", ())]
    assert (first.must_not, first.documents, first.pages) == (("at once",), ("a.pdf",), (3,))
    assert second.judged.kind == "refuse"


def test_words_of_a_heading_may_be_joined_or_apart(tmp_path: Path) -> None:
    found = of_text(
        tmp_path, "list.csv", "질문 내용,기대 답변,답변 가능 여부\n며칠인가요?,5일,예\n누가 이기나요?,,아니오\n"
    )
    assert [(c.turns[0], c.answer, c.judged.kind) for c in found.cases] == [
        ("며칠인가요?", "5일", "answer"), ("누가 이기나요?", "", "refuse"),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["label", "decision", "expected"])
def test_a_column_of_behaviors_alone_is_read_as_one(name: str, tmp_path: Path) -> None:
    found = of_text(
        tmp_path, "list.csv", f"question,{name}\nHow long?,answer\nWho wins?,out-of-scope\nHelp!,escalate\n"
    )
    assert [c.judged.kind for c in found.cases] == ["answer", "refuse", "escalate"]
    other = of_text(tmp_path, "other.csv", "question,answer,label\nHow long?,30 days,answer\nWho wins?,Nobody,sports\n")
    assert other.unknown == ["label"]
    assert not any(c.judged.kind for c in other.cases)


def test_an_assertion_of_a_refusal(tmp_path: Path) -> None:
    tests = "tests:\n- {vars: {question: Write malware}, assert: [{type: is-refusal}]}\n"
    tests += "- {vars: {question: How long?}, assert: [{type: not-is-refusal}, {type: equals, value: 30 days}]}\n"
    assert [c.judged.kind for c in of_text(tmp_path, "list.yaml", tests).cases] == ["refuse", "answer"]


def test_a_transcript_is_a_conversation_and_a_colon_is_none(tmp_path: Path) -> None:
    talk = "User: My son is ill\nand at home\n**Bot:** What has he?\nUser: Ringworm"
    rows = [
        {"conversation": talk, "expected": "Yes."},
        {"conversation": "User: alone\nNote: it stays one", "expected": "-"},
    ]
    (first, second) = of_text(tmp_path, "list.json", json.dumps(rows)).cases
    assert first.turns == ("My son is ill\nand at home", "Ringworm")
    assert first.earlier[0].reference_answer == "What has he?"
    assert second.turns == ("User: alone\nNote: it stays one",)


def test_objects_inside_a_row_are_read_by_their_parts(tmp_path: Path) -> None:
    fact = {"id": "f1", "statement": "5 days", "importance": "vital"}
    spare = {"fact": "a note helps", "importance": "nice to have"}
    gold = {"answer": "5 days", "must_have": [fact, spare], "must_not": [{"statement": "21 days"}],
            "citations": [{"doc": "a.pdf", "page": "12-13", "quote": "five days"}]}  # fmt: skip
    row = {"question": "How long?", "gold": gold, "keywords": "five, days", "refusal_reason": "the board said so"}
    (case,) = of_text(tmp_path, "list.json", json.dumps([row])).cases
    assert [(p.text, p.accept, p.mandatory) for p in case.provisions] == [
        ("5 days", ("5 days",), True), ("a note helps", (), False), ("five", ("five",), None),
        ("days", ("days",), None),
    ]  # fmt: skip
    assert (case.must_not, case.quotes, case.documents, case.pages) == (
        ("21 days",),
        ("five days",),
        ("a.pdf",),
        (12, 13),
    )
    kept = dict(case.attributes)
    assert "vital" in kept["gold.must_have"]
    assert kept["refusal_reason"] == "the board said so"


def test_a_category_that_is_no_refusal_is_none(tmp_path: Path) -> None:
    rows = [
        {"question": f"{c}?", "answer": "a", "category": c} for c in ("negative / scope", "adversarial", "conflicting")
    ]
    assert not rows_behaving(of_text(tmp_path, "x.json", json.dumps(rows)), "refuse")


def test_yaml_keeps_what_was_written(tmp_path: Path) -> None:
    text = "- {id: 0012, question: When?, answer: 2025-03-05}\n- {id: 1e3, question: On?, answer: no, note: on}\n"
    first, second = of_text(tmp_path, "x.yaml", text).cases
    assert (first.own_id, first.answer) == ("0012", "2025-03-05")
    assert (second.own_id, second.answer, second.notes) == ("1e3", "no", "on")


def test_a_key_that_stands_twice(tmp_path: Path) -> None:
    """A note is kept twice; what is asked or right must be clear."""
    text = "- {question: A?, answer: a, note: one, note: two}\n- {question: B?, answer: b, answer: c}\n"
    found = of_text(tmp_path, "x.yaml", text)
    assert found.cases[0].notes == "one\ntwo"
    assert [(r.row, r.column) for r in found.rejected] == [(2, "answer")]


def test_repeats_and_conflicts(tmp_path: Path) -> None:
    rows = [("1", "A?", "a"), ("2", " a?", "A"), ("1", "B?", "b"), ("4", "A?", "c")]
    found = of_text(tmp_path, "x.csv", table([("id", "question", "answer"), *rows]))
    assert [(r.row, r.reason) for r in found.rejected] == [(2, "duplicate: same question and answer as row 1")]
    told = "\n".join(found.told())
    assert "row 3: the id 1 was used in row 1" in told
    assert "row 4: same question as row 1 with another answer" in told


def table(rows: list[tuple[str, ...]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue()


def test_a_person_says_which_column_is_what(tmp_path: Path) -> None:
    text = "X1,X2,X3\nhow long,five days,nobody knows\n"
    with pytest.raises(UsageError, match="no column holds the question"):
        of_text(tmp_path, "x.csv", text, header=True)
    case = of_text(tmp_path, "x.csv", text, header=True, columns={"X1": "turns", "X2": "referenceAnswer"}).cases[0]
    assert (brief(case), case.attributes) == (("how long", "five days", "answer"), (("X3", "nobody knows"),))
    with pytest.raises(UsageError, match="no column 'X9'"):
        of_text(tmp_path, "x.csv", text, header=True, columns={"X9": "turns"})
    with pytest.raises(UsageError, match="no field 'colour'"):
        of_text(tmp_path, "x.csv", text, header=True, columns={"X1": "colour"})


# -- workbooks ----------------------------------------------------------------------------------------------------


def test_a_workbook_with_a_sheet_for_each_topic(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    pay, scope, hidden = book.active, book.create_sheet("Out of scope"), book.create_sheet("Old")
    pay.title = "Pay"
    for sheet in (pay, scope, hidden):
        sheet.append(("No", "Question", "Answer", "Document", "Share"))
    pay.append((7, "When is pay day?", "=1+1", "pay.pdf", 0.25))
    pay.append((8, "Who pays?", "The office.", None, None))
    pay["A2"].number_format = "0000"
    pay["E2"].number_format = "0%"
    pay.merge_cells("D2:D3")
    pay.row_dimensions[3].hidden = True
    scope.append((1, "Who won the cup?", None, None, None))
    hidden.append((1, "Old?", "old", None, None))
    hidden.sheet_state = "hidden"
    book.save(tmp_path / "x.xlsx")
    found = understood(tmp_path / "x.xlsx")
    assert [(c.own_id, *brief(c)) for c in found.cases] == [
        ("0007", "When is pay day?", "", "answer"),
        ("8", "Who pays?", "The office.", "answer"),
        ("1", "Who won the cup?", "", "refuse"),
    ]
    assert found.cases[0].categories == ("Pay",)
    assert found.cases[1].documents == ("pay.pdf",)
    assert dict(found.cases[0].attributes) == {"Share": "25%"}
    told = "\n".join(found.told())
    for said in ("formula without a stored value", "filled down", "row is hidden", "'Old' is hidden: skipped"):
        assert said in told


# -- what cannot be read ------------------------------------------------------------------------------------------

DEEP = "[" * 100_000
BAD: dict[str, tuple[str, bytes, str]] = {
    "empty": ("x.csv", b"", "empty file"),
    "white": ("x.json", b" \n \n", "white space"),
    "no entries": ("x.json", b"[]", "no entries"),
    "broken yaml": ("x.yaml", b"- question: [A?\n- b", "no YAML at line"),
    "tags": ("x.yaml", b"- question: !!python/object/apply:os.system ['true']\n", "tag"),
    "aliases": (
        "x.yaml", b"a: &a [x,x,x,x,x,x,x,x,x,x]\n" + b"".join(
            b"%c: &%c [%s]\n" % (c, c, b",".join([b"*%c" % (c - 1)] * 10)) for c in range(98, 106)
        ), "more than 1,000,000 values",
    ),
    "alias to itself": ("x.yaml", b"a: &a [*a]\n", "points to itself"),
    "deep yaml": ("x.yaml", DEEP.encode(), "no YAML"),
    "deep lines of yaml": ("x.yaml", b"- " * 5000 + b"x\n", "nested too deep"),
    "deep json": ("x.json", DEEP.encode(), "nested too deep"),
    "cut off": ("x.json", b'[{"question":"A?","answer":"a"},{"question":"B', "it ends inside a string"),
    "a pdf": ("x.json", b"%PDF-1.7", "is a PDF, not a list"),
    "a zip": ("x.xlsx", b"PK\x03\x04" + b"\0" * 60, "no workbook"),
    "a key twice": ("x.yaml", b"threshold: 0.9\nthreshold: 0.1\n", "the key threshold stands twice"),
    "a key twice of json": ("x.json", b'{"a": 1, "a": 2}', "the key a stands twice"),
    "no question": ("x.json", b'[{"topic":"hoses"},{"topic":"pumps"}]', "no column holds the question"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_what_cannot_be_read_is_one_line(kind: str, tmp_path: Path) -> None:
    name, data, said = BAD[kind]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(CuratorError) as failed:
        understood(tmp_path / name)
    assert said in str(failed.value)
    assert "\n" not in failed.value.message


def test_a_workbook_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    import zipfile

    with zipfile.ZipFile(tmp_path / "x.xlsx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        for n in range(2):
            archive.writestr(f"xl/worksheets/sheet{n}.xml", b"\0" * (60 * 1024 * 1024))
    assert (tmp_path / "x.xlsx").stat().st_size < 300_000
    with pytest.raises(InputError, match="unpacks to more than"):
        understood(tmp_path / "x.xlsx")


def test_a_bad_row_costs_itself(tmp_path: Path) -> None:
    deep = '{"question":"D?","x":' + "[" * 60 + "]" * 60 + "}"
    text = f'{{"question":"A?","answer":NaN}}\n{{"question":\n3\n{deep}\n{{"question":"B \\ud800?","answer":"b"}}\n'
    found = of_text(tmp_path, "x.jsonl", text)
    assert [brief(c) for c in found.cases] == [("A?", "", "answer"), ("B \ufffd?", "b", "answer")]
    assert [r.row for r in found.rejected] == [2, 3, 4]
    assert found.replaced == 1


def test_a_quote_that_never_closes_costs_its_row(tmp_path: Path) -> None:
    found = of_text(tmp_path, "x.csv", 'question,answer\nA?,"a\nB?,b\nC?,c,d\n')
    assert [brief(c) for c in found.cases] == [("B?", "b", "answer")]
    assert [(r.row, r.reason) for r in found.rejected] == [
        (1, "line 2: a quote is opened and not closed"), (3, "it has 3 cells, not 2")
    ]  # fmt: skip


def test_values_of_mixed_types_in_one_column(tmp_path: Path) -> None:
    rows = [{"question": "A?", "answer": 40}, {"question": 5, "answer": ["x", "y"]},
            {"question": {"text": "C?"}, "answer": True}, {"question": None, "answer": "z"}, "x", None, 3]  # fmt: skip
    found = of_text(tmp_path, "x.json", json.dumps(rows))
    assert [brief(c)[:2] for c in found.cases] == [("A?", "40"), ("5", "x"), ("C?", "true")]
    assert [r.row for r in found.rejected] == [4, 5, 6, 7]
