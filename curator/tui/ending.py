"""The app is told to end by another program, or its terminal is gone: what was typed is written down first."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from curator import log

if TYPE_CHECKING:
    from curator.tui.app import CuratorApp

SOON = 0.2
PATIENCE = 3.0
"""Seconds that a closing app is waited for: it may wait for a database, or for a terminal that is not there."""
TOLD = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGINT") if hasattr(signal, name)
)  # not every system has each
_held: list[int] = []


@contextmanager
def signals_held() -> Iterator[None]:
    """Until the app minds them signals wait: it has the terminal before, and who ends then leaves it as it is."""
    for number in TOLD:
        with suppress(ValueError):  # another thread than the main one
            signal.signal(number, _hold)
    try:
        yield
    finally:
        for number in TOLD:
            if signal.getsignal(number) is _hold:
                signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


def _hold(number: int, _frame: object) -> None:
    _held.append(number)


def mind_signals(app: CuratorApp) -> None:
    """From now on a signal that ends a program ends this one in order; for the main thread of a process of its own."""
    loop = asyncio.get_running_loop()
    for number in TOLD:
        with suppress(NotImplementedError, RuntimeError, ValueError):  # another system, or another thread
            # what lies in the terminal's buffer was typed too
            loop.add_signal_handler(number, partial(loop.call_later, SOON, end, app, number))
    if _held:
        loop.call_later(SOON, end, app, _held[0])


def end(app: CuratorApp, number: int) -> None:
    """Write down what was typed, then close; a closing that takes too long is cut short."""
    code = 128 + number
    told = "what was typed is kept"
    try:
        app.keep_now()
    except Exception as error:  # noqa: BLE001  whatever it is, the process ends now
        told = f"what was typed could not be kept: {log.said(error)}"
    log.write(app.workspace.root, "app", f"told to end by {signal.Signals(number).name}: {told}")
    threading.Thread(target=_cut_short, args=(app, code), daemon=True).start()
    app.exit(code)


def _cut_short(app: CuratorApp, code: int) -> None:
    time.sleep(PATIENCE)
    log.write(app.workspace.root, "app", f"ends with {code}, cut short")
    giving_back = threading.Thread(target=_give_back, args=(app,), daemon=True)
    giving_back.start()
    giving_back.join(1.0)  # a terminal that is gone may never answer
    os._exit(code)


def _give_back(app: CuratorApp) -> None:
    driver = app._driver
    with suppress(Exception):
        if driver is not None:
            driver.stop_application_mode()
