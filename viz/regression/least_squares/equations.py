"""How linear regression writes numbers and lines, and which column is predicted."""

from functools import partial

from algorithms.regression.least_squares.linear_model import LinearModel
from viz.core.words import number

four = partial(number, digits=4)


def equation(step: LinearModel) -> str:
    """Write y = w x + b with a step's numbers."""
    return equation_of(float(step.weights[0]), step.intercept)


def equation_of(w: float, b: float) -> str:
    """Write y = w x + b."""
    return f"y = {four(w)} x {'−' if b < 0 else '+'} {four(abs(b))}"


def columns_note(names: tuple[str, str], unused: int) -> str:
    """Say which column is predicted from which. unused : how many more the table has."""
    rest = f" The other {unused} columns are not used." if unused else ""
    return f"{names[1]} is predicted from {names[0]}.{rest}"
