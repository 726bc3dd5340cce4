"""How the texts of an address become values: a value, or ValueError with a sentence."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Parse = Callable[[str], Any]
MOST_QUOTED = 40  # characters of a text that is refused
ROUNDED = 1e-5  # of a number: an address has six digits of it
MINUS = "\u2212\u2010\u2011\u2012\u2013\ufe63\uff0d"  # minus sign, four dashes, two wide hyphens
_HYPHENS = str.maketrans(dict.fromkeys(MINUS, "-"))


def plain_minus(text: str) -> str:
    """Return a text with every character that stands for a minus sign written as a hyphen."""
    return text.translate(_HYPHENS)


def number(kind: type, low: float, high: float) -> Parse:
    """Read a number, int or float, between two others."""

    def parse(text: str) -> Any:
        try:
            value = float(plain_minus(text))
        except ValueError:
            raise ValueError(f"“{text[:MOST_QUOTED]}” is not a number") from None
        if not low <= value <= high:
            raise ValueError(f"{text[:MOST_QUOTED]} is not between {low:g} and {high:g}")
        if kind is int and value != int(value):
            raise ValueError(f"{text[:MOST_QUOTED]} is not a whole number")
        return kind(value)

    return parse


class Nearest(ValueError):
    """Say that a slider does not have a value; `value` is the nearest that it has."""

    def __init__(self, message: str, value: float) -> None:
        """Take the sentence and the value to use instead."""
        super().__init__(message)
        self.value = value


def one_of_numbers(shown: Mapping[str, float]) -> Parse:
    """Read one of a few ascending numbers; raises Nearest for another number between them.

    shown : the numbers by the texts that the page writes for them, which are read as well.
    """
    options = list(shown.values())

    def parse(text: str) -> float:
        if text in shown:
            return shown[text]
        value = number(float, options[0], options[-1])(text)
        near = min(options, key=lambda option: abs(option - value))
        if abs(near - value) > ROUNDED * abs(near):
            written = next(text for text, option in shown.items() if option == near)
            quoted = text[:MOST_QUOTED]
            raise Nearest(f"{quoted} is not a value of this slider, so it is at {written}", near)
        return near

    return parse


def one_of(options: Sequence[str]) -> Parse:
    """Read one of a few texts."""

    def parse(text: str) -> str:
        if text not in options:
            raise ValueError(f"“{text[:MOST_QUOTED]}” is not one of {', '.join(options)}")
        return text

    return parse
