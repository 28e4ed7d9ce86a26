"""Backgammon matches from files and back (.mat).

A match is one game here, so the games of a match are one record. After a game that a player resigned, another record
begins with the score. The games of a session for money are a record each.
"""

from __future__ import annotations

import itertools
from typing import Any

from zermelo.game.errors import GameError, IllegalAction, NotationError
from zermelo.games.backgammon import Backgammon, mat, news
from zermelo.games.backgammon.names import NO_MOVE, steps
from zermelo.games.backgammon.state import ANSWERING, CUBE, MOVING, OPENING, OVER, ROLL, ROLLING
from zermelo.play.play import Play
from zermelo.play.position import Position
from zermelo.play.record import RESIGNED, Record

COLOURS = "White", "Black"
WORDS = {mat.DOUBLE: "double", mat.TAKE: "take", mat.DROP: "drop", mat.BEAVER: "beaver"}


# Reading.


def records(text: str) -> list[Record]:
    """The games of a match file."""
    match = mat.read(text)
    parameters: dict[str, Any] = {"cube": True, "points": match.points}
    if match.points == 0:
        parameters["beavers"] = any(event.what == mat.BEAVER for game in match.games for event in game.events)
        return [_money_game(match, game, parameters) for game in match.games]
    try:
        rules = Backgammon(**parameters)
    except GameError as error:
        raise NotationError(f".mat: {error}") from None
    found: list[Record] = []
    play, last = None, (0, 0)
    for game in match.games:
        if play is None or play.state.phase != OPENING or play.state.score != game.score:
            play = _begun(match, game, rules, last)
        _follow(play, game, match.names)
        won = game.events[-1] if game.events and game.events[-1].what == mat.WIN else None
        is_resigned = won is not None and play.state.phase not in (OPENING, OVER)
        last = game.score
        if is_resigned and won is not None:
            found.append(_record(play, match, parameters, won))
            play = None
        elif game is match.games[-1] or play.is_over:
            found.append(_record(play, match, parameters))
    if play is not None and (not found or found[-1].moves != tuple(play.names(play.main_line))):
        found.append(_record(play, match, parameters))
    return found


def _begun(match: mat.Match, game: mat.MatchGame, rules: Backgammon, last: tuple[int, int]) -> Play:
    """A play that begins with a game of the match. In the Crawford game, nobody doubles."""
    score, near = game.score, match.points - 1
    if max(score) > near:
        raise NotationError(f".mat, line {game.line}: the score {score[0]}–{score[1]} ends a match to {match.points}")
    doubles = any(event.what == mat.DOUBLE for event in game.events)
    crawford = max(score) == near and min(score) < near and max(last) < near and not doubles
    first = rules.new_game(score, int(crawford))
    return Play(rules, start=None if first == rules.initial() else rules.to_text(first), seed=0)


def _money_game(match: mat.Match, game: mat.MatchGame, parameters: dict[str, Any]) -> Record:
    """A game for money. If its points fit only with the Jacoby rule, it was played with this rule."""
    for jacoby in (False, True):
        given = {name: value for name, value in {**parameters, "jacoby": jacoby}.items() if value}
        play = Play(Backgammon(**given), seed=0)
        try:
            _follow(play, game, match.names)
        except WrongPoints:
            if jacoby:
                raise
            continue
        won = game.events[-1] if game.events and not play.is_over and game.events[-1].what == mat.WIN else None
        return _record(play, match, given, won)
    raise AssertionError("unreachable")


class WrongPoints(NotationError):
    """The file says that a game was worth other points than the rules say."""


def _record(play: Play, match: mat.Match, parameters: dict[str, Any], resigned: mat.Event | None = None) -> Record:
    names = dict(zip(COLOURS, match.names, strict=True))
    play.tags = {**match.tags, **names}
    about: dict[str, Any] = {}
    if resigned is not None:
        about = {"ended": "resignation", "charged": 1 - resigned.player}
        play.tags[RESIGNED] = str(resigned.points)
    return Record.of(play, "backgammon", parameters={n: v for n, v in parameters.items() if v}, **about)


def _follow(play: Play, game: mat.MatchGame, names: tuple[str, str]) -> None:
    """Play a game of a file from its opening roll on."""
    before = play.state.score
    for number, event in enumerate(game.events):
        try:
            if event.what == mat.WIN:
                _check_points(play, event, before)
            elif event.what == mat.ROLL:
                _roll(play, event, names, is_last=number == len(game.events) - 1)
            else:
                _require_turn(play, event, names)
                _require_cube(play, event)
                play.move_named(WORDS[event.what])
        except WrongPoints:
            raise
        except (IllegalAction, NotationError) as error:
            raise NotationError(f".mat, line {event.line}: {names[event.player]}: {error}") from None


