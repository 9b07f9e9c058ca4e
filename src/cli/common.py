"""What the verbs share: options, opening files, one line a file, errors in at most three lines."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
import click.shell_completion

from ksreplay.errors import LimitExceeded, ReplayError, Truncated, describe
from ksreplay.limits import Limits
from ksreplay.text import cells, printable, terminal_lines

if TYPE_CHECKING:
    from ksreplay.replay import Replay

F = TypeVar("F", bound=Callable[..., Any])


_LIMITS = frozenset(item.name for item in fields(Limits))


class _LimitsOption(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    name = "NAME=NUMBER"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, int]:
        if isinstance(value, tuple):
            return value
        name, _, number = str(value).partition("=")
        if name not in _LIMITS:
            self.fail(f"no limit {name!r}; `ksreplay limits` lists them", param, ctx)
        if not number.isdecimal():
            self.fail(f"{name} wants a whole number, not {number!r}", param, ctx)
        return name, int(number)


class _ReplayPath(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """The name of a file, so that shells complete it as one."""

    name = "FILE"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        return [click.shell_completion.CompletionItem(incomplete, type="file")]


REPLAY = _ReplayPath()


class Progress:
    """One line on standard error that says what is being done, where that is a terminal; `line` leaves lines there."""

    def __init__(self, quiet: bool, total: int) -> None:
        self._live = not quiet and sys.stderr.isatty()
        self._quiet = quiet
        self._total = total
        self._done = 0

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *args: object) -> None:
        self._clear()

    def step(self, what: str) -> None:
        self._done += 1
        if self._live:
            click.echo(f"\r\x1b[K{self._done}/{self._total} {printable(what, 60)} …", nl=False, err=True)

    def line(self, text: str) -> None:
        self._clear()
        if not self._quiet:
            click.echo(printable(text), err=True)

    def _clear(self) -> None:
        if self._live:
            click.echo("\r\x1b[K", nl=False, err=True)


def reading_options(command: F) -> F:
    """``--private``, ``--strict``, ``--limit``, ``--quiet``: what every verb that reads a file accepts.

    The command gets them as ``reading``, a `Reading`.
    """

    def wrapper(
        *args: Any, private: bool, strict: bool, limit: tuple[tuple[str, int], ...], quiet: bool, **kwargs: Any
    ) -> Any:
        return command(*args, reading=Reading(private, strict, Limits(**dict(limit)), quiet), **kwargs)

    wrapper.__name__ = command.__name__
    wrapper.__doc__ = command.__doc__
    wrapper.__dict__.update(command.__dict__)
    for option in (
        click.option("--quiet", "-q", is_flag=True, help="No progress and no notes on standard error."),
        click.option("--limit", multiple=True, type=_LimitsOption(), help="Raise or lower a bound (see `limits`)."),
        click.option("--strict", is_flag=True, help="Stop at the first broken rule instead of reading on."),
        click.option("--private", is_flag=True, help="Show chat, addresses and other personal content."),
    ):
        wrapper = option(wrapper)
    return wrapper  # type: ignore[return-value]


class Reading:
    """How the files of one call are read."""

    def __init__(self, private: bool, strict: bool, limits: Limits, quiet: bool) -> None:
        self.private, self.strict, self.limits, self.quiet = private, strict, limits, quiet

    def open(self, name: str, *, private: bool = False) -> Replay:
        """The replay ``name`` ("-": standard input); raises ReplayError, also for a path that cannot be read.

        ``private`` is for verbs that need the whole content to do their work, without showing it.
        """
        import ksreplay

        with self.reading_errors():
            source: Any = sys.stdin.buffer if name == "-" else name
            return ksreplay.open(source, strict=self.strict, private=self.private or private, limits=self.limits)

    @contextlib.contextmanager
    def reading_errors(self) -> Iterator[None]:
        """Turns the system's own errors about a path into the one family."""
        try:
            yield
        except BrokenPipeError:
            raise
        except OSError as error:
            raise ReplayError(_reason(error), code=os_code(error)) from error

    def note(self, text: str) -> None:
        """A line on standard error, unless --quiet."""
        if not self.quiet:
            click.echo(text, err=True)


class TerminalOutput(io.RawIOBase):
    """Standard output for text that is meant for files: where it goes to a terminal, nothing in it steers that."""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        sys.stdout.buffer.write(terminal_lines(bytes(data).decode("utf-8", "replace")).encode())
        return len(data)


