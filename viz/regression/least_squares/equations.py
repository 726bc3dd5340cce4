"""How linear regression writes numbers and lines, and which column is predicted."""

from functools import partial

from algorithms.regression.least_squares.linear_model import LinearModel
from viz.core.words import added, enclosed, number
from viz.regression.least_squares.regression_lines import SQUARES

four = partial(number, digits=4)
enclosed_four = partial(enclosed, digits=4)


def equation(step: LinearModel) -> str:
    """Write y = w x + b with a step's numbers."""
    return equation_of(float(step.weights[0]), step.intercept)


def equation_of(w: float, b: float) -> str:
    """Write y = w x + b, without a b that is rounding."""
    b = b if abs(b) > 1e-12 * abs(w) else 0.0
    return f"y = {four(w)} x {added(b, 4)}"


def reading(x: float, line: tuple[float, float]) -> str:
    """Say what a line predicts at the ring."""
    w, b = line
    product = f"{four(w)} · {enclosed(x)} {added(b, 4)}"
    return (
        f"At the ring, x = {number(x)}, the line says ŷ = w x + b = {product} = {four(w * x + b)}."
    )


def columns_note(names: tuple[str, str], unused: int) -> str:
    """Say which column is predicted from which. unused : how many more the table has."""
    rest = f" The other {unused} columns are not used." if unused > 1 else ""
    if unused == 1:
        rest = " The other column is not used."
    return f"{names[1]} is predicted from {names[0]}.{rest}"


def squares_note(n: int) -> str:
    """Say of which points the squares are drawn."""
    if n <= SQUARES:
        return " The square of every residual is drawn."
    return f" Squares are drawn of the residuals of {SQUARES} points, evenly chosen along x."
