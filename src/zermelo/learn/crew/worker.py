"""A process that does jobs: reads a line of JSON for each, and writes a line of JSON and the bytes of the answer.

`crew.Processes` runs it as `python -m zermelo.learn.crew.worker`. When its standard input ends, it stops what it is
doing, answers with what it has, and ends too.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from typing import Any

from zermelo.game.errors import ZermeloError
from zermelo.kernel.stopping import StopToken
from zermelo.learn.crew.messages import send
from zermelo.learn.positions.workshop import Workshop


def main() -> None:
    # Output of users' games must not mix with the messages of this process.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    stop = StopToken()
    jobs: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            jobs.put(json.loads(line))
        stop.stop()
        jobs.put(None)

    threading.Thread(target=read, daemon=True).start()
    workshop: Workshop | None = None
    while (job := jobs.get()) is not None:
        try:
            if workshop is None:
                workshop = Workshop.from_words(job)
                continue
            send(answers, workshop.do(job, stop))
        except ZermeloError as error:
            send(answers, ({"error": str(error)}, b""))
        except BrokenPipeError:
            os._exit(1)
    os._exit(0)  # threads of the search may still wait for work


if __name__ == "__main__":
    main()
