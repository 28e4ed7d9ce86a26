"""Make the opening book of checkers from its own games: python scripts/checkers_book.py GAMES.jsonl [FILE.pdn].

The games are those of a match from the three-move openings, such as

    zermelo match checkers engine:seconds=0.1 engine:seconds=0.1 --games 400 --openings three_move --file GAMES.jsonl

The first plies of each finished game are kept, with its result.
"""

from __future__ import annotations

import sys
from pathlib import Path

from zermelo.games.checkers import Checkers
from zermelo.play.files import read_games

FILE = Path(__file__).parent.parent / "src/zermelo/games/checkers/book.pdn"
PLIES = 14
RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}


def main(games: Path, file: Path) -> None:
    game, texts = Checkers(), []
    for record in read_games(games):
        if record.ended is not None:
            moves = [f"{i // 2 + 1}. {name}" if i % 2 == 0 else name for i, name in enumerate(record.moves[:PLIES])]
            texts.append(f"{' '.join(moves)} {RESULTS[record.points(game, 0)]}\n")
    file.write_text("\n".join(texts))
    print(f"{len(texts)} games, {file.stat().st_size:,} bytes: {file}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else FILE)