def text_output() -> Any:
    """A binary stream on standard output for CSV and NDJSON."""
    return TerminalOutput() if sys.stdout.isatty() else sys.stdout.buffer


def binary_output() -> Any:
    """A binary stream on standard output; raises UsageError where that is a terminal."""
    if sys.stdout.isatty():
        raise click.UsageError("this would write bytes to the terminal: redirect it, or name a file")
    return sys.stdout.buffer


def _reason(error: OSError) -> str:
    if isinstance(error, IsADirectoryError):
        return "this is a folder: name a file in it, or give the folder to info, validate or batch"
    return error.strerror or str(error)


def os_code(error: OSError) -> str:
    import errno

    return errno.errorcode.get(error.errno or 0, "os-error").lower() if error.errno else "os-error"


def expand(names: Iterable[str]) -> Iterator[str]:
    """Files as they are; folders as the replays in them, by content or suffix, in the order of their names."""
    for name in names:
        if name != "-" and Path(name).is_dir():
            replays = (path for path in sorted(Path(name).rglob("*")) if path.is_file() and _is_replay(path))
            number = 0
            for number, path in enumerate(replays, 1):  # noqa: B007
                yield str(path)
            if not number:
                click.echo(f"ksreplay: {printable(name)}: no replays in this folder", err=True)
        else:
            yield name


def _is_replay(path: Path) -> bool:
    from ksreplay.formats.sniff import HEAD_BYTES, sniff
    from ksreplay.registry import FORMATS

    if path.suffix.lower() in {suffix for format in FORMATS.values() for suffix in format.suffixes}:
        return True
    try:
        with path.open("rb") as file:
            return bool(sniff(file.read(HEAD_BYTES)))
    except OSError:
        return False


def finding(format: str, code: str, message: str) -> str:
    """The message of a problem or error; a rule's own text, which says what should be, as the rule that is broken."""
    from ksreplay.registry import FORMATS

    rules = FORMATS[format].rule_list if format in FORMATS else ()
    return f"broken rule: {message}" if any(rule.code == code and rule.text == message for rule in rules) else message


def _told(error: ReplayError) -> str:
    return describe(finding(error.format, error.code, error.message), error.where, error.offset)


def show_error(name: str, error: ReplayError) -> None:
    """One line that says what, one that says where: on standard error."""
    click.echo(f"ksreplay: {printable(name)}: {printable(_told(error))}", err=True)
    details = [f"code {error.code}"]
    if error.found is not None:
        details.append(f"found {printable(str(error.found), 80)}")
    if error.expected is not None:
        details.append(f"expected {printable(str(error.expected), 120)}")
    limit = error.code.replace("-", "_")
    if isinstance(error, LimitExceeded) and limit in _LIMITS:
        details.append(f"--limit {limit}=NUMBER raises the bound")
    click.echo("  " + ", ".join(details), err=True)


def echo_json(document: dict[str, Any]) -> None:
    click.echo(json.dumps(document, ensure_ascii=True, allow_nan=False))


@contextlib.contextmanager
def exit_on_error(name: str, as_json: bool = False) -> Iterator[None]:
    """For verbs that read one file: an error of the file ends the command with 1.

    With ``as_json`` the error is a document on standard output too, as it is for the verbs of several files.
    """
    try:
        yield
    except ReplayError as error:
        if as_json:
            echo_json({"file": name, "error": error.to_dict()})
        show_error(name, error)
        raise click.exceptions.Exit(1) from None
    except ImportError as error:  # an extra that is not installed: the message says which
        click.echo(f"ksreplay: {error}", err=True)
        raise click.exceptions.Exit(2) from None
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        if as_json:
            echo_json({"file": name, "error": ReplayError(error.strerror or str(error), code=os_code(error)).to_dict()})
        # The system names files, but not the standard output.
        click.echo(f"ksreplay: {printable(str(error.filename or 'output'))}: {error.strerror or error}", err=True)
        click.echo(f"  code {os_code(error)}", err=True)
        raise click.exceptions.Exit(1) from None


def suffix_for(output: str, replay: Replay) -> str:
    """The suffix of a file that is to be written, in lower case: it decides the container. "" for standard output.

    Raises UsageError for the suffix of another format: a replay stays of its own.
    """
    from ksreplay.registry import FORMATS

    suffix = "" if output == "-" else Path(output).suffix.lower()
    own = FORMATS[replay.format].suffixes
    if suffix not in own and any(suffix in format.suffixes for format in FORMATS.values()):
        raise click.UsageError(f"a {replay.format} file is written as {' or '.join(own)}, not {suffix}")
    return suffix


