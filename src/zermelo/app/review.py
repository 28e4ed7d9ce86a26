"""`zermelo review`: a game from a file, every move graded, with better moves and a quiz."""

from __future__ import annotations

import json
from pathlib import Path

import click

from zermelo.app.interrupts import STOPPED
from zermelo.app.options import as_json
from zermelo.app.saved import game_in, write_to
from zermelo.app.waiting import until_stopped
from zermelo.kernel.stopping import StopToken
from zermelo.play.play import Play
from zermelo.search.grades import SLIP, lost_share
from zermelo.search.review import SECONDS, Review, Reviewed, Reviewer
from zermelo.search.wording import words

GLYPHS = {"?!": 6, "?": 2, "??": 4}
"""The marks as PGN's annotation glyphs."""
QUIZ_SECONDS = 1.0


@click.command("review")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--number", default=1, show_default=True, type=click.IntRange(1), help="Which game of the file.")
@click.option("--seconds", default=SECONDS, show_default=True, help="Average time for each position in seconds.")
@click.option("--quiz", is_flag=True, help="Ask for a better move at each mistake, before the answer is shown.")
@click.option(
    "--save", type=click.Path(dir_okay=False), help="Write the game with marks and comments (PGN, PDN or SGF)."
)
@as_json
def review_command(file: str, number: int, seconds: float, quiz: bool, save: str | None, as_json: bool) -> None:
    """Grade every move of the game in FILE: PGN, PDN, SGF, .mat, or a game that zermelo has saved.

    The review starts at the end of the game. Ctrl-C stops it and prints what it has found.

    \b
    zermelo review game.pgn
    zermelo review games.pgn --number 3 --seconds 2 --save annotated.pgn
    zermelo review game.jsonl --quiz
    """
    if seconds <= 0:
        raise ValueError(f"seconds must be more than 0, not {seconds:g}")
    record = game_in(Path(file), number)
    play = record.play()
    reviewer = Reviewer(play.game)
    line = play.main_line
    states, names = [each.state for each in line], play.names(line)
    progress = [0, len(states)]

    def job(token: StopToken) -> Review:
        return reviewer.review(states, names, seconds, token, lambda done, of: progress.__setitem__(0, done))

    found, is_stopped = until_stopped(job, lambda: f"reviewing: {progress[0]} of {progress[1]} positions; Ctrl-C stops")
    if quiz and not as_json:
        _ask_all(found, reviewer)
    click.echo(json.dumps(found.to_json()) if as_json else str(found))
    if save is not None:
        annotate(play, found)
        write_to(Path(save), record, play)
        click.echo(f"written: {save}", err=True)
    if is_stopped:
        raise SystemExit(STOPPED)


def annotate(play: Play, found: Review) -> None:
    """Mark the mistakes in a play: with glyphs, and with the reasons as comments."""
    line = play.main_line
    for move in found.mistakes:
        position = line[move.ply + 1]
        position.glyphs = (GLYPHS[move.grade],)
        position.comment = f"{position.comment} {move.why}".strip()


def _ask_all(found: Review, reviewer: Reviewer) -> None:
    """Ask for a better move at each mistake; an empty answer shows the solution, q ends the quiz."""
    puzzles = [move for move in found.mistakes if move.best]
    solved = 0
    for number, move in enumerate(puzzles, 1):
        click.echo(f"\n{found.game.text(found.states[move.ply])}")
        who = found.game.player_name(move.player)
        click.echo(f"{number} of {len(puzzles)}: {who} played {move.name}{move.grade}. Find a better move.")
        try:
            answer = click.prompt("better", default="", show_default=False).strip()
        except click.Abort:  # the end of the input, or Ctrl-C
            answer = "q"
        if answer.casefold() == "q":
            break
        said, is_right = _judged(found, move, answer, reviewer)
        solved += is_right
        click.echo(said)
    if puzzles:
        click.echo(f"\nsolved: {solved} of {len(puzzles)}\n")


def _judged(found: Review, move: Reviewed, answer: str, reviewer: Reviewer) -> tuple[str, bool]:
    """The verdict on an answer: right if it loses less than an inaccuracy does."""
    game, states = found.game, found.states[: move.ply + 1]
    if not answer:
        return f"{move.best}: {words(game, move.before)}", False
    if answer.casefold() == move.best.casefold():
        return f"Right: {words(game, move.before)}.", True
    try:
        worth = reviewer.value_of(states, answer, QUIZ_SECONDS)
    except ValueError as error:
        return f"{error}. The answer was {move.best}.", False
    lost = lost_share(game, move.before, worth)
    if lost is not None and lost < SLIP:
        return f"Right, as good as {move.best}: {words(game, worth)}.", True
    return f"{answer}: {words(game, worth)}. Better is {move.best}: {words(game, move.before)}.", False
