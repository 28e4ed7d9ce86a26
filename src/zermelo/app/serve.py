"""`zermelo serve`: the app in the browser."""

from __future__ import annotations

import threading
import webbrowser

import click


@click.command("serve")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port; by default one that is free.")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Where to listen; the default is this machine only."
)
@click.option("--browser/--no-browser", default=True, help="Whether to open the browser.")
def serve_command(files: tuple[str, ...], port: int, host: str, browser: bool) -> None:
    """Open the app: play, analyse and learn in the browser, until Ctrl-C.

    FILE is a game of your own, to be played beside the registered ones.

    \b
    zermelo serve
    zermelo serve mygame.py
    zermelo serve --port 8000 --no-browser
    """
    from zermelo.app.web.running import require_loadable, serve

    def ready(address: str) -> None:
        click.echo(f"zermelo is at {address} (Ctrl-C ends it)")
        if browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    require_loadable(files)
    serve(files, host=host, port=port, ready=ready, warn=lambda text: click.secho(text, fg="yellow", err=True))
