from __future__ import annotations

from typing import Any

import pytest

from curator.errors import InputError
from curator.exporting import read
from curator.exporting.line import draft_line
from curator.exporting.read import case_from_line, cleaned, read_lines, read_object


def rows(data: bytes) -> list[Any]:
    return [row if isinstance(row, dict) else f"{number}: {row.message}" for number, row in read_lines(data, "c.jsonl")]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"a":1,"a":2}', "the key a stands twice"),
        (b'{"a":{"b":[{"c":1,"c":2}]}}', "the key c stands twice"),
        (b'{"a":NaN}', "NaN is no number"),
        (b'{"a":-Infinity}', "-Infinity is no number"),
        (b'{"a":1e999}', "1e999 is too large"),
        pytest.param(b'{"a":' + b"9" * 5000 + b"}", "too large", id="huge"),
        (b'{"a":9007199254740993}', "too large"),
        pytest.param(b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deep", id="deep list"),
        pytest.param(b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested too deep", id="deep object"),
        (b'{"a":' + b"[" * 80 + b"]" * 80 + b"}", "nested too deep"),
        (b'{"a":1', "not JSON at column 7"),
        (b"[1]", "not an object"),
        (b"null", "not an object"),
        (b'{"a":"\xff"}', "not UTF-8 at byte 7"),
        (b'{"a":"\xed\xa0\x80"}', "not UTF-8"),
        (b'{"a":1}{"b":2}', "not JSON at column 8"),
        (b'{"a":"x\ty"}', "not JSON at column 8"),
    ],
)
def test_a_bad_row_is_one_line_with_its_number_and_costs_no_other(line: bytes, why: str) -> None:
    first, bad, last = rows(b'{"n":1}\n' + line + b'\n{"n":3}\n')
    assert (first, last) == ({"n": 1}, {"n": 3})
    assert bad.startswith("2: c.jsonl line 2: ")
    assert why in bad
    assert "\n" not in bad
    assert len(bad) < 200


def test_only_a_line_feed_ends_a_line() -> None:
    text = '{"a":"x\u2028y\u2029z\x85"}\r\n{"b":1}'
    assert rows(text.encode()) == [{"a": "x\u2028y\u2029z\x85"}, {"b": 1}]


def test_a_mark_and_blank_lines_are_passed_over_and_noted() -> None:
    notes: list[str] = []
    found = list(read_lines(b'\xef\xbb\xbf{"a":1}\n\n \r\n{"b":2}\n', "c.jsonl", note=notes.append))
    assert found == [(1, {"a": 1}), (4, {"b": 2})]
    assert notes == ["c.jsonl: a byte order mark at the beginning was passed over", "c.jsonl: 2 blank lines skipped"]


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_a_file_without_rows_is_an_error(data: bytes) -> None:
    assert rows(data) == ["0: c.jsonl: no rows"]


def test_utf_16_is_said_once() -> None:
    assert rows('{"a":1}\n{"a":2}\n'.encode("utf-16")) == ["0: c.jsonl: UTF-16, not UTF-8"]


def test_a_line_over_the_limit_is_refused_and_the_next_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read.LINE_LIMIT == 10_000_000
    long = b'{"a":"' + b"x" * 10_000_000 + b'"}'
    assert rows(long + b'\n{"b":1}\n') == ["1: c.jsonl line 1: longer than 10 MB", {"b": 1}]


def test_a_name_from_outside_is_shown_visibly() -> None:
    ((_, error),) = read_lines(b"x", "\x1b[2Jevil\n.jsonl")
    assert isinstance(error, InputError)
    assert error.message.startswith("␛[2Jevil␊.jsonl line 1")


def test_one_object_is_read_as_strictly() -> None:
    assert read_object(b'{\n "a": 1\n}\n', "manifest.json") == {"a": 1}
    with pytest.raises(InputError, match=r"manifest\.json: not JSON at line 2 column 1"):
        read_object(b'{"a":\n}', "manifest.json")
    with pytest.raises(InputError, match="the key a stands twice"):
        read_object(b'{"a":1,\n"a":2}', "manifest.json")


def test_a_case_comes_back_without_what_is_derived(lines: list[dict[str, Any]]) -> None:
    for line in lines:
        again = draft_line(case_from_line(line), suite="regulated", reference_median=8)
        standing = ("partition", "approvals", "confirmedAt", "caseVersion")
        assert {k: v for k, v in again.items() if k not in standing} == {
            k: v for k, v in line.items() if k not in standing
        }


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"question": "x"}, "unknown key question"),
        ({"reference_answer": "x"}, "unknown key reference_answer"),
        ({"\x1b]0;": "x"}, "unknown key ␛]0;"),
        ({"documents": [{"documentId": "a", "name": "x"}]}, "unknown key documents/0/name"),
        ({"evidence": [{"source_id": "a:b"}]}, "unknown key evidence/0/source_id"),
        ({"risk": "severe"}, "risk: Input should be 'low', 'medium', 'high' or 'critical'"),
        ({"risk": ""}, "risk: Input should be 'low', 'medium', 'high' or 'critical'"),
        ({"risk": None, "notes": 1}, "(and 1 more)"),
        ({"turns": "one"}, "turns: "),
        ({"evidence": {"a": 1}}, "evidence: "),
        ({"evidence": ["a"]}, "evidence/0: "),
        ({"documents": [{"documentId": "a", "pages": "3"}]}, "documents/0/pages: "),
    ],
)
def test_what_a_case_cannot_hold_is_refused_by_name(
    lines: list[dict[str, Any]], change: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError) as caught:
        case_from_line(lines[0] | change)
    assert said in caught.value.message
    assert "\n" not in caught.value.message


def test_text_is_made_storable_and_counted() -> None:
    row, count = cleaned({"notes": "a\x00b\ud800", "turns": ["\ufdd0", "\ud83d\ude00"], "page": 3})
    assert (row, count) == ({"notes": "a\ufffdb\ufffd", "turns": ["\ufffd", "😀"], "page": 3}, 3)
    assert case_from_line({"turns": ["a\x00b"], "notes": "e\u0301"}).model_dump()["turns"] == ("a\ufffdb",)
    assert case_from_line({"notes": "e\u0301"}).notes == "é"


def test_the_hostile_log_files_never_raise(canonical: Any) -> None:
    folder = canonical.parents[1] / "bad_inputs" / "logs"
    for path in sorted(folder.glob("*.jsonl*")):
        for number, row in read_lines(path.read_bytes(), path.name):
            assert isinstance(row, dict | InputError), number
            if isinstance(row, InputError):
                assert "\n" not in row.message
                continue
            try:
                case_from_line(row)
            except InputError as error:
                assert "\x1b" not in error.message  # noqa: PT017
