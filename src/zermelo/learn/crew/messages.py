"""Answers of a worker process: one line of JSON, and bytes after it."""

from __future__ import annotations

import json
from typing import IO, Any

Answer = tuple[dict[str, Any], bytes]


def send(stream: IO[bytes], answer: Answer) -> None:
    about, data = answer
    stream.write(json.dumps({**about, "bytes": len(data)}).encode() + b"\n" + data)
    stream.flush()


def receive(stream: IO[bytes]) -> Answer | None:
    """The next answer; None at the end, also if the sender died in the middle of it."""
    line = stream.readline()
    if not line.endswith(b"\n"):
        return None
    about = json.loads(line)
    data = stream.read(about.pop("bytes"))
    return (about, data) if len(data) == json.loads(line)["bytes"] else None
