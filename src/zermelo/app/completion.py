"""`zermelo completion`: what a shell has to read so that the Tab key completes commands, games, moves and levels."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print what makes SHELL complete commands, games, moves, algorithms and levels by the Tab key.

    \b
    zermelo completion bash >> ~/.bashrc
    zermelo completion zsh >> ~/.zshrc
    zermelo completion fish > ~/.config/fish/completions/zermelo.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    made = kind(context.find_root().command, {}, "zermelo", "_ZERMELO_COMPLETE")
    click.echo(made.source_template % made.source_vars())
