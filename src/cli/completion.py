"""`ksreplay completion`: the shell's side of completion."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.option("--private", is_flag=True, hidden=True)
def completion_command(shell: str, private: bool) -> None:
    """Print the script that makes SHELL complete verbs, options and file names.

    Example: ksreplay completion bash >> ~/.bashrc
    """
    from ksreplay.cli import main

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(main, {}, "ksreplay", "_KSREPLAY_COMPLETE").source())
