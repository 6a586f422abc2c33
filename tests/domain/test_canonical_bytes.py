"""The bytes of a canonical file follow from its rows alone."""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from curator.domain.canonical import dumps, file_bytes

_TEXT = st.text(st.characters(blacklist_categories=["Cs"]), max_size=20) | st.sampled_from(
    ["\u2028\u2029\x85", "\x00\x1b", "é", "e\u0301", '"\\/', "\ufeff", "\r\n"]
)
_VALUE = st.recursive(
    _TEXT | st.integers(-(10**15), 10**15) | st.booleans() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3),
    max_leaves=6,
)
ROWS = st.dictionaries(
    st.text("abc-09", min_size=1, max_size=6), st.dictionaries(_TEXT, _VALUE, max_size=3), max_size=5
)


@given(ROWS, st.integers())
def test_any_order_of_rows_gives_the_same_lines_and_every_line_reads_back(rows: dict[str, Any], seed: int) -> None:
    made = [{"id": name, "body": body} for name, body in rows.items()]
    shuffled = random.Random(seed).sample(made, len(made))
    data = file_bytes(made)
    assert file_bytes(shuffled) == data
    lines = data.decode("utf-8").splitlines()  # splits at U+2028 and friends too: none may stand there raw
    assert [json.loads(line) for line in lines] == sorted(made, key=lambda row: str(row["id"]))
    assert data == b"" or data.endswith(b"\n")
    assert not data.startswith(b"\xef\xbb\xbf")
    assert all(dumps(json.loads(line)) == line for line in lines)
