"""The cards of the start page: a picture of each game, and what one chooses before a game."""

from __future__ import annotations

from typing import Any

from zermelo.app.web.titles import RULES, title_of
from zermelo.arena.levels import full_strength, levels
from zermelo.game.protocol import CHANCE, Game
from zermelo.games.extensive_form import ExtensiveForm
from zermelo.games.resolve import resolve
from zermelo.kernel.random import Random
from zermelo.pictures.svg import render
from zermelo.play.play import Play
from zermelo.play.seats import seats_of

TYPICAL = {
    "backgammon": "31, 8/5 6/5, 62, 24/18 13/11, 64, 24/14*, 52",
    "chess": "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6 O-O O-O",
    "connect_four": "4 4 4 3 3 5 5 2 3 3 5",
    "go": "E5 G6 C3 F3 G7 D6 C6 C5 D5 C7 B6 F7 F6 G5",
    "hex": "c9 i3 f6 e5 g4 h2 d7 e6",
    "limit_holdem": "As, Kh, 9c, 9d, raise to 4, call, Ad, 7s, 4h",
    "no_limit_holdem": "Qs, Qh, Ac, Kc, raise to 6, call, Jd, 7c, 4h",
    "othello": "f5 d6 c3 d3 c4 f4 f6 g5 e6 c5",
    "tic_tac_toe": "5 1 3 7 4",
}
"""Moves to a position that shows what the game is like; other games are shown after a few random moves."""
VARIANTS: dict[str, list[tuple[str, list[str]]]] = {
    "backgammon": [
        ("one game", []),
        ("money, with cube", ["cube=true"]),
        ("money, Jacoby and beavers", ["cube=true", "jacoby=true", "beavers=true"]),
        *((f"match to {points} points", ["cube=true", f"points={points}"]) for points in (3, 5, 7, 11)),
    ],
}
"""Kinds of games to choose from before a game: titles and settings; the first one is usual."""
RANDOM_PLIES = 6
"""At most so many, and at most a third of a random game."""
LONGEST = 60


def card(what: str) -> dict[str, Any]:
    """A game as the start page shows it."""
    game = resolve(what, {})
    return {
        "kind": "card",
        "game": what,
        "title": title_of(what),
        "rules": RULES.get(what),
        "svg": picture(what, game),
        "seats": [" & ".join(game.player_name(p) for p in players) for players in seats_of(game)],
        "levels": [vars(each) for each in levels(game)],
        "strongest": full_strength(game, 1),
        "hidden": game.hidden,
        "variants": [{"title": title, "settings": settings} for title, settings in VARIANTS.get(what, [])],
    }


def picture(what: str, game: Game) -> str:
    """A typical position; of a game that hides something, as the first player sees it."""
    if isinstance(game, ExtensiveForm):
        from zermelo.blackboard.information_sets import InformationTree  # slow to import, and seldom needed

        return InformationTree(game).svg(title=title_of(what))
    play = Play(game, seed=1)
    if what in TYPICAL:
        moves = TYPICAL[what]
        play.follow(moves.split(", ") if "," in moves else moves.split())
    else:
        _play_on(play)
    return render(play.board(0 if game.hidden else None, play.here), title_of(what))


def _play_on(play: Play) -> None:
    """The first moves of a random game."""
    random = Random(1)
    while not play.is_over and play.here.ply < LONGEST:
        if play.mover == CHANCE:
            play.draw()
        else:
            legal = play.legal()
            play.move(legal[random.below(len(legal))])
    play.go_to(play.line[min(RANDOM_PLIES, (play.here.ply + 2) // 3)])
