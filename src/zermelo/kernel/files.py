"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path


def write_whole(path: Path, data: bytes, *, durable: bool = False) -> None:
    """Write a file so that readers see the old one or the new one, never a part.

    durable   wait until the data is on the disk, so that this holds also if the power fails

    An OSError names the file that was to be written, not the temporary one.
    """
    with (
        _errors_name(path),
        tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", suffix=".part", delete=False) as file,
    ):
        try:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
            file.close()
            os.chmod(file.name, 0o644)
            os.replace(file.name, path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


@contextlib.contextmanager
def _errors_name(path: Path) -> Iterator[None]:
    """An OSError in this context is about this file."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise type(error)(error.errno, error.strerror, str(path)) from error
