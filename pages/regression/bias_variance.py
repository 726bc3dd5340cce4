"""The modes of the lab; its lesson is bias_variance.md."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from algorithms.data.truths import TRUTHS, Truth, stretch, through
from algorithms.regression.bias_variance import bias_variance, bootstrap
from algorithms.regression.bias_variance.curve_fits import (
    MAX_DEGREE,
    NearestNeighbors,
    Polynomials,
    RidgePolynomials,
)
from algorithms.regression.bias_variance.sampling import PLACES, Sampling
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.core.scene import Bounds, Plane
from viz.core.words import number
from viz.regression.bias_variance.bias_variance import Decomposition
from viz.regression.bias_variance.bootstrap import Resampling
from viz.regression.bias_variance.many_fits import Family

DRAWN, UNKNOWN = "through the points", "unknown: bootstrap"
PENALTY = "Ridge penalty λ"
PENALTIES = [0.0, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]
# Where a truth with a formula is shown: without the points on the board.
EMPTY = Plane(np.empty((0, 2)), np.empty(0, int), (), ("x", "y"), (-3.4, 3.4, -3.4, 3.4))


# Asks what is fitted to sets of this number of points, in a picture with these bounds.
Choose = Callable[[Lab, int, Bounds], Family]
SIMPLE_TO_FLEXIBLE = {"degree": (1, 3, 9), "penalty": (10.0, 0.1, 0.0), "neighbours": (12, 5, 1)}


def by_degree(lab: Lab) -> Shown:
    """Fit polynomials of several degrees, with one penalty."""
    return many_fits(lab, choose_degree)


def by_penalty(lab: Lab) -> Shown:
    """Fit polynomials of one degree with several penalties."""
    return many_fits(lab, choose_penalty)


def by_neighbours(lab: Lab) -> Shown:
    """Fit the mean of the k nearest points, for several k."""
    return many_fits(lab, choose_neighbours)


def many_fits(lab: Lab, choose: Choose) -> Shown:
    """Fit one training set after the other."""
    formulas = {name: partial(of_a_formula, truth=truth) for name, truth in TRUTHS.items()}
    sources = {DRAWN: through_the_points, **formulas, UNKNOWN: of_resamples}
    source = lab.choice("truth", "Truth", list(sources), DRAWN, help="Its curve is green.")
    return sources[source](lab, choose)


def through_the_points(lab: Lab, choose: Choose) -> Shown:
    """Draw sets from a curve through the points on the board."""
    data = lab.plane
    truth = lab.later(through, data.X, spare=data.bounds[:2])
    sampling = choose_sampling(lab, data.bounds)
    family = choose(lab, sampling.n, data.bounds)
    run = lab.run(bias_variance.decompose, truth, family.models, sampling, **draws(lab))
    at = probes(lab, data.bounds, stretch(data.X[:, 0], spare=data.bounds[:2]))
    return lab.scene(Decomposition, run, data, family, at, truth, code=bias_variance)


def of_a_formula(lab: Lab, choose: Choose, truth: Truth) -> Shown:
    """Draw sets from a truth with a formula; the points on the board are not used."""
    sampling = choose_sampling(lab, EMPTY.bounds)
    family = choose(lab, sampling.n, EMPTY.bounds)
    run = lab.run_apart(bias_variance.decompose, truth, family.models, sampling, **draws(lab))
    at = probes(lab, EMPTY.bounds, (truth.low, truth.high))
    return lab.scene(Decomposition, run, EMPTY, family, at, truth, code=bias_variance)


def of_resamples(lab: Lab, choose: Choose) -> Shown:
    """Resample the points on the board, without knowing the truth."""
    data = lab.plane
    x, y = data.X.T
    family = choose(lab, len(x), data.bounds)
    run = lab.run(bootstrap.bootstrap, x, y, family.models, **draws(lab))
    at = probes(lab, data.bounds, stretch(x, spare=data.bounds[:2]))
    return lab.scene(Resampling, run, data, family, at, code=bootstrap)


def choose_sampling(lab: Lab, bounds: Bounds) -> Sampling:
    """Ask how training sets are drawn. bounds : of the picture."""
    n = lab.slider("size", "Points in a set", 5, 80, 15)
    share = lab.slider("share", "Noise σ, % of the picture's height", 0, 30, 10)
    design = lab.buttons("design", "x of the points", ["even", "random"], "even")
    return Sampling(n, share / 100 * (bounds[3] - bounds[2]), design)


def choose_degree(lab: Lab, n: int, bounds: Bounds) -> Family:
    """Ask for a degree; those from 0 on are fitted to sets of n points, with one penalty."""
    degree = choose_degree_of(lab, "degree", n, 1)
    penalty = lab.log_slider("ridge", PENALTY, PENALTIES, 0.0)
    most = max(degree, min(9, n - 1))
    others(lab, "degree", degree, most, "degree {}", bounds)
    return Family(Polynomials(tuple(range(most + 1)), penalty), degree)


def choose_penalty(lab: Lab, n: int, bounds: Bounds) -> Family:
    """Ask for a penalty; all are fitted to sets of n points, at one degree that needs one.

    Degree and penalty are this mode's own: a line, left behind by another mode, needs no penalty.
    """
    degree = choose_degree_of(lab, "of_degree", n, 10, before="degree")
    penalty = lab.log_slider("penalty", PENALTY, PENALTIES, 0.0, before="ridge")
    falling = tuple(PENALTIES[::-1])
    others(lab, "penalty", penalty, falling[0], "λ = {}", bounds)
    return Family(RidgePolynomials(falling, max(degree, 1)), falling.index(penalty))


def choose_neighbours(lab: Lab, n: int, bounds: Bounds) -> Family:
    """Ask how many neighbours are averaged, of n points in a set."""
    n = max(n, 2)
    k = lab.slider("neighbours", "Neighbours k", 1, n, min(5, n))
    others(lab, "neighbours", k, n, "k = {}", bounds)
    ks = sorted({k, *np.geomspace(n, 1, 12).round().astype(int).tolist()}, reverse=True)
    return Family(NearestNeighbors(tuple(ks)), ks.index(k))


def others(lab: Lab, name: str, chosen: float, most: float, text: str, bounds: Bounds) -> None:
    """Show a button in the picture for a simple, a middle and a flexible fit, but the chosen one.

    name : of the parameter that they set, to `most` at most. text : what stands on a button.
    """
    left, right, bottom, top = bounds
    values = [v for v in SIMPLE_TO_FLEXIBLE[name] if v <= most and v != chosen]
    for value, up in zip(values, (0.42, 0.29, 0.16), strict=False):
        place = np.array([left + 0.86 * (right - left), bottom + up * (top - bottom)])
        to = text.format(number(value))
        lab.choose_at(name, number(value), f"Change the fit: {to}", place, text=to)


def choose_degree_of(lab: Lab, name: str, n: int, usual: int, *, before: str | None = None) -> int:
    """Ask for a degree that sets of n points can have, by default the `usual` one."""
    most = min(MAX_DEGREE, max(n, 2) - 1)
    return lab.slider(name, "Degree p", 0, most, min(usual, most), before=before)


def draws(lab: Lab) -> dict[str, Any]:
    """Ask how many training sets are drawn, and from which seed."""
    folded = lab.within(lab.place.expander("How many sets, and which"))
    n_sets = folded.slider("sets", "Training sets", 10, 200, 60, 10)
    seed = folded.number("seed", "Seed", 0, 9999, 0, help="Draws the training sets.")
    return {"n_sets": n_sets, "rng": np.random.default_rng(seed)}


def probes(lab: Lab, bounds: Bounds, ends: tuple[float, float]) -> np.ndarray:
    """Return the two x of the bull's-eye, set by handles at the bottom of the picture.

    ends : of the range of x on which fits are compared, in `PLACES` equal parts.
    """
    rail = bounds[2] + 0.05 * (bounds[3] - bounds[2])
    parts = np.array([0, PLACES // 4, 3 * PLACES // 4, PLACES - 1])
    first, left, right, last = ends[0] + (ends[1] - ends[0]) * (parts + 0.5) / PLACES
    places = lab.places(
        "at", "Bull's-eye at", np.array([[left, rail], [right, rail]]),
        look="line", within=(first, last, rail, rail), along="x",
    )  # fmt: skip
    return places[:, 0]


MODES = {"degree": by_degree, "penalty": by_penalty, "neighbours": by_neighbours}

if __name__ == "__main__":
    open_lab(__file__, data="sine", n=15, noise=0.0, mode="over").show(MODES, label="Complexity")
