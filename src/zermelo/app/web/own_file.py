"""A process that loads users' game files and reports errors: `python -m zermelo.app.web.own_file`."""

from __future__ import annotations

import os
import sys

from zermelo.games.resolve import resolve


def main() -> None:
    said = os.dup(2)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # the file's own output is not the answer
    problem = ""
    for file in sys.argv[1:]:
        try:
            resolve(file, {})
        except BaseException as error:
            problem = " ".join(str(error).split()) or f"{file}: {type(error).__name__}"
            break
    if problem:
        os.write(said, problem.encode(errors="backslashreplace") + b"\n")
    os._exit(2 if problem else 0)


if __name__ == "__main__":
    main()
