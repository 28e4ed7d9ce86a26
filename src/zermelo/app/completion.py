"""`zermelo completion`: the script that lets a shell complete commands, games, moves and levels."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print the script that lets SHELL complete commands, games, moves, algorithms and levels with the Tab key.

    \b
    zermelo completion bash >> ~/.bashrc
    zermelo completion zsh >> ~/.zshrc
    zermelo completion fish > ~/.config/fish/completions/zermelo.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    made = kind(context.find_root().command, {}, "zermelo", "_ZERMELO_COMPLETE")
    click.echo(made.source_template % made.source_vars())
