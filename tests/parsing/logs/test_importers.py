"""Logs of every shape, each written here; the samples beside the repository when they are there."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from curator.errors import CuratorError, InputError, UsageError
from curator.parsing.logs import LogRecord, Profile, Rejection, Skipped, Unsure, read

SHARED = Path(__file__).parents[4] / "shared"


def taken(path: Path, **profile: object) -> tuple[list[LogRecord], list[Rejection], list[Skipped]]:
    with read(path, Profile.model_validate(profile)) as stream:
        items = list(stream)
    return tuple([i for i in items if isinstance(i, kind)] for kind in (LogRecord, Rejection, Skipped))  # type: ignore[return-value]


def file(folder: Path, content: str | bytes, name: str = "log.csv") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_a_table_without_a_header_is_told_by_its_cells(tmp_path: Path) -> None:
    rows = '2026-03-01T09:00:00Z,s1,claims,"Is hail, covered?","Yes,\n4.2","[{""text"": ""4.2 Hail"", ""source"": ""p.pdf"", ""page"": 3}]"\n'
    rows += "2026-03-01T09:01:00Z,s1,claims,And flood?,I do not know.,[]\n"
    with read(file(tmp_path, rows)) as stream:
        found = [i for i in stream if isinstance(i, LogRecord)]
    assert stream.profile.columns == {
        "time": "1",
        "session": "2",
        "route": "3",
        "question": "4",
        "answer": "5",
        "contexts": "6",
    }
    assert [r.question for r in found] == ["Is hail, covered?", "And flood?"]
    assert found[0].contexts[0] == ("4.2 Hail", "p.pdf", "3", "")


@pytest.mark.parametrize(
    ("encoding", "delimiter", "text"),
    [
        ("utf-8-sig", ",", "보험금은 언제?"),
        ("utf-16", "\t", "Über 5 €?"),
        ("cp949", ",", "똠방각하 약관은 어디에 있나요?"),
        ("cp1252", ";", "Gilt das für „Hagel“?"),
        ("gb18030", ",", "什么时候可以赔付？"),
        ("cp932", ",", "保険金はいつ支払われますか？"),
    ],
)
def test_encodings_are_found_and_never_guessed_wrong(tmp_path: Path, encoding: str, delimiter: str, text: str) -> None:
    content = f"timestamp{delimiter}question{delimiter}answer\r\n2026-03-01{delimiter}{text}{delimiter}ok\r\n".encode(
        encoding
    )
    asked: tuple[str, ...] = ()
    question = ""
    try:
        question = taken(file(tmp_path, content))[0][0].question
    except Unsure as unsure:
        asked = unsure.choices
    assert question == text or encoding in asked
    assert taken(file(tmp_path, content), encoding=encoding)[0][0].question == text


def test_an_encoding_that_nothing_speaks_for_is_asked(tmp_path: Path) -> None:
    with pytest.raises(Unsure, match="--encoding"):
        taken(file(tmp_path, b"question,answer\n\x81\x8d\xff\xfe\x90,\x9d\n"))


def test_an_unclosed_quote_costs_its_row_alone(tmp_path: Path) -> None:
    rows = 'question,answer\nq0,a0\nq1,"a1\n' + "".join(f"q{n},a{n}\n" for n in range(2, 500))
    records, rejected, _ = taken(file(tmp_path, rows))
    assert len(records) == 499
    assert rejected == [(2, "", "line 3: a quote is opened and not closed")]


def test_short_long_and_blank_rows(tmp_path: Path) -> None:
    records, rejected, _ = taken(file(tmp_path, "question,answer,contexts\nq1,a1\nq2,a2,[],extra\n\n,,\nq3,a3,[]\n"))
    assert [r.question for r in records] == ["q3"]
    assert [r.row for r in rejected] == [1, 2]


def test_a_map_by_name_number_and_path(tmp_path: Path) -> None:
    table = file(tmp_path, "a,b\nfirst?,second?\n")
    assert taken(table, columns={"question": "b"})[0][0].question == "second?"
    assert taken(table, header=True, columns={"question": "1"})[0][0].question == "first?"
    lines = file(tmp_path, '{"in": {"x.y": [{"t": "deep?"}]}}\n', "log.jsonl")
    assert taken(lines, columns={"question": "in.x.y[0].t"})[0][0].question == "deep?"
    with pytest.raises(UsageError, match="no column 'zzz'"):
        taken(table, columns={"question": "zzz"})


def test_json_lines_report_what_they_cannot_take(tmp_path: Path) -> None:
    lines = [
        '{"question":"ok"}', '{"question":null}', '{"question":12}', '"text"', '{"question":"a","question":"b"}', '{"question":"q","score":NaN}',
        "[" * 100_000, '{"question":"broken', '{"question":"x\u2028y"}',
    ]  # fmt: skip
    records, rejected, _ = taken(file(tmp_path, "\n".join(lines) + "\n", "log.jsonl"))
    assert [r.question for r in records] == ["ok", "x\u2028y"]
    assert [r.row for r in rejected] == [2, 3, 4, 5, 6, 7, 8]
    assert "stands twice" in rejected[3].reason
    assert "nested too deep" in rejected[5].reason


@pytest.mark.parametrize(
    "text",
    [
        '[{"question":"a"},{"question":"b"}]',
        '{"question":"a"}{"question":"b"}',
        '{\n"question":\n"a"}\n\n{\n"question":"b"\n}',
        '{"data":[{"question":"a"},{"question":"b"}]}',
    ],
)
@pytest.mark.parametrize("end", ["", "\n"])
def test_json_in_any_layout(tmp_path: Path, text: str, end: str) -> None:
    records, rejected, _ = taken(file(tmp_path, text + end, "log.json"))
    assert ([r.question for r in records], rejected) == (["a", "b"], [])


def test_children_may_come_before_their_parents(tmp_path: Path) -> None:
    runs = [
        {"id": "r2", "trace_id": "r1", "parent_run_id": "r1", "run_type": "retriever", "outputs": {"documents": [{"page_content": "4.2", "metadata": {"source": "p.pdf", "page": 3}}]}},
        {"id": "r3", "trace_id": "r3", "parent_run_id": None, "run_type": "chain", "inputs": {"question": "Flood?"}, "outputs": None, "error": "Timeout"},
        {"id": "r1", "trace_id": "r1", "parent_run_id": None, "run_type": "chain", "inputs": {"messages": [{"type": "human", "content": "Hail?"}]}, "outputs": {"answer": "Yes"}, "feedback_stats": {"user": {"avg": 0.0}}},
    ]  # fmt: skip
    records, _, _ = taken(file(tmp_path, "\n".join(map(json.dumps, runs)), "runs.jsonl"))
    assert [(r.question, r.answer, r.error, r.feedback) for r in records] == [
        ("Hail?", "Yes", "", -1),
        ("Flood?", "", "Timeout", None),
    ]
    assert records[0].contexts[0][:3] == ("4.2", "p.pdf", "3")


def test_what_agents_write_to_each_other_is_never_read(tmp_path: Path) -> None:
    export = {
        "tickets": [{"id": 1, "requester_id": 9, "description": "Open?", "tags": ["hours"], "satisfaction_rating": {"score": "bad"}}],
        "comments": [
            {"ticket_id": 1, "id": 1, "author_id": 9, "body": "Open?", "public": True, "created_at": "1"},
            {"ticket_id": 1, "id": 2, "author_id": 5, "body": "SECRET", "public": False, "created_at": "2"},
            {"ticket_id": 1, "id": 3, "author_id": 5, "body": "At 7:30.", "public": True, "created_at": "3"},
        ],
        "users": [{"id": 5, "role": "agent"}, {"id": 9, "role": "end-user"}],
    }  # fmt: skip
    records, _, _ = taken(file(tmp_path, json.dumps(export), "tickets.json"))
    assert [(r.question, r.answer, r.route, r.feedback) for r in records] == [("Open?", "At 7:30.", "hours", -1)]
    assert not any("SECRET" in t.text for r in records for t in (*r.before, *r.after))


def test_a_packed_line_without_end_is_stopped(tmp_path: Path) -> None:
    bomb = gzip.compress(b'{"question":"' + b"a" * 40_000_000 + b'"}\n{"question":"next?"}\n')
    records, rejected, _ = taken(file(tmp_path, bomb, "log.jsonl.gz"))
    assert [r.question for r in records] == ["next?"]
    assert "longer than 32 MB" in rejected[0].reason


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "empty file"), (b"SQLite format 3\0....", "SQLite database"), (b"PAR1 broken", "damaged Parquet")],
)
def test_what_is_no_log_is_said_in_one_line(tmp_path: Path, content: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said):
        taken(file(tmp_path, content))


def test_parquet(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as parquet

    table = pyarrow.table(
        {"question": ["a?", "b?"], "contexts": [[{"text": "c1"}, {"text": None}], []], "raw": [b"\xff", b"x"]}
    )
    parquet.write_table(table, tmp_path / "log.parquet")
    records, rejected, _ = taken(tmp_path / "log.parquet")
    assert [(r.question, len(r.contexts)) for r in records] == [("a?", 1), ("b?", 0)]
    assert not rejected


def test_a_record_shows_nothing_in_a_traceback(tmp_path: Path) -> None:
    record = taken(file(tmp_path, "question,answer\nMARKER?,x\n"))[0][0]
    assert "MARKER" not in repr(record)


@pytest.mark.skipif(not (SHARED / "logs").exists(), reason="../shared is not here")
@pytest.mark.parametrize("path", sorted((SHARED / "logs").glob("*.expected.json")), ids=lambda p: p.name[:30])
def test_samples(path: Path) -> None:
    want = json.loads(path.read_text("utf-8"))
    records, _, _ = taken(path.with_name(path.name.removesuffix(".expected.json")))
    assert len(records) == want["records"]
    if isinstance(want.get("questions"), list):
        assert [r.question for r in records] == want["questions"]
    for name, answer in want["answers"].items() if isinstance(want.get("answers"), dict) else ():
        assert next(r.answer for r in records if r.id == name) == answer
    everything = " ".join(t for r in records for t in (r.question, r.answer, *(x.text for x in (*r.before, *r.after))))
    assert not [m for m in want.get("mustNotAppear", []) if m in everything]


@pytest.mark.skipif(not (SHARED / "bad_inputs").exists(), reason="../shared is not here")
@pytest.mark.parametrize("path", sorted((SHARED / "bad_inputs" / "logs").glob("*")), ids=lambda p: p.name)
def test_hostile_files_end_in_records_or_in_one_line(path: Path) -> None:
    if "300MB" in path.name:
        pytest.skip("four seconds; the benchmark reads it")
    said = ""
    try:
        with read(path) as stream:
            assert all(item.question.strip() for item in stream if isinstance(item, LogRecord))
    except CuratorError as error:
        said = error.message
    assert "\n" not in said