def write_result(output: str, data: bytes, force: bool, reading: Reading, remark: str = "") -> None:
    """Bytes to a file (temp + rename, no overwrite without ``force``) or to standard output ("-"), and a note of it."""
    from ksreplay.atomic import replacing

    if output == "-":
        stream = binary_output()
        stream.write(data)
        stream.flush()  # a full disk is told before what was written is
    else:
        with replacing(Path(output), force=force) as target:
            target.write(data)
    reading.note(f"{printable(output)}: {len(data):,} bytes{remark}")


def for_each(
    names: Iterable[str], work: Callable[[str], bool], fail: Callable[[str, ReplayError], None] = show_error
) -> None:
    """Calls ``work`` for every file; goes on after an error; exits 1 where a file failed or ``work`` said False."""
    good = True
    for name in expand(names):
        try:
            good = work(name) and good
        except ReplayError as error:
            good = False
            fail(name, error)
    if not good:
        raise click.exceptions.Exit(1)


#: Colour of a status word, where the terminal shows colours and NO_COLOR is not set.
_COLOURS = {"ok": "green", "valid": "green", "partial": "yellow", "growing": "yellow", "empty": "yellow"}
#: A file that was written to within so many seconds and has no end yet is still growing.
_FRESH_S = 60.0
#: Cells of a terminal that a column must have to be wrapped in them.
_NARROWEST = 24


def status_of(name: str, document: dict[str, Any]) -> tuple[str, str]:
    """(word, reason) for a file that could be read: ok, partial or growing."""
    if document["complete"]:
        return "ok", ""
    damaged = [p for p in document["problems"] if p["severity"] in ("fatal", "part")]
    first = damaged[0] if damaged else {"code": "", "message": "it ends before the game does"}
    reason = finding(document["format"], first["code"], first["message"])
    cut = {p["code"] for p in damaged} <= _cuts(document["format"])
    return ("growing" if cut and _is_fresh(name) else "partial"), reason


def failure_of(name: str, error: ReplayError) -> tuple[str, str]:
    """(word, reason) for a file that could not be read: empty, growing or failed."""
    if error.code == "empty":
        return "empty", "no bytes yet"
    return ("growing" if isinstance(error, Truncated) and _is_fresh(name) else "failed"), _told(error)


def _cuts(format: str) -> set[str]:
    """The codes of what is missing at the end of a file, as it is while a recorder still writes."""
    from ksreplay.registry import FORMATS

    return {rule.code for rule in FORMATS[format].rule_list if issubclass(rule.error, Truncated)}


def status_line(name: str, word: str, reason: str = "") -> str:
    """``name: word: reason``, the word coloured where that is wanted."""
    shown = styled(word, fg=_COLOURS.get(word, "red"))
    return f"{printable(name)}: {shown}" + (f": {printable(reason, 200)}" if reason else "")


def styled(text: str, **style: Any) -> str:
    """``text`` in a style of `click.style`, on a terminal where NO_COLOR is not set."""
    return click.style(text, **style) if sys.stdout.isatty() and not os.environ.get("NO_COLOR") else text


def _is_fresh(name: str) -> bool:
    import time

    try:
        return name != "-" and time.time() - Path(name).stat().st_mtime < _FRESH_S
    except OSError:
        return False


def columns_text(rows: Sequence[tuple[str, ...]], indent: str = "") -> str:
    """Rows as left-aligned columns; on a terminal a last column that is too long goes on below itself."""
    widths = [
        max((cells(row[i]) for row in rows if len(row) > i), default=0) for i in range(max(map(len, rows), default=0))
    ]
    start = len(indent) + sum(widths[:-1]) + 2 * (len(widths) - 1)
    room = shutil.get_terminal_size().columns - start if sys.stdout.isatty() else 0
    lines = []
    for row in rows:
        padded = [cell + " " * (width - cells(cell)) for cell, width in zip(row, widths, strict=False)]
        if room >= _NARROWEST and len(row) == len(widths):
            padded[-1] = ("\n" + " " * start).join(_wrapped(row[-1], room))
        lines.append((indent + "  ".join(padded)).rstrip())
    return "\n".join(lines)


def _wrapped(text: str, room: int) -> list[str]:
    """The words of ``text`` in lines of ``room`` cells; a longer word has a line of its own."""
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and cells(lines[-1]) + 1 + cells(word) > room:
            lines.append(word)
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return lines
