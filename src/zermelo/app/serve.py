"""`zermelo serve`: the app in the browser."""

from __future__ import annotations

import json
import os
import threading
import webbrowser

import click

from zermelo.app.options import as_json


@click.command("serve")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port; by default a free one.")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on; the default is this machine only."
)
@click.option("--browser/--no-browser", default=True, help="Open the browser, or only print the address.")
@click.option(
    "--compile/--no-compile", "warm", default=True, help="Compile the registered games in the background, once."
)
@as_json
def serve_command(files: tuple[str, ...], port: int, host: str, browser: bool, warm: bool, as_json: bool) -> None:
    """Open the app in the browser: play, analyse and learn. Ctrl-C ends it.

    FILE is your own game; it appears next to the registered ones.

    \b
    zermelo serve
    zermelo serve mygame.py
    zermelo serve --port 8000 --no-browser
    zermelo serve --no-browser --json
    """
    from zermelo.app.web.running import require_loadable, serve

    def ready(address: str) -> None:
        data = {"address": address, "files": files, "process": os.getpid()}
        click.echo(json.dumps(data) if as_json else f"zermelo is at {address} (Ctrl-C ends it)")
        if browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    require_loadable(files)
    serve(
        files, host=host, port=port, ready=ready, warn=lambda text: click.secho(text, fg="yellow", err=True), warm=warm
    )
