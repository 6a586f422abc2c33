"""The command `curator`: its global options, its groups, and the one place where an error becomes an exit code."""

from __future__ import annotations

import contextlib
import copy
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curator import __version__
from curator.cli import (
    align,
    baseline,
    case,
    coverage,
    docs,
    doctor,
    export,
    failures,
    gate,
    keeping,
    lint,
    partition,
    privacy,
    quota,
    reading,
    review,
    sample_review,
    search,
    suite,
)
from curator.cli.console import say, tell
from curator.errors import Cancelled, CuratorError, StorageError, UsageError

if TYPE_CHECKING:
    from curator.cli.opening import OpenApp

DEBUG_VARIABLE = "CURATOR_DEBUG"
GLOBAL_WITH_VALUE = ("-w", "--workspace", "--as")
_UsageProblem: type[Exception] = typer.BadParameter.__mro__[2]  # ClickException, wherever this Typer keeps its Click

app = typer.Typer(
    name="curator",
    help="Make and keep the golden set of a RAG system. Without a command: open the app on the workspace here.",
    epilog="Exit codes: 0 fine, 1 a check failed, 2 usage, 3 bad input, 4 conflict, 5 an extra is missing, "
    "74 disk or database, 130 stopped.",
    no_args_is_help=False,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
reading.register(app)
docs.register(app)
search.register(app)
case.register(app)
lint.register(app)
review.register(app)
coverage.register(app)
quota.register(app)
partition.register(app)
baseline.register(app)
sample_review.register(app)
suite.register(app)
export.register(app)
align.register(app)
failures.register(app)
gate.register(app)
privacy.register(app)
keeping.register(app)
doctor.register(app)


def _version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"curator {__version__}\n")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def curator(
    ctx: typer.Context,
    workspace: Annotated[
        Path | None, typer.Option("--workspace", "-w", help="Folder of the workspace; else found from here upwards.")
    ] = None,
    actor: Annotated[
        str, typer.Option("--as", metavar="ACTOR", help="Who acts; else CURATOR_ACTOR, else your own config file.")
    ] = "",
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Say on stderr what goes to the log, and where a bug lies.")
    ] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Make and keep the golden set of a RAG system. Without a command: open the app on the workspace here."""
    from curator.cli.opening import Here

    ctx.obj = Here(workspace, actor, ctx.obj, verbose=verbose)
    if ctx.invoked_subcommand is None:
        raise typer.Exit(ctx.obj.open_app(ctx.obj.workspace))


def globals_first(words: Sequence[str]) -> list[str]:
    """The words with the global options where Typer takes them, so that they may stand anywhere before `--`.

    `-w`, `--as` and `--verbose` go to the front; `--json`, which each command declares for itself, goes behind it.
    """
    front: list[str] = []
    rest: list[str] = []
    as_json: list[str] = []
    queue = list(words)
    while queue:
        word = queue.pop(0)
        if word == "--":
            queue = [word, *queue]
            break
        if word in GLOBAL_WITH_VALUE and queue:
            front += [word, queue.pop(0)]
        elif (
            word.startswith(("--workspace=", "--as="))
            or (word.startswith("-w") and len(word) > 2)
            or word == "--verbose"
        ):
            front.append(word)
        elif word == "--json":
            as_json = [word]
        else:
            rest.append(word)
    return [*front, *rest, *as_json, *queue]


def _named(words: Sequence[str]) -> typer.Typer:
    """The commands without those of groups that no word names: reading all options took a quarter of `--help`."""
    made = copy.copy(app)
    made.registered_groups = []
    for group in app.registered_groups:
        inner = group.typer_instance
        if inner is not None and (group.name or inner.info.name) not in words:
            group, inner = copy.copy(group), copy.copy(inner)
            inner.registered_commands = []
            group.typer_instance = inner
        made.registered_groups.append(group)
    return made


def run(words: Sequence[str], open_app: OpenApp | None = None) -> int:
    """Run one command and give its exit code; every error is one line on stderr.

    Args:
        words: The command line without the program's name.
        open_app: Opens the app on a workspace and gives its exit code; without it there is no app to open.
    """
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  a shell may close it: >&-
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        code = _named(words)(globals_first(words), prog_name="curator", standalone_mode=False, obj=open_app)
        sys.stdout.flush()
    except CuratorError as error:
        tell(error)
        return error.exit_code
    except _UsageProblem as error:
        return _misused(error)
    except (KeyboardInterrupt, typer.Abort):
        code = Cancelled.exit_code
    except BrokenPipeError:
        return _reader_left()
    except SystemExit as stop:
        if isinstance(stop.__context__, BrokenPipeError):  # click ends by itself with 1
            return _reader_left()
        return stop.code if isinstance(stop.code, int) else int(bool(stop.code))
    except UnicodeEncodeError:
        tell(UsageError("a word of the command is not UTF-8", "write it in UTF-8"))
        return UsageError.exit_code
    except OSError as error:
        tell(StorageError(f"{error.filename or 'output'}: {error.strerror}", "free some space, or check permissions"))
        return _reader_left(StorageError.exit_code)
    except Exception as error:  # noqa: BLE001  what is left is a bug of ours: one line, unless asked for more
        return _bug(error, where="--verbose" in words)
    if code == Cancelled.exit_code:
        say("curator: stopped; what was stored before is kept")
    return code if isinstance(code, int) else 0


def _misused(error: Any) -> int:
    """A command that Typer could not read: one line; a group called without a command has printed its help."""
    if message := " ".join(error.format_message().split()).rstrip("."):
        path = error.ctx.command_path if getattr(error, "ctx", None) else "curator"
        tell(UsageError(message, f"see `{path} --help`"))
    return UsageError.exit_code


def _reader_left(code: int = 0) -> int:
    """Nobody reads stdout any more: what is still buffered goes nowhere."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def _bug(error: Exception, *, where: bool) -> int:
    if os.environ.get(DEBUG_VARIABLE):
        raise error
    if where:
        from curator import log

        say(f"curator: at {log.where(error)}")
    told = " ".join(str(error).split())[:200]
    say(f"curator: a bug: {type(error).__name__}: {told}; set {DEBUG_VARIABLE}=1 to see where, and report it")
    return 1
