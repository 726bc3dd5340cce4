"""How the texts of an address become values: a value, or ValueError with a sentence."""

from collections.abc import Callable, Sequence
from typing import Any

Parse = Callable[[str], Any]
MOST_QUOTED = 40  # characters of a text that is refused


def number(kind: type, low: float, high: float) -> Parse:
    """Read a number, int or float, between two others."""

    def parse(text: str) -> Any:
        try:
            value = float(text)
        except ValueError:
            raise ValueError(f"“{text[:MOST_QUOTED]}” is not a number") from None
        if not low <= value <= high:
            raise ValueError(f"{text[:MOST_QUOTED]} is not between {low:g} and {high:g}")
        if kind is int and value != int(value):
            raise ValueError(f"{text[:MOST_QUOTED]} is not a whole number")
        return kind(value)

    return parse


def one_of(options: Sequence[str]) -> Parse:
    """Read one of a few texts."""

    def parse(text: str) -> str:
        if text not in options:
            raise ValueError(f"“{text[:MOST_QUOTED]}” is not one of {', '.join(options)}")
        return text

    return parse
