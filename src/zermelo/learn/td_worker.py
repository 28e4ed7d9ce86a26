"""A process that plays rounds: reads weights and writes weights, each after one line of JSON that says how many.

`td_crew.Process` runs it as `python -m zermelo.learn.td_worker`. It ends when its standard input does, and so with the
process that started it.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from typing import Any, BinaryIO

import numpy as np

from zermelo.games.resolve import resolve
from zermelo.learn.td_learner import Learner
from zermelo.learn.td_settings import TdSettings


def send(stream: BinaryIO, message: dict[str, Any], weights: Any = None) -> None:
    """Write one line of JSON, and the weights after it."""
    data = b"" if weights is None else np.ascontiguousarray(weights, np.float32).tobytes()
    stream.write(json.dumps({**message, "bytes": len(data)}).encode() + b"\n" + data)
    stream.flush()


def receive(stream: BinaryIO) -> tuple[dict[str, Any], Any] | None:
    """The next message and its weights; None at the end."""
    line = stream.readline()
    if not line.endswith(b"\n"):
        return None
    message: dict[str, Any] = json.loads(line)
    data = stream.read(message.pop("bytes"))
    return message, np.frombuffer(data, np.float32)


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
