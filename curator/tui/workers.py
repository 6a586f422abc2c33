"""Services are called in worker threads; what they give or raise comes back as a message, and the app paints."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from textual.app import App
from textual.message import Message
from textual.message_pump import MessagePump
from textual.widget import Widget
from textual.worker import get_current_worker

from curator.errors import Cancelled
from curator.tui.messages import Done, Failed

Result = TypeVar("Result")
APART = "curator reads"
GRACE = 0.1

if TYPE_CHECKING:
    _Pump = MessagePump
else:
    _Pump = object


def serve(
    node: Widget | App[Any],
    work: Callable[[], Result],
    then: Callable[[Result], None] | None = None,
    *,
    doing: str,
    group: str = "",
    failed: Callable[[Exception], bool] | None = None,
    reads: bool = False,
) -> None:
    """Call a service in a thread. A closing app waits until it is over, so that a write that began is finished.

    Args:
        node: Who asks; when it is gone, the answer is dropped.
        work: The call; runs in the thread and touches no widget.
        then: Takes the result, on the app's own thread.
        doing: What is being done, for the error's line: "save the case".
        group: A newer call of the same group makes this one's answer void; "" = every answer counts.
        failed: Takes an error first; True = dealt with.
        reads: It stores no decision, and may be long without a checkpoint (the language model takes seconds to load):
            a closing app does not wait for it.
    """
    bound = getattr(node if isinstance(node, App) else node.app, "bound", None)
    if bound is not None:  # what was typed to lead here is kept until this has come to its end
        then, failed = bound(then, failed)
    served = partial(_served, node, work, then, doing, failed)
    node.run_worker(
        partial(_apart, served) if reads else served,
        name=doing,
        group=group or "default",
        exclusive=bool(group),
        thread=not reads,
        exit_on_error=False,
    )


async def _apart(served: Callable[[], None]) -> None:
    """Run it in a thread of its own, that nobody waits for at the end."""
    loop = asyncio.get_running_loop()
    done = asyncio.Event()
    context = contextvars.copy_context()

    def run() -> None:
        with suppress(RuntimeError):  # the app, and with it the loop, may be gone
            context.run(served)
            loop.call_soon_threadsafe(done.set)

    threading.Thread(target=run, name=APART).start()
    await done.wait()


def left_behind() -> bool:
    """Whether a thread still works that nobody waits for; those that were told to stop get a moment to do so."""
    end = time.monotonic() + GRACE
    for thread in threading.enumerate():
        if thread.name == APART:
            thread.join(max(0.0, end - time.monotonic()))
    return any(thread.name == APART for thread in threading.enumerate())


def _served(
    node: Widget | App[Any],
    work: Callable[[], Result],
    then: Callable[[Result], None] | None,
    doing: str,
    failed: Callable[[Exception], bool] | None,
) -> None:
    worker = get_current_worker()
    answer: Message
    try:
        answer = Done(work(), then)
    except Cancelled as error:
        if failed is None:
            return
        answer = Failed(doing, error, failed)
    except Exception as error:  # noqa: BLE001 - whatever a service raises is told in one line, never a crash
        answer = Failed(doing, error, failed)
    if not worker.is_cancelled or failed is not None:
        node.post_message(answer)


class Sturdy(_Pump):
    """Mix-in: an error in a handler is listed and shown; the screen goes on working."""

    async def _dispatch_message(self, message: Message) -> None:
        try:
            await super()._dispatch_message(message)
        except Exception as error:  # noqa: BLE001 - a bug must not cost what was typed
            self.app.note_error(type(message).__name__, error)  # type: ignore[attr-defined]
