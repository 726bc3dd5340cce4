"""Numbers in captions: with a true minus sign, powers of ten, and never a negative zero."""

from collections.abc import Iterable, Sequence

import numpy as np

from algorithms.core.features import SUBSCRIPTS, SUPERSCRIPTS


def number(value: float, digits: int = 3) -> str:
    """Write a number with so many significant digits, up to a million all before the point.

    So: −0.25, 12740, 2.9×10⁻⁵. The dot of products stays free for products.
    """
    return _written(_rounded(value, digits))


def as_written(value: float, digits: int = 3) -> float:
    """Return the number that `number` writes, for sums and products of written numbers."""
    return float(_rounded(value, digits))


def equals(share: float) -> str:
    """Return the sign before a probability: ≈ if it is written as 0 or 1, which it never is."""
    return "≈" if number(share) in ("0", "1") else "="


def rounded(value: float, digits: int = 3) -> str:
    """Write a number for a headline, where at most three digits count: 13500 for 13491."""
    return number(float(f"{value:.{digits}g}"), digits)


def alike(*values: float) -> list[str]:
    """Write numbers with equally many decimals, so that the smallest has three digits."""
    smallest = min(abs(value) for value in values)
    if not 1e-2 <= smallest < 1e3:
        return [number(value) for value in values]
    decimals = 2 - int(np.floor(np.log10(smallest)))
    return [_written(f"{value:.{decimals}f}") for value in values]


def percent(share: float, digits: int = 3) -> str:
    """Write a share in percent, with enough digits that only the whole is 100 %."""
    value = 100 * share
    if value > 100 - 1e-9:  # nothing is left, except rounding
        return "100 %"
    enough = (d for d in range(digits, 14) if float(f"{value:.{d}g}") < 100)
    return f"{number(value, next(enough))} %"


def whole(formula: str) -> str:
    """Keep a formula on one line."""
    return formula.replace(" ", "\u00a0")


def fixed(value: float, decimals: int) -> str:
    """Write a number with this many decimals."""
    return _written(f"{value:.{decimals}f}")


def decimal(value: float) -> str:
    """Write three decimals, or three significant digits if the number is large or small."""
    plain = value == 0 or 1e-2 <= abs(value) < 1e4
    return fixed(value, 3) if plain else number(value)


def enclosed(value: float, digits: int = 3) -> str:
    """Write a factor or a subtracted number: in parentheses if it is negative."""
    return factor(number(value, digits))


def factor(text: str) -> str:
    """Put a number that is written in parentheses if it is negative."""
    return f"({text})" if text.startswith("−") else text


def added(value: float, digits: int = 3) -> str:
    """Write a summand with its sign: + 0.5 or − 0.5."""
    return f"{'−' if value < 0 else '+'} {number(abs(value), digits)}"


def weighted_sum(weights: Iterable[float], values: Iterable[float], bias: float) -> str:
    """Write w·x + b with its numbers: 0.845 · (−0.274) + 0.300 · 1.200 − 0.500."""
    pairs = zip(weights, values, strict=True)
    terms = [f"{decimal(w)} · {factor(decimal(x))}" for w, x in pairs]
    return " + ".join([*terms, decimal(bias)]).replace("+ −", "− ")


def counted(count: int, thing: str) -> str:
    """Write how many there are: 1 point, 2 points."""
    return f"{count} {thing}{'s' * (count != 1)}"


def capital(text: str) -> str:
    """Write a text with a capital letter at its start, and the rest as it is."""
    return text[:1].upper() + text[1:]


def listed(names: Sequence[str]) -> str:
    """Write names one after the other: 1, 2 and 3."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def vector(values: Iterable[float]) -> str:
    """Write a vector in parentheses."""
    return f"({', '.join(map(decimal, values))})"


def place(values: Iterable[float]) -> str:
    """Write a point for a headline, with three digits a coordinate."""
    return f"({', '.join(map(rounded, values))})"


def numbered(letter: str, index: int) -> str:
    """Write a letter with an index, which is 0-based here and 1-based on the page: u₁, u₂, ..."""
    return f"{letter}{index + 1}".translate(SUBSCRIPTS)


def power_of_ten(exponent: int) -> str:
    """Write 1, 10 and 100, and beyond them 10³ or 10⁻⁵."""
    if 0 <= exponent <= 2:
        return str(10**exponent)
    return "10" + str(exponent).translate(SUPERSCRIPTS).replace("-", "⁻")


def _rounded(value: float, digits: int) -> str:
    """Round to so many significant digits, up to a million to a whole number at least."""
    whole = 10**digits - 0.5 <= abs(value) < 1e6 - 0.5
    return f"{value:.0f}" if whole else f"{value:.{digits}g}"


def _written(text: str) -> str:
    """Write a formatted number as a textbook does."""
    if float(text) == 0:
        return text.removeprefix("-")
    digits, _, exponent = text.partition("e")
    if exponent:
        power = power_of_ten(int(exponent))
        text = {"1": power, "-1": f"-{power}"}.get(digits, f"{digits}×{power}")
    return text.replace("-", "−")
