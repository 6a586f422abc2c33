"""The search index: it finds what is there, takes any text, and is never in the way."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator.errors import Cancelled, StorageError
from curator.store.database import driver
from curator.store.index import DamagedIndex, Entry, Index, discard
from curator.store.words import Query, aligned, fold

HOSTILE = (
    "covered:", "what is covered?", '"unbalanced', "AND", "NEAR(", "*", "-fire", "nosuch:fire", "policy's", "C++", "(",
    "user@example.com", "' OR 1=1 --", "%", "_", "\\", "a^b", "{q a}: x", "'; DROP TABLE entry; --", "", "   ",
    "보험금", "x" * 10_000, "\x00", "a\x00b", "\ud800", "\ufdd0", "(" * 5000,
    "word " * 50_000, " OR ".join("ab" * 300), "\u202e",
)  # fmt: skip
LINES = Path(__file__).parents[3] / "shared" / "bad_inputs" / "text" / "search_queries.txt"


def entry(key: str, text: str, *, kind: str = "chunk", page: int = 1, path: tuple[str, ...] = ()) -> Entry:
    return Entry(key, kind, page, str(page), path, text)  # type: ignore[arg-type]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "index.db"


@pytest.fixture
def index(path: Path) -> Iterator[Index]:
    with Index(path) as opened:
        yield opened


def ids(index: Index, text: str, **how: object) -> list[str]:
    return [m.source_id for m in index.query(text, **how)]  # type: ignore[arg-type]


def test_words_are_found_in_any_inflection_best_first(index: Index) -> None:
    index.put("d", "1", [entry("a", "An appeal is lodged in writing."), entry("b", "Penalties and a penalty."),
                         entry("c", "The penalty is paid after the appeal.")])  # fmt: skip
    assert ids(index, "Which penalties?") == ["b", "c"]
    assert ids(index, "appealing penalties")[0] == "c"
    scores = [m.score for m in index.query("penalty")]
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] > 0


def test_a_question_of_stop_words_alone_still_searches(index: Index) -> None:
    index.put("d", "1", [entry("a", "this and that")])
    assert ids(index, "and") == ["a"]


@pytest.mark.parametrize("query", HOSTILE, ids=range(len(HOSTILE)))
def test_no_typed_text_is_syntax(index: Index, query: str) -> None:
    index.put("d", "1", [entry("a", "fire is covered by the policy, 100 % of C"), entry("b", "보험금을 청구한다")])
    for prefix in (False, True):
        found = index.query(query, prefix=prefix)
        assert all(m.source_id in "ab" for m in found)
    assert ids(index, "fire") == ["a"]


def test_the_list_of_hostile_queries(index: Index) -> None:
    if not LINES.exists():
        pytest.skip("../shared is not beside the repository")
    index.put("d", "1", [entry("a", "fire is covered by the policy")])
    for line in LINES.read_text("utf-8").splitlines():
        index.query(line)
        index.query(line, prefix=True)
    assert ids(index, "-fire") == ["a"]


def test_what_has_no_word_finds_nothing(index: Index) -> None:
    index.put("d", "1", [entry("a", "fire")])
    for query in ("", "   ", "*", "%", '"'):
        assert index.query(query) == []


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("보험", ["a"]),
        ("청구", ["a"]),
        ("험", ["a"]),
        ("요양 급여", ["b"]),
        ("제7조", ["b", "c"]),
        ("7", ["b"]),
        ("없음", []),
    ],
)
def test_korean_nouns_of_two_syllables_are_found_with_any_particle(index: Index, query: str, found: list[str]) -> None:
    index.put("d", "1", [entry("a", "보험금을 청구한다."), entry("b", "제7조의 요양급여는 정한 바에 따른다."),
                         entry("c", "제8조")])  # fmt: skip
    assert ids(index, query)[: len(found)] == found
    assert bool(found) == bool(ids(index, query))


def test_chinese_and_kana_are_found_inside_a_sentence(index: Index) -> None:
    index.put("d", "1", [entry("zh", "本条例自公布之日起施行"), entry("ja", "ワクチンの接種を受ける")])
    assert ids(index, "条例") == ["zh"]
    assert ids(index, "行") == ["zh"]  # the last character of a run
    assert ids(index, "ワクチン") == ["ja"]
    assert ids(index, "ﾜｸﾁﾝ") == ["ja"]  # half-width forms are the same word


def test_numbers_are_found_as_they_are_written(index: Index) -> None:
    index.put("d", "1", [entry("a", "a fine of 10,000 euro"), entry("b", "about 10 of 000 others"),
                         entry("c", "pipes of 500¹ mm"), entry("d", "500,1 and 5001"),
                         entry("e", "a fine of 10.5")])  # fmt: skip
    assert ids(index, "10,000") == ["a"]
    assert ids(index, "10000") == ["a"]
    assert "c" in ids(index, "500")
    assert "c" not in ids(index, "5001")
    assert ids(index, "10.5") == ["e"]


def test_the_last_word_may_be_unfinished(index: Index) -> None:
    index.put(
        "d", "1", [entry("a", "the university regulation of 2019"), entry("b", "예방접종을 한다"), entry("c", "unit")]
    )
    assert ids(index, "universi") == []
    for typed in ("univ", "universi", "universit", "UNIVERSITY", "regulati", "201", "uni ver regul"):
        assert "a" in ids(index, typed, prefix=True), typed
    for typed in ("예", "예방", "예방접ㅈ", "접종"):
        assert ids(index, typed, prefix=True) == ["b"], typed


def test_kind_and_document_narrow_the_answer(index: Index) -> None:
    index.put("one", "1", [entry("a", "measles"), entry("b", "measles: 4", kind="row")])
    index.put("two", "1", [entry("c", "measles", page=7)])
    assert sorted(ids(index, "measles")) == ["a", "b", "c"]
    assert ids(index, "measles", kind="row") == ["b"]
    assert ids(index, "measles", document="two") == ["c"]
    assert ids(index, "measles", kind="row", document="two") == []
    assert len(ids(index, "measles", limit=2)) == 2
    found = index.query("measles", document="two")[0]
    assert (found.page, found.page_label, found.document_id, found.kind) == (7, "7", "two", "chunk")


def test_a_heading_is_found_but_counts_less_than_the_text(index: Index) -> None:
    index.put("d", "1", [entry("a", "up to 10 million", path=("Chapter 2", "Penalties")), entry("b", "penalties here")])
    assert ids(index, "penalties") == ["b", "a"]
    assert index.query("penalties")[1].section_path == ("Chapter 2", "Penalties")


@pytest.mark.parametrize(
    ("text", "query", "marked"),
    [
        ("A penalty, or two penalties.", "penalty", ["penalty", "penalties"]),
        ("The ﬁre was 500¹ mm oﬀ.", "fire off 500", ["ﬁre", "500", "oﬀ"]),
        ("보험금을 청구", "보험금", ["보험금"]),
        ("제7조 ｖａｃｃｉｎｅ", "vaccine 7", ["7", "ｖａｃｃｉｎｅ"]),
        ("soft\u00adhyphen", "softhyphen", ["soft\u00adhyphen"]),
        ("Straße", "strasse", ["Straße"]),
        ("<b>[/x] \x1b[31m fire", "fire", ["fire"]),
    ],
)
def test_marks_fit_the_text_as_it_is(index: Index, text: str, query: str, marked: list[str]) -> None:
    index.put("d", "1", [entry("a", text)])
    found = index.query(query)[0]
    assert found.text == text
    assert [text[a:b] for a, b in found.marks] == marked


def test_the_snippet_shows_the_words(index: Index) -> None:
    index.put("d", "1", [entry("a", "filler text " * 200 + "the rare varicella rule " + "more text " * 200)])
    found = index.query("varicella")[0]
    start, end = found.snippet
    assert "varicella" in found.text[start:end]
    assert end - start <= 160
    assert found.text[start - 1] == " "


@pytest.mark.parametrize(
    "text", ["", "plain", "500¹ ½ ﬁ", "보험금 제7조", "e\u0301 a\u030a", "\u1100\u1161", "ß\u00adx"]
)
def test_folding_is_followed_character_by_character(text: str) -> None:
    folded, origins = aligned(text)
    assert folded == fold(text)
    assert len(origins) == len(folded)
    assert origins == sorted(origins)


def test_a_document_is_replaced_and_forgotten_whole(index: Index) -> None:
    index.put("d", "1", [entry("a", "old words"), entry("b", "measles")])
    index.put("e", "1", [entry("c", "measles")])
    index.put("d", "2", [entry("a", "new words")])
    assert ids(index, "old") == []
    assert ids(index, "new") == ["a"]
    assert ids(index, "measles") == ["c"]
    index.put("e", "", [])
    assert ids(index, "measles") == []
    assert index.outdated({"d": "2", "f": "1"}) == ["f"]


def test_the_head_counts_only_when_every_document_agrees(index: Index) -> None:
    index.put("d", "1", [])
    index.settle("h1", {"d": "2"})
    assert index.head == ""
    index.settle("h1", {"d": "1"})
    assert index.head == "h1"
    index.put("d", "2", [])
    assert index.head == ""


def test_stopped_in_the_middle_nothing_has_changed(index: Index) -> None:
    index.put("d", "1", [entry("a", "old")])

    def stop() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        index.put("d", "2", [entry("a", "new")], stop)
    assert ids(index, "old") == ["a"]
    assert index.outdated({"d": "1"}) == []


def test_an_index_of_another_version_is_made_anew(path: Path) -> None:
    with Index(path) as index:
        index.put("d", "1", [entry("a", "fire")])
    db = driver().connect(str(path))
    db.execute("pragma user_version=999")
    db.close()
    with Index(path) as index:
        assert index.outdated({}) == []
        index.put("d", "1", [entry("a", "fire")])
        assert ids(index, "fire") == ["a"]


@pytest.mark.parametrize("damage", ["noise", "cut", "inside"])
def test_a_damaged_file_is_told_and_discarded(path: Path, damage: str) -> None:
    with Index(path) as index:
        index.put("d", "1", [entry(str(n), f"fire {n} " * 40) for n in range(300)])
    whole = path.read_bytes()
    if damage == "noise":
        path.write_bytes(b"not a database, but long enough to be read as one" * 50)
    elif damage == "cut":
        path.write_bytes(whole[: len(whole) // 3])
    else:
        path.write_bytes(whole[:8192] + b"\xff" * (len(whole) - 8192))
    with pytest.raises(DamagedIndex, match="damaged"), Index(path) as index:
        index.query("fire")
    discard(path)
    with Index(path) as index:
        assert index.query("fire") == []


def test_a_sound_file_is_not_discarded(path: Path) -> None:
    with Index(path) as index:
        index.put("d", "1", [entry("a", "fire")])
    discard(path)
    with Index(path) as index:
        assert ids(index, "fire") == ["a"]


def test_deleted_while_open_it_says_so_instead_of_writing_into_nowhere(path: Path) -> None:
    with Index(path) as index:
        index.put("d", "1", [entry("a", "fire")])
        path.unlink()
        assert ids(index, "fire") == ["a"]
        with pytest.raises(DamagedIndex):
            index.put("e", "1", [entry("b", "fire")])


def test_a_folder_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(StorageError) as caught:
        Index(tmp_path / "gone" / "index.db")
    assert "\n" not in str(caught.value)


def _fill(path: str, first: int) -> None:
    for n in range(15):
        with Index(Path(path)) as index:
            index.put(f"d{n}", "1", [entry(f"{n}.{k}", f"fire number {k}") for k in range(20)])
            index.put(f"own{first}.{n}", "1", [entry(f"own{first}.{n}", "fire")])


def test_two_processes_at_once_put_everything_in_once(path: Path) -> None:
    start = multiprocessing.get_context("spawn")
    both = [start.Process(target=_fill, args=(str(path), n)) for n in (1, 2)]
    for process in both:
        process.start()
    for process in both:
        process.join(60)
    assert [p.exitcode for p in both] == [0, 0]
    with Index(path) as index:
        assert len(ids(index, "fire", limit=1000)) == 15 * 20 + 30


def test_vectors_are_kept_by_model_and_text(index: Index) -> None:
    index.keep_vectors("m1", {b"x": b"1", b"y": b"2"})
    index.keep_vectors("m2", {b"x": b"3"})
    assert index.vectors("m1", [b"x", b"y", b"z"]) == {b"x": b"1", b"y": b"2"}
    assert index.vectors("m2", [b"x"]) == {b"x": b"3"}


def test_a_very_long_question_is_cut_to_its_first_words() -> None:
    assert len(Query(" ".join(f"w{n}" for n in range(5000))).terms) == 128
