"""The pages of a file, read by several processes at once and put in order: the same as one process gives.

Each process takes the next few pages that nobody has. A page that is late or kills its process is marked, and a new
process goes on behind it. Whether too much of a file fails is judged in the order of its pages, not in the order in
which they come; pages behind that point are left out, even when they were read.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from curator.errors import InputError
from curator.parsing.assemble import FileFacts
from curator.parsing.child import Child, Died, Late, Watch, select_readable
from curator.parsing.kept_pages import KeptPages
from curator.parsing.limits import Limits
from curator.parsing.raw import RawPage, from_wire
from curator.progress import Progress
from curator.text import visible

Seen = Callable[[RawPage], None]
BREAKS = "it breaks the reader (memory or time)"


@dataclass
class _Hand:
    """A process and the pages that it still owes, the next one first."""

    child: Child
    owed: deque[int] = field(default_factory=deque)
    opening: bool = False
    watch: Watch = field(init=False)

    def __post_init__(self) -> None:
        self.watch = Watch(self.child)

    def is_late(self, limits: Limits) -> bool:
        return self.watch.over(limits.open_seconds if self.opening else limits.page_seconds)


class Reading:
    """Reads all pages of one file.

    Args:
        first: The process that probed the file; others are made as it was.
        more: Makes another process for the file.
        jobs: Most processes.
        facts: What the probe found; warnings are added.
        limits: What the file may cost.
        progress: A stage with one step a page.
        name: The file's name, safe to print.
        kept: Pages that were read before; those read now are added.
        seen: Told of each page that was read, in the order in which they come.
    """

    def __init__(
        self, first: Child, more: Callable[[], Child], jobs: int, facts: FileFacts, limits: Limits,
        progress: Progress, name: str, kept: KeptPages, seen: Seen | None,
    ) -> None:  # fmt: skip
        self._hands = [_Hand(first)]
        self._more = more
        self._jobs = jobs
        self._facts = facts
        self._limits = limits
        self._progress = progress
        self._name = name
        self._kept = kept
        self._seen = seen
        self._pages: dict[int, RawPage] = {}
        self._lost: dict[int, float] = {}
        self._free: deque[deque[int]] = deque()
        self._judged = 0
        self._lost_seconds = 0.0
        self._in_a_row = 0
        self._large: set[int] = set()

    def run(self) -> list[RawPage]:
        """All pages in order.

        Raises:
            InputError: The file cannot be opened, has no pages or too many.
            Cancelled: The person stopped it.
        """
        count = self._open()
        self._begin(count)
        try:
            end = self._read(count)
        finally:
            for hand in self._hands:
                hand.child.stop()
        if end < count:
            note = "not read: too many pages before it failed"
            for number in range(end + 1, count + 1):
                self._pages[number] = _damaged(number, f"page {number} {note}", "")
            self._facts.warn("pages-not-read", f"pages {end + 1} to {count} {note}")
        return [self._pages[number] for number in range(1, count + 1)]

    # -- opening ------------------------------------------------------------------------------------------------

    def _open(self) -> int:
        name, child = self._name, self._hands[0].child
        try:
            child.ask({"do": "open"})
            answer = child.answer(self._limits.open_seconds)
        except (Late, Died) as error:
            raise InputError(
                f"{name}: cannot be read: opening it breaks the reader", "repair or print it anew"
            ) from error
        problem = answer.get("error")
        if problem == "password":
            raise InputError(f"{name}: needs a password", "save a copy without one")
        if problem:
            if self._facts.declared == 0 and "Success" in str(answer.get("reason", "")):
                raise InputError(f"{name}: no pages", "export it again")
            raise InputError(f"{name}: damaged PDF: cannot be opened", "repair it or export it again")
        count = int(answer["pages"])
        if count <= 0:
            raise InputError(f"{name}: no pages", "export it again")
        if count > self._limits.pages:
            raise InputError(
                f"{name}: {count:,} pages, over the limit of {self._limits.pages:,}", "split it into parts"
            )
        return count

    def _begin(self, count: int) -> None:
        """Mark what is not to be read, take what was read before, cut the rest into blocks."""
        self._progress.stage(f"Reading {self._name}", count)
        if self._facts.declared and self._facts.declared != count:
            self._facts.warn("page-count", f"the file says it has {self._facts.declared} pages, {count} can be reached")
        for number, reason in self._facts.large.items():
            if number <= count:
                note = f"page {number} skipped: its content is too large once decoded ({visible(reason)})"
                self._pages[number] = _damaged(number, note, "decoded-too-large")
                self._large.add(number)
        for number, page in self._kept.pages.items():
            if number <= count and number not in self._large:
                self._pages[number] = page
                if self._seen is not None:
                    self._seen(page)
        if self._pages:
            self._progress.advance(len(self._pages))
        block: deque[int] = deque()
        for number in range(1, count + 2):
            if block and (number > count or number in self._pages or len(block) == self._limits.block):
                self._free.append(block)
                block = deque()
            if number <= count and number not in self._pages:
                block.append(number)

    # -- reading ------------------------------------------------------------------------------------------------

    def _read(self, count: int) -> int:
        """Until every page is there, or too many failed; gives the last page that counts."""
        while len(self._hands) < min(self._jobs, len(self._free)):
            self._hands.append(_Hand(self._more()))
        while not self._judge(count):
            for hand in self._hands:
                if not hand.owed and self._free:
                    self._give(hand)
            busy = [hand for hand in self._hands if hand.owed and hand.child.running]
            if not busy and not self._free and not any(hand.owed for hand in self._hands):
                break
            self._progress.checkpoint()
            said = select_readable([hand.child for hand in busy]) if busy else []
            for hand in busy:
                if hand.child in said:
                    self._hear(hand)
                elif hand.is_late(self._limits):
                    self._fail(hand, "page-late")
        self._judge(count)
        return self._judged

    def _give(self, hand: _Hand) -> None:
        """The next block of pages; a process that is gone is started again first."""
        hand.owed = self._free.popleft()
        block = {"do": "pages", "first": hand.owed[0], "last": hand.owed[-1], "skip": []}
        try:
            if hand.child.running:
                try:
                    hand.watch = Watch(hand.child)
                    hand.child.ask(block)
                    return
                except Died:  # it ended after its last page: none of these is to blame
                    pass
            hand.child.start()
            hand.watch = Watch(hand.child)
            hand.opening = True
            hand.child.ask({"do": "open"})
            hand.child.ask(block)
        except Died:
            self._fail(hand, "page-damaged")

    def _hear(self, hand: _Hand) -> None:
        """What a process said: that the file is open, pages, that a block is done."""
        try:
            hand.child.receive()
            while (line := hand.child.line()) is not None:
                message = hand.child.message(line)
                if hand.opening:
                    if "pages" not in message:
                        raise Died
                    hand.opening = False
                elif message["kind"] == "page":
                    self._take(hand, from_wire(message["page"]), line)
                hand.watch = Watch(hand.child)
        except (Died, KeyError, TypeError, ValueError, IndexError):
            self._fail(hand, "page-damaged")

    def _take(self, hand: _Hand, page: RawPage, line: bytes) -> None:
        number = hand.owed.popleft()
        if page.index != number:
            raise ValueError(number)
        self._pages[number] = page
        self._kept.add(line)
        if self._seen is not None:
            self._seen(page)
        self._progress.advance()

    def _fail(self, hand: _Hand, code: str) -> None:
        """The page that a process was at costs itself; the rest of the block is given anew."""
        hand.child.stop()
        hand.opening = False
        if not hand.owed:
            return
        number = hand.owed.popleft()
        late = f"reading it takes longer than {self._limits.page_seconds:g} s"
        self._pages[number] = _damaged(
            number, f"page {number} skipped: {late if code == 'page-late' else BREAKS}", code
        )
        self._lost[number] = min(hand.watch.seconds, self._limits.page_seconds)
        if hand.owed:
            self._free.appendleft(hand.owed)
            hand.owed = deque()
        self._progress.advance()

    def _judge(self, count: int) -> bool:
        """Go on in the order of the pages as far as they are there; True = too many failed, or all are there."""
        while not self._hopeless() and self._judged < count and self._judged + 1 in self._pages:
            number = self._judged + 1
            if number not in self._large:
                damaged = self._pages[number].kind == "damaged"
                self._in_a_row = self._in_a_row + 1 if damaged else 0
                self._lost_seconds += self._lost.get(number, 0.0)
            self._judged = number
        return self._judged == count or self._hopeless()

    def _hopeless(self) -> bool:
        return self._lost_seconds >= self._limits.failing_seconds or self._in_a_row >= self._limits.failing_pages


def _damaged(number: int, note: str, code: str) -> RawPage:
    return RawPage(number, kind="damaged", note=note, flags=[(code, note)] if code else [])
