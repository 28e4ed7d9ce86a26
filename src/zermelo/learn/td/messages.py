"""Messages between a learner and its workers: one line of JSON, and the weights after it."""

from __future__ import annotations

import json
from typing import IO, Any

import numpy as np


def send(stream: IO[bytes], message: dict[str, Any], weights: Any = None) -> None:
    """Write one line of JSON, and the weights after it."""
    data = b"" if weights is None else np.ascontiguousarray(weights, np.float32).tobytes()
    stream.write(json.dumps({**message, "bytes": len(data)}).encode() + b"\n" + data)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[dict[str, Any], Any] | None:
    """The next message and its weights; None at the end, also if the sender died in the middle of a message."""
    line = stream.readline()
    if not line.endswith(b"\n"):
        return None
    message: dict[str, Any] = json.loads(line)
    count = message.pop("bytes")
    data = stream.read(count)
    return (message, np.frombuffer(data, np.float32)) if len(data) == count else None
