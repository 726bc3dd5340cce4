"""Widths: of the edges' weights in a graph that joins all points, and the unit of a radius."""

import numpy as np

from pages._shared.lab.mode_tools import Lab


def ask_gamma(lab: Lab) -> float:
    """Ask for the width of the edges' weights, and return γ = 1 / (2 σ²)."""
    width = lab.slider(
        "width", "Width σ, % of the picture", 1.0, 30.0, 3.0, 0.5,
        help="An edge of length σ has the weight exp(−½) = 0.61; γ = 1 / (2 σ²).",
    )  # fmt: skip
    left, right, bottom, top = lab.plane.bounds
    sigma = width / 100 * max(right - left, top - bottom)
    return 1 / (2 * sigma**2)


def unit_of(lab: Lab) -> float:
    """Return the largest radius: 1, 2 or 5 times a power of ten, a fifth of the picture at most."""
    left, right, bottom, top = lab.plane.bounds
    fifth = max(right - left, top - bottom) / 5
    power = 10.0 ** np.floor(np.log10(fifth))
    return float(max(step * power for step in (1, 2, 5) if step * power <= fifth))
