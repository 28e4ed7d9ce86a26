"""`zermelo tree`: searches of small trees and of games, step by step."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from zermelo import games
from zermelo.app.options import ALGORITHM, TREE, as_json, chosen_game
from zermelo.app.unknowns import conditions, solution_of, value_in_words
from zermelo.blackboard import html, png, svg, text, tikz
from zermelo.blackboard.figure import SHOWS
from zermelo.blackboard.growth import Growth, watch_mcts
from zermelo.blackboard.information_sets import InformationTree
from zermelo.blackboard.steps import Steps
from zermelo.blackboard.trace import Trace, trace
from zermelo.equilibria.strategy import Strategy
from zermelo.game.errors import StateError, UnknownName
from zermelo.games.resolve import parse_parameters, played
from zermelo.kernel.files import write_whole
from zermelo.search.registry import find
from zermelo.search.resolve import resolve
from zermelo.trees import NamedTree, Node, ParsedTree, Tree, filled, load, named, names, parse, to_json, unnamed, unroll

EXPORTS = (".svg", ".png", ".tex", ".html", ".txt")


def find_tree(what: str) -> tuple[ParsedTree, NamedTree | None]:
    """The tree given by a library name, a file, or text; and its library entry, if any."""
    if what in names():
        return named(what).tree, named(what)
    if any(sign in what for sign in "[{(\n"):
        return parse(what), None
    if Path(what).is_file():
        return load(what), None
    if what.endswith((".txt", ".json", ".test", ".tree")):
        raise UnknownName(f"there is no file {what!r}")
    named(what)  # raises, with the nearest name
    raise AssertionError


@click.command("tree")
@click.argument("tree", required=False, type=TREE)
@click.option("--list", "listing", is_flag=True, help="List the named trees.")
@click.option("--algorithm", type=ALGORITHM, help="Algorithm; by default one that suits the tree.")
@click.option("--depth", type=int, help="Depth limit; the nodes there need estimates.")
@click.option("--deepening", is_flag=True, help="Use iterative deepening.")
@click.option("--order", default="given", show_default=True, help="Move order: given, best, worst or random.")
@click.option("--seed", default=0, show_default=True, help="Seed of the random order, or of mcts.")
@click.option("--simulations", type=int, help="Simulations of mcts; by default 30.")
@click.option("--exploration", type=float, help="Factor of the exploration term of mcts; by default 1.4.")
@click.option("--no-proofs", is_flag=True, help="Plain UCT: mcts without proven bounds.")
@click.option("--moves", default="", help="Of a game: moves before the root, separated by spaces or commas.")
@click.option("--plies", type=int, help="Of a game: how many plies to unroll; by default 2. mcts needs none.")
@click.option("--cut", default="<=", show_default=True, help="Cut condition of alpha-beta: <= (also at ties) or <.")
@click.option("--fail", default="soft", show_default=True, help="Fail-soft or fail-hard: soft or hard.")
@click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE", help="Value of an unknown leaf, or a game's parameter."
)
@click.option("--answer", is_flag=True, help="Print the library's answer for a named tree.")
@click.option("--draw", is_flag=True, help="Draw the tree without a search.")
@click.option("--information-sets", is_flag=True, help="Of a game: draw what players cannot tell apart.")
@click.option(
    "--strategy", metavar="FILE", help="With --information-sets: how often to play each move, from solve --save."
)
@click.option("--step", is_flag=True, help="Show the search step by step.")
@click.option("--show", type=click.Choice(SHOWS), help="What to show next to the nodes.")
@click.option("--export", "exports", multiple=True, metavar="FILE", help="Write a .svg, .png, .tex, .html or .txt.")
@click.option("--standalone", is_flag=True, help="LaTeX class standalone for .tex; by default article.")
@as_json
def tree_command(tree: str | None, listing: bool, **options: Any) -> None:
    """Watch an algorithm on TREE: a name from the library, a file, nested lists, or a game.

    A game is a name such as tic_tac_toe, or your own file, such as mygame.py.

    \b
    zermelo tree fig-5.2
    zermelo tree "[[3,12,8],[2,4,6],[14,5,2]]" --algorithm minimax --json
    zermelo tree fig-5.2 --export steps.html --export tree.svg
    zermelo tree mytree.txt --step --cut "<"
    zermelo tree fig-5.2 --algorithm mcts --simulations 12 --step
    zermelo tree tic_tac_toe --moves "5 1" --algorithm mcts --export growing.html
    zermelo tree kuhn_poker --information-sets --export kuhn.svg
    """
    if listing or tree is None:
        if options["as_json"]:
            click.echo(json.dumps([{"name": name, "title": named(name).title} for name in names()]))
            return
        for name in names():
            click.echo(f"{name:<24}{named(name).title}")
        return
    if is_game(tree):
        _WatchingGame(tree, options).run()
    else:
        _Watching(tree, options).run()


def is_game(what: str) -> bool:
    """Is it the name of a game or of a file with one, rather than a tree?"""
    return (what in games.names() and what not in names()) or what.endswith(".py") or ".py:" in what


class _Watching:
    """One call of `zermelo tree`."""

    def __init__(self, what: str, options: dict[str, Any]):
        self.options = options
        if options["moves"] or options["plies"] is not None:
            raise ValueError(f"--moves and --plies are for games; {what!r} is a tree")
        if options["information_sets"]:
            raise ValueError(f"--information-sets is for games; {what!r} is a tree")
        self.parsed, self.entry = find_tree(what)
        self.values = {name: _number(name, value) for name, value in parse_parameters(options["settings"]).items()}
        wrong = set(self.values) - set(self.parsed.unknowns)
        if wrong:
            has = ", ".join(self.parsed.unknowns) or "none"
            raise UnknownName(f"there is no unknown leaf {', '.join(sorted(wrong))} in this tree; it has {has}")

    def run(self) -> None:
        """Draw, solve or search the tree, depending on the options."""
        left = [name for name in self.parsed.unknowns if name not in self.values]
        if self.options["draw"]:
            self._draw(self.parsed.root if left else self._game())
        elif left:
            self._solve(left)
        else:
            self._search(self._game())

    def _game(self) -> Tree:
        return self.parsed.to_game(**self.values)

    def _draw(self, drawing: Any) -> None:
        self._export(drawing)
        if self.options["as_json"]:
            click.echo(to_json(self.parsed, indent=None))
        else:
            click.echo(text.draw(drawing, self.options["show"]))

    def _solve(self, left: list[str]) -> None:
        """Solve a tree with unknown leaves: its value as a function of the first one, and when each move is best.

        The answer holds for all values of the other unknowns within the declared range.
        """
        name, root = left[0], filled(self.parsed.root, self.values)
        found = solution_of(self.parsed, **self.values)
        value, best = value_in_words(found, name), conditions(found, name)
        if self.options["as_json"]:
            answer = {"unknown": name, "whatever": left[1:], "value": value, "best": best}
            click.echo(json.dumps({**answer, **self._about()}))
            return
        self._export(root)
        self._ask()
        click.echo(text.draw(root, self.options["show"]))
        whatever = f", for any {' and '.join(left[1:])}" if left[1:] else ""
        click.echo(f"value{whatever}: {value}")
        for move, condition in enumerate(best):
            click.echo(f"move {move} is best{whatever} if {condition}")

    def _search(self, game: Tree) -> None:
        options = self.options
        algorithm = resolve(options["algorithm"]) if options["algorithm"] else _suitable(game)
        if find(algorithm).simulates:
            self._show(watch_mcts(game, **_mcts_options(options)))
            return
        _refuse_mcts_options(options)
        toggles = {name: options[name] for name in ("cut", "fail", "order", "seed", "deepening")}
        depth = options["depth"] or self.parsed.depth
        if depth is not None and not any(at.estimate for at in game.nodes):
            raise ValueError("--depth needs estimates, and no node of this tree has one")
        self._show(trace(game, algorithm, depth=depth, **toggles), depth)

    def _show(self, found: Trace | Growth, depth: int | None = None) -> None:
        """Export the search, and print it as asked."""
        options = self.options
        self._export(found)
        if options["as_json"]:
            click.echo(json.dumps({**_answer(found), **self._about()}))
        elif options["step"]:
            _step(found, options["show"])
        else:
            self._ask()
            click.echo(text.draw(found, options["show"]))
            click.echo(found.summary() if isinstance(found, Growth) else _result(found, depth))

    @property
    def title(self) -> str:
        """The title of a page."""
        return "" if self.entry is None else self.entry.title

    def _ask(self) -> None:
        if self.entry is not None:
            click.echo(f"{self.entry.title}: {self.entry.question}")
            if self.options["answer"]:
                click.echo(f"Answer: {self.entry.answer}  ({self.entry.source})")

    def _about(self) -> dict[str, Any]:
        entry = self.entry
        return {} if entry is None else {"question": entry.question, "answer": entry.answer, "source": entry.source}

    def _export(self, drawing: Tree | Node | Steps) -> None:
        for name in self.options["exports"]:
            path = Path(name)
            if path.suffix not in EXPORTS:
                raise ValueError(f"{name!r} must end in one of {', '.join(EXPORTS)}")
            show = self.options["show"]
            if path.suffix == ".html":
                if not isinstance(drawing, Steps):
                    raise ValueError(
                        "an .html page shows the steps of a search: omit --draw, and set all unknown leaves"
                    )
                title = "" if not self.title else f"{self.title}: {drawing.algorithm}"
                data = html.page(drawing, title=title).encode()
            elif path.suffix == ".png":
                data = png.draw(drawing, show)
            elif path.suffix == ".tex":
                document = "standalone" if self.options["standalone"] else "article"
                data = tikz.draw(drawing, show, document=document).encode()
            else:
                data = (svg if path.suffix == ".svg" else text).draw(drawing, show).encode()
            write(path, data)
            click.echo(f"wrote {path}", err=True)


class _WatchingGame(_Watching):
    """The same for a position of a game: mcts grows its own tree, and other algorithms search a few plies."""

    entry = None

    def __init__(self, what: str, options: dict[str, Any]):
        self.options = options
        self.game = chosen_game(what, options["settings"])
        moves = options["moves"].split("," if "," in options["moves"] else None)
        self.states = played(self.game, tuple(move.strip() for move in moves if move.strip()))

    @property
    def title(self) -> str:
        return self.game.title

    def run(self) -> None:
        options, game, state = self.options, self.game, self.states[-1]
        for name in ("depth", "answer"):
            if options[name]:
                raise ValueError(f"--{name} is for trees; a game takes --plies")
        if game.remembering(self.states).is_terminal(state):
            raise StateError("the game is over in this position: there is nothing to search")
        if options["information_sets"]:
            self._information_sets(state)
            return
        if options["strategy"]:
            raise ValueError("--strategy needs --information-sets")
        if options["algorithm"] and find(resolve(options["algorithm"])).simulates and not options["draw"]:
            self._show(watch_mcts(game, state, history=self.states[:-1], **_mcts_options(options)))
            return
        plies = 2 if options["plies"] is None else options["plies"]
        self.parsed = ParsedTree(unnamed(unroll(game, state, plies, history=self.states[:-1])), game.players)
        if options["draw"]:
            self._draw(self.parsed.root)
        else:
            self._search(self.parsed.to_game())

    def _information_sets(self, state: Any) -> None:
        """Draw all states from here on, with the information sets, and how often each is reached."""
        options = self.options
        if options["plies"] is not None or options["algorithm"]:
            raise ValueError("--information-sets draws the whole game and searches nothing: omit --plies, --algorithm")
        drawn = InformationTree(self.game, state)
        policy = Strategy.load(options["strategy"], self.game).policy if options["strategy"] else None
        for name in options["exports"]:
            path = Path(name)
            if path.suffix not in (".svg", ".txt"):
                raise ValueError(f"{name!r}: a tree with information sets is written as .svg or .txt")
            write(path, (drawn.svg(policy) if path.suffix == ".svg" else drawn.text(policy) + "\n").encode())
            click.echo(f"wrote {path}", err=True)
        if options["as_json"]:
            sets = [{"player": each.player, "name": each.name, "states": len(each.nodes)} for each in drawn.sets]
            click.echo(json.dumps({**self._about(), "nodes": len(drawn.points), "information_sets": sets}))
        else:
            click.echo(drawn.text(policy))

    def _about(self) -> dict[str, Any]:
        return {"game": self.game.name}


def _mcts_options(options: dict[str, Any]) -> dict[str, Any]:
    """The options of a watched Monte Carlo tree search."""
    for name, usual in (("depth", None), ("deepening", False), ("order", "given"), ("cut", "<="), ("fail", "soft")):
        if options[name] != usual:
            raise ValueError(f"mcts takes no --{name}; it takes --simulations, --seed, --exploration and --no-proofs")
    given = {name: options[name] for name in ("simulations", "exploration") if options[name] is not None}
    return {**given, "seed": options["seed"], "proofs": not options["no_proofs"]}


def _refuse_mcts_options(options: dict[str, Any]) -> None:
    for name in ("simulations", "exploration", "no_proofs"):
        if options[name]:
            raise ValueError(f"--{name.replace('_', '-')} is for --algorithm mcts")


def _result(found: Trace, depth: int | None) -> str:
    game = found.tree
    move = "" if found.action is None else f", move {game.action_name(game.initial(), found.action)}"
    limit = f", to depth {depth}" if depth is not None else ""
    cost = f"{found.analysis.nodes} nodes by {found.algorithm}, pruned leaves: {len(found.unseen_leaves)}{limit}"
    return f"value {_shown(found.value)}{move}: {cost}"


def write(path: Path, data: bytes) -> None:
    if not path.parent.is_dir():
        raise UnknownName(f"there is no folder {str(path.parent)!r} for {path.name}")
    try:
        write_whole(path, data)
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror}") from None


def _number(name: str, value: Any) -> Any:
    """The value of an unknown leaf: a finite number, or a fraction such as 1/3."""
    try:
        number = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{name}={value}: an unknown leaf needs a number, such as 3, 2.5 or 1/3") from None
    return int(number) if number.denominator == 1 else number


def _suitable(game: Tree) -> str:
    from zermelo.search.registry import choose

    return choose(game, observable=True)[0].name


def _shown(value: Any) -> str:
    return "(" + ", ".join(f"{v:g}" for v in value) + ")" if isinstance(value, tuple) else f"{value:g}"


def _answer(found: Trace | Growth) -> dict[str, Any]:
    if isinstance(found, Growth):
        steps = [{"kind": step.kind, "node": step.node, "text": step.text} for step in found.steps]
        return {**found.analysis.to_json(), "simulations": len(found.simulations), "steps": steps}
    original = found.original  # node numbers of the tree as given, not as reordered
    return {
        "algorithm": found.algorithm,
        "value": found.value,
        "action": found.action,
        "line": _line(found),
        "visited": [original[n] for n in found.visited],
        "pruned": [[original[parent], original[child]] for parent, child in found.pruned],
        "unseen_leaves": [original[n] for n in found.unseen_leaves],
        "nodes": found.analysis.nodes,
        "steps": [{"kind": step.kind, "node": original[step.node], "text": step.text} for step in found.steps],
    }


def _line(found: Trace) -> list[int]:
    """The principal variation, as move indices in the tree as given."""
    places = []
    for number in found.line:
        parent = int(found.tree.parent[number])
        first, count = int(found.tree.first_child[parent]), int(found.tree.child_count[parent])
        siblings = sorted(found.original[first : first + count])
        places.append(siblings.index(found.original[number]))
    return places


def _step(found: Steps, show: str | None) -> None:
    """Show the steps one by one: Enter for the next, b for back, q to quit. Without a terminal, print all."""
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    at = 0
    while 0 <= at < len(found.steps):
        click.echo(f"{at + 1}/{len(found.steps)}  {found.steps[at].text}")
        if not interactive:
            at += 1
            continue
        click.echo(text.draw(found.at(at), show))
        key = click.prompt("Enter, b, q", default="", show_default=False)
        if key.strip().casefold() == "q":
            return
        at = max(0, at - 1) if key.strip().casefold() == "b" else at + 1
