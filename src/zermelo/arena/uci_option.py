"""The options of UCI programs: declared, checked and set."""

from __future__ import annotations

import re
from dataclasses import dataclass

OFFER = re.compile(r"option\s+name\s+(?P<name>.+?)\s+type\s+(?P<kind>\w+)(?P<rest>.*)")
PART = re.compile(r"\b(default|min|max|var)\b\s*(.*?)(?=\s+(?:default|min|max|var)\b|$)")
NUMBER = re.compile(r"-?\d{1,18}")
EMPTY = "<empty>"
"""How the protocol writes an empty text."""


@dataclass(frozen=True)
class Option:
    """An option that a program offers: its name, its kind (check, spin, combo, button or string), and its range."""

    name: str
    kind: str
    default: str = ""
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()

    @staticmethod
    def read(line: str) -> Option | None:
        """The option of a line such as `option name Hash type spin default 16 min 1 max 1024`; None: another line."""
        found = OFFER.fullmatch(line.strip())
        if found is None:
            return None
        parts = [(what, text.strip()) for what, text in PART.findall(found["rest"])]
        texts = dict(parts)
        numbers = {what: int(text) for what, text in parts if NUMBER.fullmatch(text)}
        choices = tuple(text for what, text in parts if what == "var")
        default = texts.get("default", "")
        return Option(found["name"], found["kind"], default, numbers.get("min"), numbers.get("max"), choices)

    def line(self) -> str:
        """The line that declares it: the inverse of `read`."""
        words = [f"option name {self.name} type {self.kind}"]
        if self.kind != "button":
            words.append(f"default {self.default}")
        words += [
            f"{what} {number}" for what, number in (("min", self.least), ("max", self.most)) if number is not None
        ]
        words += [f"var {choice}" for choice in self.choices]
        return " ".join(words)

    def checked(self, value: str) -> str:
        """The value as the program takes it; raises ValueError if it is invalid."""
        if self.kind == "check":
            if value.casefold() not in ("true", "false"):
                raise ValueError(f"{self.name} is true or false, not {value!r}")
            return value.casefold()
        if self.kind == "combo" and value.casefold() not in map(str.casefold, self.choices):
            raise ValueError(f"{self.name} is one of {', '.join(self.choices)}, not {value!r}")
        if self.kind == "spin":
            number = int(value) if NUMBER.fullmatch(value) else None
            low, high = self.least, self.most
            if number is None or (low is not None and number < low) or (high is not None and number > high):
                raise ValueError(f"{self.name} is a whole number from {low} to {high}, not {value!r}")
        return value

    def command(self, value: str) -> str:
        """The line that sets it to this value."""
        if self.kind == "button":
            return f"setoption name {self.name}"
        return f"setoption name {self.name} value {self.checked(value)}"
