"""Parsers for the texts in an address: each returns a value, or raises ValueError."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Parse = Callable[[str], Any]
MOST_QUOTED = 40  # characters of a refused text that a message shows
ROUNDED = 1e-5  # relative difference that counts as none, since an address has six digits
MINUS = "\u2212\u2010\u2011\u2012\u2013\ufe63\uff0d"  # minus sign, four dashes, two wide hyphens
_HYPHENS = str.maketrans(dict.fromkeys(MINUS, "-"))


def plain_minus(text: str) -> str:
    """Return a text with a hyphen for every character that stands for a minus sign."""
    return text.translate(_HYPHENS)


def number(kind: type, low: float, high: float) -> Parse:
    """Return a parser for a number, int or float, between two others."""

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
    """A slider does not have a value; `value` is the nearest one that it has."""

    def __init__(self, message: str, value: float) -> None:
        """Store the sentence and the value to use instead."""
        super().__init__(message)
        self.value = value


def one_of_numbers(shown: Mapping[str, float]) -> Parse:
    """Return a parser for a few ascending numbers; it raises Nearest for others in their range.

    shown : the numbers by the texts that the page writes for them, which are read, too.
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
            raise Nearest(f"{quoted} is no value of this slider; it is set to {written}", near)
        return near

    return parse


def one_of(options: Sequence[str]) -> Parse:
    """Return a parser that accepts a few texts."""

    def parse(text: str) -> str:
        if text not in options:
            raise ValueError(f"“{text[:MOST_QUOTED]}” is not one of {', '.join(options)}")
        return text

    return parse


class Chosen(list[str]):
    """Some of a few texts. In the address they are joined by dots; none of them is "none"."""

    def __str__(self) -> str:
        """Write them as the address does."""
        return ".".join(self) or "none"


def some_of(options: Sequence[str]) -> Parse:
    """Return a parser of what `Chosen` writes, in any order."""
    known = one_of(options)

    def parse(text: str) -> Chosen:
        named = {known(name) for name in text.split(".")} if text != "none" else set()
        return Chosen(option for option in options if option in named)

    return parse
