"""A process that plays rounds: reads weights and writes weights (see `messages`).

`crew.Processes` runs it as `python -m zermelo.learn.td.worker`. It ends when its standard input does, and so with the
process that started it.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from typing import Any, BinaryIO

from zermelo.games.resolve import resolve
from zermelo.learn.td.learner import Learner
from zermelo.learn.td.messages import receive, send
from zermelo.learn.td.settings import TdSettings


def serve(rounds: BinaryIO, answers: BinaryIO) -> None:
    """Play rounds until there are no more."""
    waiting: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def read() -> None:
        while (found := receive(rounds)) is not None:
            waiting.put(found)
        os._exit(0)  # also in the middle of a round: nobody waits for it

    threading.Thread(target=read, daemon=True).start()
    learner: Learner | None = None
    while True:
        message, weights = waiting.get()
        try:
            if learner is None:
                game = resolve(message["game"], message["parameters"])
                learner = Learner(game, TdSettings.from_json(message["settings"]))
                continue
            found = learner.play(weights, message["worker"], message["number"], message["rate"])
            about = {"games": found.games, "unfinished": found.unfinished, "positions": found.positions}
            send(answers, about, found.weights)
        except Exception as error:  # wrong rules: the same in every process
            send(answers, {"error": f"{type(error).__name__}: {error}"})


def main() -> None:
    # Output of users' games must not mix with the messages of this process.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
