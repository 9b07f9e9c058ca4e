"""The command line. Verbs are imported when they are called, so that ``ksreplay --help`` answers at once."""

from __future__ import annotations

import importlib
import io
import os
import sys
from pathlib import Path

import click

from ksreplay import __version__

#: verb -> (module under ksreplay.cli, command in it, one line of help, section of the help page)
VERBS: dict[str, tuple[str, str, str]] = {
    "demo": ("demo", "Show the bundled samples and write their tables.", "Start here"),
    "info": ("info", "One summary of each file.", "Look"),
    "tables": ("tables", "The tables of a file with their columns.", "Look"),
    "validate": ("validate", "Every rule that a file breaks.", "Look"),
    "export": ("export", "Tables as CSV, NDJSON, Parquet or Arrow.", "Take out"),
    "plot": ("plot", "Pictures.", "Take out"),
    "unwrap": ("unwrap", "What is inside the compression.", "Take out"),
    "state": ("state", "Everything at one moment.", "Look"),
    "layout": ("layout", "The field tree with offsets and values, as the Kaitai Web IDE shows it.", "Look"),
    "verify": ("crd", "Crimsonland: by the real simulator, where installed.", "Look"),
    "compare": ("compare", "Where two replays part.", "Look"),
    "rewrite": ("rewrite", "Decode and encode again, in another version or container too.", "Write"),
    "redact": ("redact", "A valid replay without private content, with pseudonyms for names.", "Write"),
    "retarget": ("spring", "Spring: a demo for another game or version.", "Write"),
    "cut": ("spring", "A stretch of a recording (Spring, TA).", "Write"),
    "repair": ("spring", "Spring: a broken demo with true sizes.", "Write"),
    "library": ("library", "An index over a folder of Spring demos.", "Many files"),
    "batch": ("batch", "A folder of replays as one Parquet data set.", "Many files"),
    "compact": ("batch", "Merge the small parts of a data set.", "Many files"),
    "rules": ("rules", "Every rule with its source.", "Reference"),
    "limits": ("rules", "What reading a file may cost.", "Reference"),
    "sample": ("sample", "Write a bundled sample.", "Reference"),
    "completion": ("completion", "A script that completes verbs, options and files in your shell.", "Reference"),
    "ksy": ("sample", "Write the layouts, ready for the Kaitai Web IDE.", "Reference"),
}


class LazyGroup(click.Group):
    """A group whose commands and help lines stand in `VERBS`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        module = importlib.import_module(f"ksreplay.cli.{VERBS[cmd_name][0]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in VERBS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], VERBS, 1)
            ctx.fail(f"There is no verb {args[0]!r}" + (f"; is {near[0]!r} meant?" if near else "."))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:  # before click sees it, who would exit with 1
            _drop_output()
            return 0
        return result

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        for verb, (_, line, section) in VERBS.items():
            sections.setdefault(section, []).append((verb, line))
        for section, rows in sections.items():
            with formatter.section(section):
                formatter.write_dl(rows)


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="ksreplay")
def main() -> None:
    """Read, check, tabulate and rewrite game replays.

    Coilbox tracks (.cbtrack), Crimsonland replays (.crd), Spring and Recoil demos (.sdfz, .sdf) and
    Total Annihilation recordings (.tad, .ted). What a file is, its content decides.

    \b
    ksreplay demo                             see what there is to see
    ksreplay info match.sdfz                  who played what, and who won
    ksreplay tables match.sdfz                what tables it holds
    ksreplay export match.sdfz -o folder      all of them as CSV
    """


def run() -> None:
    """The entry point: click's own errors exit 2, an interrupt 130, a closed pipe quietly.

    The verbs answer for what a file's bytes do; here the rest of the world is answered for.
    """
    for stream, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, stream) is None:  # closed by the shell, as in `>&-`
            setattr(sys, stream, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    if isinstance(getattr(sys.stdout, "buffer", None), io.RawIOBase):  # PYTHONUNBUFFERED, or python -u
        # What a write to it does not take, on a full disk, would be lost without an error.
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(sys.stdout.buffer), sys.stdout.encoding, sys.stdout.errors, line_buffering=True
        )
    try:
        code = main.main(prog_name="ksreplay", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Abort:
        code = 130
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except ImportError as error:  # an extra that is not installed: the message says which
        code = _say(str(error), 2)
    except MemoryError:
        code = _say("not enough memory; `ksreplay limits` lists what can be lowered", 1)
    except OSError as error:
        from ksreplay.cli.common import os_code

        code = _say(f"{error.filename or 'output'}: {error.strerror or error}\n  code {os_code(error)}", 1)
    sys.exit(code if isinstance(code, int) else 0)


def _say(text: str, code: int) -> int:
    click.echo(f"ksreplay: {text}", err=True)
    return code


def _drop_output() -> None:
    """Points standard output at nothing, so that the interpreter's last flush does not complain of the pipe."""
    import contextlib

    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