def _require_turn(play: Play, event: mat.Event, names: tuple[str, str]) -> None:
    if play.is_over or (play.state.phase == OPENING and event.what != mat.ROLL):
        raise NotationError("the game is over")
    if play.state.phase != OPENING and play.state.mover != event.player:
        raise NotationError(f"it is the turn of {names[1 - event.player]}")


def _require_cube(play: Play, event: mat.Event) -> None:
    """A double turns the cube to the next number, if the file says to which."""
    turned = 2 << play.state.cube
    if event.what == mat.DOUBLE and event.points and event.points != turned:
        raise NotationError(f"the cube is turned to {turned} here, not to {event.points}")


def _roll(play: Play, event: mat.Event, names: tuple[str, str], is_last: bool) -> None:
    """A roll and the move that follows it."""
    _require_turn(play, event, names)
    game, s = play.game, play.state
    if s.phase == CUBE:
        play.move(ROLL)
    elif s.phase not in (OPENING, ROLLING):
        raise NotationError("the double was not answered")
    dice = "".join(sorted(event.dice, reverse=s.phase != OPENING or event.player == 0))
    outcome = game.action_named(play.state, dice)
    play.follow([str(outcome)])
    move = "" if event.move.casefold() in ("cannot move", "can't move") else event.move
    legal = [game.action_name(play.state, a) for a in play.legal()]
    if move:
        play.move_named(move)
    elif legal == [NO_MOVE]:
        play.move_named(NO_MOVE)
    elif not is_last:
        raise NotationError(f"{event.dice} is not played, and there are legal moves, such as {legal[0]}")


def _check_points(play: Play, event: mat.Event, before: Any) -> None:
    """If the game is over by the rules, the file must say the same."""
    game: Any = play.game
    after = play.state
    if after.phase not in (OPENING, OVER):
        return  # the loser has resigned
    gained = [after.score[p] - before[p] for p in range(2)]
    room = game.points - before[event.player] if game.points else event.points
    if gained[event.player] != min(event.points, room):
        raise WrongPoints(
            f".mat, line {event.line}: {event.points} points are won in the file, and {max(gained)} by the rules"
        )


# Writing.


def text_of(record: Record, play: Play) -> str:
    """The main line of a play as a match file."""
    game = play.game
    assert isinstance(game, Backgammon)
    line = play.main_line
    if line[0].state.phase != OPENING:
        raise NotationError("a .mat file begins with the opening roll, and this game with another position: use JSON")
    tags = {name: value for name, value in play.tags.items() if name not in (*COLOURS, RESIGNED)}
    given = [*record.players, *COLOURS][:2] if len(record.players) == 2 else COLOURS
    names = [play.tags.get(colour) or words for colour, words in zip(COLOURS, given, strict=True)]
    games: list[mat.MatchGame] = []
    for before, after in itertools.pairwise(line):
        s = before.state
        if s.phase == OPENING:
            games.append(mat.MatchGame((int(s.score[0]), int(s.score[1]))))
        games[-1].events += _events(game, before, after)
    if record.ended == "resignation" and record.charged is not None and games:
        points = play.tags.get(RESIGNED, "")
        won = int(points) if points.isdecimal() else 1 << line[-1].state.cube
        games[-1].events.append(mat.Event(1 - record.charged, mat.WIN, points=won))
    games = games or [mat.MatchGame((0, 0))]
    if len(set(names)) < 2:
        names = [f"{name} ({colour})" for name, colour in zip(names, COLOURS, strict=True)]
    return mat.write(mat.Match(game.points, (names[0], names[1]), games, tags))


def _events(game: Backgammon, before: Position, after: Position) -> list[mat.Event]:
    """What a move or a roll is in a match file; a roll is written with its move."""
    s, a, mover = before.state, after.action, int(before.state.mover)
    found = []
    if s.phase == MOVING:
        move = " ".join(f"{origin}/{target}{'*' * hits}" for origin, target, hits in steps(s, a))
        found.append(mat.Event(mover, mat.ROLL, f"{s.dice >> 3}{s.dice & 7}", move))
    elif s.phase in (OPENING, ROLLING) and not after.after:
        now = after.state
        found.append(mat.Event(int(now.mover), mat.ROLL, f"{now.dice >> 3}{now.dice & 7}"))
    elif s.phase == CUBE and a != ROLL:
        found.append(mat.Event(mover, mat.DOUBLE, points=2 << s.cube))
    elif s.phase == ANSWERING:
        found.append(mat.Event(mover, (mat.TAKE, mat.DROP, mat.BEAVER)[a], points=4 << s.cube))
    won = news.won(game, s, a)
    if won is not None:
        winner, points = won
        found.append(mat.Event(int(winner), mat.WIN, points=points))
    return found
