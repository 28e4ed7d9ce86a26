"""The protocol of games as one table: each method of `Game` with all that the rest of the package derives from it.

A group is the file of this folder that defines its methods. `Game` inherits from all of them (`protocol.py`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from zermelo.game.state import u64

STATE = object()
"""In the table, a method returns a state, and its fields are wrapped into their widths."""


class Method(NamedTuple):
    """One method of the protocol.

    group      the file that defines it
    arguments  the names of its parameters: s is a state, a an action, p a player
    returns    int, float, bool, u64, a tuple of these, or STATE; None: whatever the method returns
    yields     the same for the items of a generator
    compiled   False for methods that compiled code never calls, so that they may use all of Python
    """

    name: str
    arguments: str
    returns: Any = None
    yields: Any = None
    compiled: bool = True
    group: str = ""

    @property
    def takes_state(self) -> bool:
        """Is the first argument a state?"""
        return self.arguments.split()[:1] == ["s"]


_GROUPS: dict[str, tuple[Method, ...]] = {
    "rules": (
        Method("initial", "", STATE, compiled=False),
        Method("to_move", "s", int),
        Method("actions", "s", yields=int),
        Method("result", "s a", STATE),
        Method("is_terminal", "s", bool),
        Method("utility", "s p", float),
    ),
    "chance": (
        Method("outcomes", "s", yields=(int, float)),
        Method("draw", "s random", STATE),
    ),
    "hidden": (
        Method("information", "s p"),
        Method("resample", "s p random", STATE),
    ),
    "path": (
        Method("key", "s", u64),
        Method("history_key", "s", u64),
        Method("occurrences", "key", int),
        Method("recurs", "s", bool),
        Method("enter", "s"),
        Method("leave", ""),
        Method("reserve", "nodes", compiled=False),
        Method("remembering", "past room", compiled=False),
    ),
    "hints": (
        Method("evaluate", "s p", float),
        Method("promise", "s a", float),
        Method("bounds", "s", (float, float)),
        Method("plies_left", "s", int),
        Method("canonical_key", "s", u64),
        Method("book_key", "s", compiled=False),
        Method("mirror_image", "s", STATE),
        Method("solved_positions", "", yields=(int, float, int), compiled=False),
        Method("count_actions", "s", int),
        Method("list_actions", "s room", int),
        Method("safe_actions", "s", yields=int),
        Method("move_kind", "s a", int),
        Method("noisy_actions", "s", yields=int),
        Method("list_noisy_actions", "s room", int),
        Method("forcing_actions", "s", yields=int),
        Method("list_forcing_actions", "s room", int),
        Method("is_noisy", "s a", bool),
        Method("gain", "s a", float),
        Method("may_stand", "s", bool),
        Method("may_pass", "s", bool),
        Method("after_pass", "s", STATE),
        Method("probcut", "s depth number", (int, float, float, float)),
    ),
    "sampling": (
        Method("nth_action", "s n", int),
        Method("rollout", "s random", int),
        Method("playout", "s random played", STATE),
        Method("prior", "s a", float),
    ),
    "numbering": (
        Method("class_names", "", compiled=False),
        Method("classes_after", "c", compiled=False),
        Method("class_of", "s", int),
        Method("class_size", "c", int),
        Method("index_of", "s", int),
        Method("state_at", "c i", STATE),
        Method("may_occur", "s", bool),
        Method("retractions", "s", yields=int),
        Method("retract", "s a", STATE),
        Method("timeless", "", compiled=False),
        Method("in_time", "s plies", bool),
    ),
    "features": (
        Method("feature_names", "", compiled=False),
        Method("feature_groups", "", compiled=False),
        Method("features", "s p", yields=(int, float)),
        Method("list_features", "s p numbers amounts", int),
        Method("weighted_features", "s p", float),
        Method("worth", "s p total", float),
        Method("input_names", "", compiled=False),
        Method("input_name", "s p number", compiled=False),
        Method("list_inputs", "s p numbers amounts", int),
        Method("viewer", "s", int),
        Method("phase", "s", int),
        Method("phase_names", "", compiled=False),
        Method("known", "s out", int),
        Method("list_changes", "s p last numbers amounts", int),
    ),
    "presentation": (
        Method("action_name", "s a", compiled=False),
        Method("notes", "s", compiled=False),
        Method("stake", "s", compiled=False),
        Method("decision_kind", "s", compiled=False),
        Method("action_named", "s name", compiled=False),
        Method("player_name", "p", compiled=False),
        Method("unit", "", compiled=False),
        Method("text", "s", compiled=False),
        Method("to_text", "s", compiled=False),
        Method("from_text", "text", STATE, compiled=False),
        Method("parameters_in", "text", compiled=False),
        Method("seen_by", "s p", STATE, compiled=False),
        Method("information_name", "s p", compiled=False),
        Method("picture", "s", compiled=False),
        Method("paths", "s a", yields=tuple, compiled=False),
        Method("composition", "s path", compiled=False),
        Method("ending", "s", compiled=False),
        Method("opening", "states", compiled=False),
        Method("own_book", "", compiled=False),
        Method("own_strategy", "", compiled=False),
        Method("standing", "s p", compiled=False),
        Method("news", "s a", compiled=False),
        Method("resignations", "s", compiled=False),
        Method("resigned", "s p points", compiled=False),
    ),
    "general": (
        Method("name", "", compiled=False),
        Method("title", "", compiled=False),
        Method("traits", "", compiled=False),
        Method("offers", "method", bool, compiled=False),
        Method("side", "p", int),
        Method("utility_bounds", "p", compiled=False),
        Method("moves_at", "s", compiled=False),
        Method("legal", "s", compiled=False),
        Method("checked", "state", compiled=False),
    ),
    "protocol": (Method("play", "moves state", compiled=False),),
}

METHODS = {method.name: method._replace(group=group) for group, methods in _GROUPS.items() for method in methods}
"""Every method of `Game` by its name."""

RULES = tuple(method.name for method in _GROUPS["rules"])
"""The textbook's six methods, which every game defines."""

NOT_COMPILED = frozenset(method.name for method in METHODS.values() if not method.compiled)
RETURN_STATES = tuple(method.name for method in METHODS.values() if method.returns is STATE)
GENERATORS = tuple(method.name for method in METHODS.values() if method.yields is not None)
