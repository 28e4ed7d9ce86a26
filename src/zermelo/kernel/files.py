"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, data: bytes, *, durable: bool = False) -> None:
    """Write a file so that readers see the old one or the new one, never a part.

    durable   wait until the data is on the disk, so that this holds also if the power fails

    An OSError names the file that was to be written, not the temporary one.
    """
    try:
        file = tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", suffix=".part", delete=False)
        with file:
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
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from error
