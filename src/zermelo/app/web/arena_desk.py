"""The desk for matches: runs the arena's tournament in worker processes, and reports its progress."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Sequence
from typing import Any

from zermelo.app.web.desk import Say
from zermelo.app.web.faults import in_words
from zermelo.app.web.titles import title_of
from zermelo.arena.levels import levels, strongest
from zermelo.arena.pool import Workers
from zermelo.arena.roster import player_of
from zermelo.arena.schedule import Conditions, Job, games_a_round
from zermelo.arena.sequential import Sprt
from zermelo.arena.standings import Standings
from zermelo.arena.storage import TOURNAMENT
from zermelo.arena.supervisor import WorkerFailed
from zermelo.arena.tournament import Settings, Tournament
from zermelo.game.protocol import Game
from zermelo.games.resolve import parse_parameters, resolve
from zermelo.pictures import draw
from zermelo.play.play import Play
from zermelo.play.record import Record
from zermelo.play.seats import seats_of
from zermelo.search.registry import suitable

TOLD = 0.2
"""Seconds between two reports to the page."""
PATIENCE = 90.0
"""Per-move timeout in seconds."""
LISTED, LISTED_GAMES = 200, 20
"""The most moves of a game that the page gets in full, and the most games at once."""


class ArenaDesk:
    """The chosen game and the current match."""

    def __init__(self, say: Say):
        self.say = say
        self.guard = threading.RLock()
        self.chosen: tuple[str, tuple[str, ...]] | None = None
        self.match: Match | None = None

    def do_arena_look(self, game: str, settings: list[str] | None = None) -> None:
        made = resolve(game, parse_parameters(tuple(settings or ())))
        self._forget()
        self.chosen = game, tuple(settings or ())
        self.say(
            {
                "kind": "arena_view",
                "game": game,
                "settings": list(settings or ()),
                "title": title_of(game),
                "svg": draw(made, made.initial(), title=title_of(game)),
                "sides": made.traits.sides,
                "seat_names": _seat_names(made),
                "choices": _choices(made),
            }
        )

    def do_arena(
        self,
        players: list[str],
        games: int,
        side_by_side: int = 1,
        openings: int | None = None,
        seed: int = 0,
        elo0: float | None = None,
        elo1: float | None = None,
    ) -> None:
        if self.chosen is None:
            raise ValueError("no game is chosen yet")
        what, settings = self.chosen
        if "person" in players:
            raise ValueError("people play on the Play page")
        test = None
        if elo0 is not None and elo1 is not None:
            if len(players) != 2:
                raise ValueError(f"the sequential test is for two players, not {len(players)}")
            test = Sprt(elo0, elo1)
        sides = resolve(what, parse_parameters(settings)).traits.sides
        rounds = -(-games // max(games_a_round(len(players), sides), 1))
        given = Settings(
            what,
            tuple(players),
            rounds,
            parse_parameters(settings),
            openings,
            seed,
            Conditions(patience=PATIENCE),
        )
        meeting = Tournament(given)
        for words in players:
            player_of(words, meeting.game).close()  # reports errors at once
        self._forget()
        self.match = Match(meeting, test, side_by_side, self.say)

    def do_arena_stop(self) -> None:
        if self.match is not None:
            self.match.stop()

    def do_arena_save(self) -> None:
        if self.match is None:
            raise ValueError("there are no games yet")
        name = re.sub(r"\W+", "_", self.match.meeting.settings.game)
        self.say({"kind": "arena_saved", "name": f"{name}.jsonl", "text": self.match.text()})

    def leave(self) -> None:
        self.do_arena_stop()

    def _forget(self) -> None:
        """Stop the last match and its reports."""
        match, self.match = self.match, None
        if match is not None:
            match.say = lambda _: None
            match.stop()


class Match:
    """A running match: one thread plays it in worker processes, another reports its progress."""

    def __init__(self, meeting: Tournament, test: Sprt | None, workers: int, say: Say):
        self.meeting, self.test, self.say = meeting, test, say
        self.pool = Workers(workers, self._watch)
        self.records: list[Record] = []
        self.boards: dict[int, tuple[Job, Sequence[str | None]]] = {}
        self.over = threading.Event()
        self.is_stopped = False
        self.error: str | None = None
        say({"kind": "arena_begun", "players": list(meeting.settings.players), "total": meeting.total})
        for job in (self._play, self._tell):
            threading.Thread(target=job, daemon=True).start()

    def stop(self) -> None:
        """Stop the match at once."""
        if not self.over.is_set():
            self.is_stopped = True
            self.pool.close()

    def text(self) -> str:
        """The games so far, as the file that `zermelo match` writes."""
        first = json.dumps({"zermelo": TOURNAMENT, **self.meeting.settings.to_json()}, ensure_ascii=False)
        return "\n".join([first, *(record.line() for record in list(self.records)), ""])

    def _watch(self, job: Job, moves: Sequence[str | None]) -> None:
        self.boards[job.number] = job, moves

    def _play(self) -> None:
        try:
            self.meeting.play(self.pool, sprt=self.test, on_game=lambda record, _: self.records.append(record))
        except WorkerFailed as error:
            self.error = None if self.is_stopped else str(error)
        except Exception as error:
            self.error = in_words(error)
        finally:
            self.over.set()

    def _tell(self) -> None:
        """Report news a few times per second until the match ends."""
        standings = Standings(self.meeting.game, self.meeting.settings.players, self.test)
        board = Board(self.meeting.game)
        is_over = False
        while not is_over:
            is_over = self.over.wait(TOLD)
            try:
                self._tell_news(standings, board)
            except Exception as error:  # in a user's game, for example in its picture
                self.error = in_words(error)
                self.stop()
        self.say({"kind": "arena_over", "stopped": self.is_stopped, "error": self.error})

    def _tell_news(self, standings: Standings, board: Board) -> None:
        new = self.records[standings.games :]
        for record in new:
            standings.add(record)
            if record.number is not None:
                self.boards.pop(record.number, None)
        if new:
            finished = [self._finished(record) for record in new[-LISTED_GAMES:]]
            self.say({"kind": "arena_table", **table_of(standings), "finished": finished})
        under_way = dict(self.boards)
        watched = next((record for record in new if record.number == board.number), None)
        if new and not under_way:
            watched = new[-1]  # short games may be over already
        if watched is not None:
            self.say(board.of(watched.number or 0, watched.players, watched.moves, watched.seed, watched.ended))
        elif under_way:
            job, moves = under_way[min(under_way)]
            if (job.number, len(moves)) != (board.number, board.plies):
                self.say(board.of(job.number, job.players, moves, job.seed))

    def _finished(self, record: Record) -> dict[str, Any]:
        game = self.meeting.game
        points = [record.points(game, seat) for seat in range(len(record.players))]
        is_alone = len(points) == 1
        return {
            "number": record.number,
            "players": record.players,
            "points": [record.worth(game, 0)] if is_alone else points,
            "plies": len(record.moves),
            "ended": record.ended,
            "note": record.note,
            "moves": record.moves if len(record.moves) <= LISTED and None not in record.moves else None,
        }


class Board:
    """The game that the page watches, followed move by move."""

    def __init__(self, game: Game):
        self.number: int | None = None
        self.game, self.progress = game, Play(game)

    @property
    def plies(self) -> int:
        return self.progress.here.ply

    def of(
        self, number: int, players: Sequence[str], moves: Sequence[str | None], seed: int, ended: str | None = None
    ) -> dict[str, Any]:
        """What the page is shown of a game after these moves."""
        if number != self.number or len(moves) < self.plies:
            self.number, self.progress = number, Play(self.game, seed=seed)
        self.progress.follow(moves[self.plies :])
        states = self.progress.states
        return {
            "kind": "arena_game",
            "number": number,
            "players": players,
            "seat_names": _seat_names(self.game),
            "svg": draw(self.game, states[-1], marked=_changed(self.game, states), title=f"game {number + 1}"),
            "plies": len(moves),
            "last": moves[-1] if moves else None,
            "ended": None if ended in (None, "rules") else ended,
        }


def table_of(standings: Standings) -> dict[str, Any]:
    """The standings for the page, worded as on the command line."""
    from zermelo.app.standings import duration, remarks_on  # a slow import

    rows = []
    for number in sorted(range(len(standings.players)), key=lambda number: -standings.tallies[number].score):
        tally = standings.tallies[number]
        elo, interval = standings.elo_in_words(number)
        rows.append(
            {
                "player": standings.players[number],
                "games": tally.games,
                "won": tally.wins,
                "drawn": tally.draws,
                "lost": tally.losses,
                "score": tally.score,
                "elo": elo,
                "interval": interval,
                "move": duration(tally.seconds_a_move),
                "faults": ", ".join(f"{count} {name}" for name, count in tally.faults.items()),
            }
        )
    data = standings.to_json()
    return {"rows": rows, "remarks": remarks_on(standings), "done": standings.games, "sprt": data.get("sprt")}


def _choices(game: Game) -> list[dict[str, Any]]:
    """The players to choose from: levels, and algorithms with a time per move."""
    found = [
        {
            "words": f"level:{level.name}",
            "title": level.name if level.elo is None else f"{level.name} ({level.elo:.0f} Elo above random)",
            "timed": False,
        }
        for level in levels(game)
    ]
    there = suitable(game.traits)
    watched = [a.name for a in there if a.observable and a.deepens and a.name != "and_or"]
    others = [a.name for a in there if a.name in ("engine", "mtdf", "mcts", "pimc", "equilibrium", "dice")]
    for name in dict.fromkeys([strongest(game), *others, *watched]):
        found.append({"words": name, "title": name.replace("_", " "), "timed": True})
    return found


def _seat_names(game: Game) -> list[str]:
    return [" & ".join(game.player_name(p) for p in players) for players in seats_of(game)]


def _changed(game: Game, states: list[Any]) -> tuple[str, ...]:
    """The squares that the last move has changed."""
    if len(states) < 2:
        return ()
    before, after = game.picture(states[-2]), game.picture(states[-1])
    if before is None or after is None:
        return ()
    return tuple(sq for sq in {*before.pieces, *after.pieces} if before.pieces.get(sq) != after.pieces.get(sq))
