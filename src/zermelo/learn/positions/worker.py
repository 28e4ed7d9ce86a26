"""A process that plays games and appends their positions to a file of its own.

`generate` runs it as `python -m zermelo.learn.positions.worker`. It reads one line of JSON, writes one after every
block, and ends when its standard input does, and so with the process that started it.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

from zermelo.game.errors import ZermeloError
from zermelo.games.resolve import resolve
from zermelo.kernel.stopping import StopToken
from zermelo.learn.positions.evaluations import with_evaluation
from zermelo.learn.positions.filling import fill
from zermelo.learn.positions.generator import PlaySettings


def main() -> None:
    # Output of users' games must not mix with the messages of this process.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    task = json.loads(sys.stdin.readline())
    stop = StopToken()

    def watch() -> None:
        sys.stdin.read()
        stop.stop()

    threading.Thread(target=watch, daemon=True).start()

    def tell(about: dict[str, Any]) -> None:
        print(json.dumps(about), file=answers, flush=True)

    try:
        game = with_evaluation(resolve(task["game"], task["parameters"]), task["evaluation"])
        settings = PlaySettings.from_json(task["settings"])
        fill(game, Path(task["path"]), settings, task["worker"], task["wanted"], tell, stop)
    except ZermeloError as error:
        tell({"error": str(error)})
        sys.exit(1)


if __name__ == "__main__":
    main()
