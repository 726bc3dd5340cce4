"""How the words on ridge and lasso write numbers."""

from viz.core import words


def number(value: float, digits: int = 4) -> str:
    """Write a number with so many digits; the thousands in full."""
    if 10**digits <= abs(value) < 1e7:
        return words.number(round(value), 8)
    return words.number(value, digits)
