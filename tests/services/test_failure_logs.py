"""Logs as they come: hostile ones, one that is killed or stopped half way, and feedback in a second file."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from curator.errors import Cancelled, CuratorError, UsageError
from curator.services import failures, folds
from curator.services.failure_import import LogReport, import_log
from curator.workspace import Workspace, create
from tests.services.desk import Desk

BAD = Path(__file__).parents[3] / "shared" / "bad_inputs" / "logs"
BOMB = "parquet_dictionary_bomb_300MB.parquet"
"""300,000 rows: benchmarks read it; imported, it takes as long as a log of that many rows does."""

OUTCOMES: dict[str, tuple[int, int, str]] = {
    "csv_backslash_escaped_quotes.csv": (1, 0, ""),
    "csv_cp1252_semicolon_decimal_comma.csv": (1, 0, ""),
    "csv_cp949_korean.csv": (1, 0, ""),
    "csv_empty.csv": (0, 0, "empty file"),
    "csv_epoch_and_dates.csv": (8, 0, "times not understood and kept as text: 4"),
    "csv_field_over_131072.csv": (1, 0, ""),
    "csv_formula_injection.csv": (5, 0, ""),
    "csv_gb18030.csv": (1, 0, ""),
    "csv_header_only.csv": (0, 0, "no records"),
    "csv_headerless_json_contexts.csv": (2, 0, "check the mapping"),
    "csv_mixed_newlines.csv": (3, 0, "lines end in more than one way"),
    "csv_named.xlsx": (1, 0, ""),
    "csv_nan_none_null_strings.csv": (5, 0, ""),
    "csv_newline_in_quotes.csv": (1, 0, ""),
    "csv_nul_bytes.csv": (2, 0, "replaced by U+FFFD"),
    "csv_pipe_joined_contexts.csv": (1, 0, ""),
    "csv_ragged_rows.csv": (1, 2, "blank rows left out: 2"),
    "csv_single_quoted_python_list.csv": (1, 1, "cannot be read as JSON or Python"),
    "csv_truncated_excel_32767.csv": (0, 1, "32,767 characters"),
    "csv_unclosed_quote.csv": (498, 1, "a quote is opened and not closed"),
    "csv_utf16le_tab_excel_unicode_text.txt": (1, 0, ""),
    "csv_utf8_bom.csv": (1, 0, ""),
    "jsonl_bom_crlf_blank.jsonl": (2, 0, ""),
    "jsonl_concatenated_no_newline.jsonl": (3, 0, ""),
    "jsonl_deep_nesting_100k.jsonl": (0, 1, "nested too deep"),
    "jsonl_duplicate_keys.jsonl": (0, 1, "the key question stands twice"),
    "jsonl_gzip_bomb_100MB.jsonl.gz": (0, 1, "longer than 32 MB"),
    "jsonl_line_separators.jsonl": (2, 0, ""),
    "jsonl_lone_surrogate.jsonl": (2, 0, "replaced by U+FFFD: 2"),
    "jsonl_nan_infinity.jsonl": (0, 4, "NaN is no number of JSON"),
    "jsonl_nul_char.jsonl": (1, 0, "replaced by U+FFFD: 1"),
    "jsonl_one_900kB_line.jsonl": (2, 0, ""),
    "jsonl_path_names.jsonl": (15, 0, ""),
    "jsonl_raw_control_chars.jsonl": (2, 0, "control characters"),
    "jsonl_same_row_twice_other_key_order.jsonl": (3, 0, ""),
    "jsonl_secrets.jsonl": (5, 0, ""),
    "jsonl_terminal_escapes.jsonl": (12, 0, ""),
    "jsonl_textual_markup.jsonl": (12, 0, ""),
    "jsonl_top_level_array.jsonl": (2, 0, ""),
    "jsonl_truncated_last_line.jsonl": (1, 1, "no JSON at column"),
    "jsonl_wide_and_zalgo.jsonl": (12, 0, ""),
    "jsonl_wrong_types.jsonl": (0, 10, "not text"),
    "labels_bidi_confusable.jsonl": (0, 0, "no key holds the question"),
    "parquet_binary_not_utf8.parquet": (1, 1, "a text is not UTF-8"),
    "parquet_nested_contexts.parquet": (1, 0, ""),
    "parquet_py_extension_type_marker.parquet": (1, 0, ""),
    "parquet_truncated.parquet": (0, 0, "damaged Parquet file"),
    "sqlite_named.csv": (0, 0, "SQLite database"),
    "xlsx_far_cell_formula.xlsx": (2, 0, ""),
}
"""File -> records, rejected rows, and what is said: in the error, a warning or a rejection."""


def taken(desk: Desk, path: Path, **options: object) -> LogReport:
    return import_log(desk.ada, path, names=False, accept_residual_names=True, **options)  # type: ignore[arg-type]


@pytest.mark.skipif(not BAD.exists(), reason="../shared is not here")
def test_hostile_logs_come_to_what_is_right_for_each(desk: Desk) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("openpyxl")
    wrong = []
    for path in sorted(BAD.iterdir()):
        if path.name == BOMB or path.name not in OUTCOMES:
            continue
        said: list[str] = []
        records = rejected = 0
        try:
            report = taken(desk, path)
            records, rejected = report.records, len(report.rejected)
            said = [*report.warnings, *(r.reason for r in report.rejected)]
        except CuratorError as error:
            said = [error.message]
        want = OUTCOMES[path.name]
        if (records, rejected) != want[:2] or not any(want[2] in s for s in [*said, ""] if want[2] or not s):
            wrong.append((path.name, records, rejected, said))
        assert not [s for s in said if "\n" in s or "\x1b" in s], path.name
    assert not wrong


@pytest.mark.skipif(not BAD.exists(), reason="../shared is not here")
def test_hostile_logs_are_stored_as_they_are_meant(desk: Desk) -> None:
    same = taken(desk, BAD / "jsonl_same_row_twice_other_key_order.jsonl")
    assert (same.new, same.same, same.changed) == (1, 1, 1)
    taken(desk, BAD / "csv_pipe_joined_contexts.csv")
    taken(desk, BAD / "csv_cp1252_semicolon_decimal_comma.csv")
    taken(desk, BAD / "jsonl_secrets.jsonl")
    stored = [failures.get(desk.ada, line.id) for line in failures.page_of(desk.ada, quarantined=True, limit=0)]
    table = next(f for f in stored if f.contexts)
    assert len(table.contexts) == 1  # a row of a table in Markdown is not split
    assert b"TESTONLY" not in desk.ada.db.path.read_bytes()


def test_a_log_that_is_killed_goes_on_where_it_ended(tmp_path: Path) -> None:
    rows = [f"2026-03-01,s{n},r,Is rule {n} of chapter {n % 7} still good?,It is rule {n}.,[]" for n in range(3000)]
    path = tmp_path / "log.csv"
    path.write_text("\n".join(("timestamp,session,route,question,answer,contexts", *rows, "")), "utf-8")
    root = create(tmp_path / "space", "ana")
    script = (
        "import sys; from pathlib import Path; from curator.workspace import Workspace\n"
        "from curator.services.failure_import import import_log\n"
        "with Workspace(Path(sys.argv[1]), 'ana') as space:\n"
        "    import_log(space.context, Path(sys.argv[2]), names=False, accept_residual_names=True)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", script, str(root), str(path)])
    try:
        with Workspace(root, "ana") as space:
            end = time.monotonic() + 60
            while not failures.count(space.context, quarantined=True) and time.monotonic() < end:
                time.sleep(0.005)
        child.send_signal(signal.SIGKILL)
    finally:
        child.wait()
    with Workspace(root, "ana") as space:
        ctx = space.context
        assert not ctx.db.check()
        here = failures.count(ctx, quarantined=True)
        assert here > 0
        assert here == 3000 or here % 500 == 0  # whole parts
        report = import_log(ctx, path, names=False, accept_residual_names=True)
        assert (report.new, report.same, report.changed) == (3000 - here, here, 0)
        assert failures.count(ctx, quarantined=True) == 3000
        assert import_log(ctx, path, names=False, accept_residual_names=True).new == 0


class Stopping:
    """Stops after some looks."""

    def __init__(self, after: int) -> None:
        self.left = after

    def stage(self, name: str, total: int | None = None) -> None:
        """Nothing."""

    def advance(self, steps: int = 1) -> None:
        """Nothing."""

    def note(self, message: str) -> None:
        """Nothing."""

    def checkpoint(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Cancelled


def test_a_log_that_is_stopped_at_any_moment_leaves_whole_failures(desk: Desk, tmp_path: Path) -> None:
    rows = [f"Is rule {n} good?,It is rule {n}." for n in range(1200)]
    path = tmp_path / "log.csv"
    path.write_text("\n".join(("question,answer", *rows, "")), "utf-8")
    seen = 0
    for after in (3, 9, 12, 16, 30):
        with suppress(Cancelled):
            taken(desk, path, progress=Stopping(after))
        here = failures.count(desk.ada, quarantined=True)
        assert here >= seen
        assert here in (0, 500, 1000, 1200)
        seen = here
    assert taken(desk, path).same == seen
    assert failures.count(desk.ada, quarantined=True) == 1200


def test_failures_that_wait_to_be_folded_stand_alone(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("question,answer\nWho keeps the keys?,x\nwho keeps the keys??,y\nWhere is the list?,z\n", "utf-8")
    ctx = desk.ada
    for after in range(1, 60):  # one more look each time: the first that leaves failures stops before they are folded
        try:
            taken(desk, path, progress=Stopping(after))
        except Cancelled:
            if failures.count(ctx, quarantined=True):
                break
    else:
        pytest.fail("it was never stopped between storing and folding")
    found = [failures.get(ctx, f"f{n}") for n in (1, 2, 3)]
    assert found[0].fold == found[1].fold != found[2].fold
    assert [folds.opened(ctx, f.fold).size for f in found] == [2, 2, 1]
    taken(desk, path)
    assert [failures.get(ctx, f"f{n}").fold_size for n in (1, 2, 3)] == [2, 2, 1]


def test_feedback_in_a_second_file_is_joined_by_the_id_of_the_request(desk: Desk, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    lines = [{"id": f"t{n}", "question": f"Where is room {n}?", "answer": "here"} for n in range(3)]
    lines[2]["feedback"] = "good"
    log.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    said = tmp_path / "said.csv"
    said.write_text("trace_id,rating\nt1,👎\nt2,👎\nt9,👍\n", "utf-8")
    report = taken(desk, log, join=said)
    assert "said.csv: 1 of 3 entries belong to no record of this log" in report.warnings
    marks = {f.question: f.feedback for f in (failures.get(desk.ada, f"f{n}") for n in (1, 2, 3))}
    assert marks == {"Where is room 0?": "", "Where is room 1?": "bad", "Where is room 2?": "good"}
    assert taken(desk, log, join=said).same == 3
    other = tmp_path / "said.json"
    other.write_text(json.dumps([{"message_id": "t0", "feedback": "bad"}]), "utf-8")
    again = taken(desk, log, join=other)
    assert (again.changed, failures.get(desk.ada, "f1").feedback) == (2, "bad")
    silent = tmp_path / "silent.csv"
    silent.write_text("trace_id,who\nt0,me\n", "utf-8")
    with pytest.raises(UsageError, match="nothing in it is said"):
        taken(desk, log, join=silent)
