"""`zermelo review`: a game from a file, every move graded, with better moves and a quiz."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from zermelo.app.interrupts import STOPPED
from zermelo.app.options import as_json, csv_option, write_csv
from zermelo.app.saved import game_in, require_format, write_to
from zermelo.app.waiting import until_stopped
from zermelo.kernel.stopping import StopToken
from zermelo.play.play import Play
from zermelo.search.appraisal import PLIES
from zermelo.search.grades import SLIP, lost_share
from zermelo.search.review import SECONDS, Reviewer
from zermelo.search.reviewed import Review, Reviewed
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
@click.option("--plies", default=PLIES, show_default=True, type=click.IntRange(0, 4), help="Plies, in games with dice.")
@click.option("--compile/--plain", "compile_", default=None, help="Compiled, or as plain Python.")
@csv_option("Write one row for each move as CSV.")
@as_json
def review_command(
    file: str,
    number: int,
    seconds: float,
    quiz: bool,
    save: str | None,
    plies: int,
    compile_: bool | None,
    csv_file: str | None,
    as_json: bool,
) -> None:
    """Grade every move of the game in FILE: PGN, PDN, SGF, .mat, or a game that zermelo has saved.

    The review starts at the end of the game. Ctrl-C stops it and prints what it has found. In games with dice it also
    measures the luck of every roll, and each player's error rate: points lost per decision, times 1,000.

    \b
    zermelo review game.pgn
    zermelo review games.pgn --number 3 --seconds 2 --save annotated.pgn
    zermelo review game.jsonl --quiz
    zermelo review match.mat --plies 1 --csv match.csv
    """
    if seconds <= 0:
        raise ValueError(f"seconds must be more than 0, not {seconds:g}")
    record = game_in(Path(file), number)
    play = record.play()
    if save is not None:
        require_format(Path(save), play.game)
    reviewer = Reviewer(play.game, plies=plies, compile=compile_)
    line = play.main_line
    states, names = [each.state for each in line], play.names(line)
    progress = [0, len(states)]

    def job(token: StopToken) -> Review:
        return reviewer.review(states, names, seconds, token, lambda done, of: progress.__setitem__(0, done))

    found, is_stopped = until_stopped(job, lambda: f"reviewing: {progress[0]} of {progress[1]} positions; Ctrl-C stops")
    if quiz and not as_json:
        _ask_all(found, reviewer)
    write_csv(csv_file, found)
    if as_json:
        click.echo(json.dumps(found.to_json()))
    elif found.has_luck:
        print_points(found, record.tags)
    else:
        opening = play.game.opening(states)
        if opening:
            click.echo(opening)
        click.echo(str(found))
    if save is not None:
        annotate(play, found)
        write_to(Path(save), record, play)
        click.echo(f"written: {save}", err=True)
    if is_stopped:
        raise SystemExit(STOPPED)


def print_points(found: Review, tags: dict[str, str]) -> None:
    """Print a review of a game with dice: a row for each roll and move, and each player's totals."""
    game, console = found.game, Console(highlight=False)
    table = Table(
        title=escape(" – ".join(filter(None, map(tags.get, ("White", "Black"))))) or None, title_justify="left"
    )
    for name in ("ply", "player", "roll", "luck", "move", "value", "lost", "better"):
        table.add_column(name, justify="right" if name in ("ply", "luck", "value", "lost") else "left")
    for row, move in zip(found.table(), found.moves, strict=True):
        if game.decision_kind(found.states[move.ply]) and not move.counts:
            continue  # an obvious decision about the stake
        better = f"{row['best']} {row['best_value']:+.3f}" if move.best != move.name else ""
        table.add_row(
            str(row["ply"]),
            row["player"],
            row["roll"],
            "" if row["luck"] is None else f"{row['luck']:+.3f}",
            row["move"],
            f"{row['value']:+.3f}",
            f"{row['lost']:.3f}" if row["lost"] and better else "",
            better,
            style={"??": "red", "?": "yellow"}.get(move.grade, ""),
        )
    console.print(table)
    for line in found.summary():
        console.print(escape(line), soft_wrap=True)
    if not found.done:
        console.print(f"stopped: {len(found.moves)} of {found.plies} moves and rolls were reviewed, from the end")


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
