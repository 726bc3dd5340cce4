"""The modes of the lab; its lesson is gaussian_mixture.md."""

from dataclasses import replace
from functools import partial

import numpy as np

from algorithms.clustering.gaussian_mixture import gaussian_mixture as gaussians
from algorithms.clustering.gaussian_mixture import mixture_choice as choosing
from algorithms.clustering.gaussian_mixture import multinomial_mixture as multinomials
from algorithms.clustering.gaussian_mixture import one_mean as climbing
from algorithms.clustering.gaussian_mixture import place_and_class as two_factors
from algorithms.clustering.gaussian_mixture import soft_k_means as soft
from algorithms.core.iterate import resumed
from algorithms.core.numbering import numbered
from algorithms.data.headlines import HEADLINES
from pages._shared.ask.place import picked_place
from pages._shared.ask.start import choose_start, moved_to
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from pages._shared.lab.what_if import Ways, what_if
from viz.clustering.gaussian_mixture.gaussian_mixture import Mixture, Settings
from viz.clustering.gaussian_mixture.mixture_choice import Choice
from viz.clustering.gaussian_mixture.multinomial_mixture import Documents
from viz.clustering.gaussian_mixture.one_mean import OneMean
from viz.clustering.gaussian_mixture.place_and_class import Picked, PlacesAndClasses
from viz.clustering.gaussian_mixture.soft_k_means import SoftKMeans
from viz.core import plane
from viz.core.scene import Plane, Run

FLOORS = [0.0, 1e-6, 1e-4, 0.001, 0.01, 0.1, 1.0]
STIFFNESSES = [0.5, 0.8, 1.0, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0, 1000.0]
MOST, STARTS, FOLDS = 8, 10, 3  # largest k tried, runs for each k, and folds
MAX_ITER = 100
TOL = 1e-5  # of the log-likelihood per point; further steps would show nothing new
ROOM = 0.06  # of the picture, around the points, for the ellipses


def mixture(lab: Lab) -> Shown:
    """Fit Gaussians."""
    X = lab.plane.X
    k, rng = how_many(lab, "Components k", seed=4)
    start, init = choose_start(lab, "Start", "k-means", k)
    covariance, floor = shape(lab)
    settings, query = Settings(start, covariance, TOL), picked_point(lab)
    fit = (numbered, gaussians.gaussian_mixture)
    if not isinstance(init, np.ndarray) and not same_numbers(lab):
        fit = (gaussians.gaussian_mixture,)
    run = lab.run(
        *fit, X, k, rng=rng, covariance=covariance,
        init=init, max_iter=MAX_ITER, tol=TOL, floor=floor,
    )  # fmt: skip

    def show(run: Run, data: Plane) -> Shown:
        return lab.scene(Mixture, run, data, query, settings, code=gaussians)

    def move_means(ways: Ways, step: int) -> Run:
        """Ask where the means are moved by hand; weights and covariances stay."""
        means = moved_to(ways, step, run.steps[step - 1].means)
        by_hand = partial(gaussians.by_hand, ways.plane.X, means)
        advance = partial(gaussians.advance, ways.plane.X, tol=TOL)
        return lab.run(resumed, run, step, by_hand, advance, most=2 * MAX_ITER)

    return what_if(lab, run, show, move_means, after=True, points=True)


def one_parameter(lab: Lab) -> Shown:
    """Fix all parameters but one: the log-likelihood is a curve, and the bound touches it."""
    left, right, bottom, top = lab.plane.bounds
    middle = (bottom + top) / 2
    default = np.array([[0.75 * left + 0.25 * right, middle], [(left + right) / 2, middle]])
    means = lab.places("means", "Mean 1 at the start, mean 2", default)
    width = lab.slider("width", "Width σ, of the data's spread", 0.1, 1.0, 0.5, 0.05)
    run = lab.run(climbing.one_mean, lab.plane.X, means=means, width=width)
    return lab.scene(OneMean, run, lab.plane, width, code=climbing)


def choosing_k(lab: Lab) -> Shown:
    """Fit every number of components, from several starts each."""
    X = lab.plane.X
    covariance, floor = shape(lab)
    ks = list(range(1, min(MOST, len(X) - -(-len(X) // FOLDS)) + 1))
    run = lab.run(
        choosing.mixture_choice, X, ks, rng=np.random.default_rng(0),
        covariance=covariance, floor=floor, starts=STARTS, folds=FOLDS, tol=1e-3,
    )  # fmt: skip
    return lab.scene(Choice, run, lab.plane, STARTS, FOLDS, code=choosing)


def soft_k_means(lab: Lab) -> Shown:
    """Share the points out among spherical components of equal size."""
    X = lab.plane.X
    k, rng = how_many(lab, "Components k")
    start, init = choose_start(lab, "Start", "k-means++", k)
    multiple = lab.log_slider("beta", "Stiffness β / critical β", STIFFNESSES, 3.0)
    stiffness = lab.later(soft.times_critical, X, multiple)
    run = lab.run(numbered, soft.soft_k_means, X, k, rng=rng, init=init, stiffness=stiffness)

    def show(run: Run, data: Plane) -> Shown:
        return lab.scene(SoftKMeans, run, data, start, multiple, code=soft)

    def move_centers(ways: Ways, step: int) -> Run:
        """Ask where the centres are moved by hand; the stiffness stays."""
        centers = moved_to(ways, step, run.steps[step - 1].centers)
        by_hand = partial(soft.by_hand, ways.plane.X, centers)
        advance = partial(soft.advance, ways.plane.X)
        return lab.run(resumed, run, step, by_hand, advance, most=2 * soft.MAX_ITER)

    return what_if(lab, run, show, move_centers, after=True, points=True)


def words(lab: Lab) -> Shown:
    """Sort documents by topic."""
    table = HEADLINES
    k, rng = how_many(lab, "Topics k")
    run = lab.run_apart(multinomials.multinomial_mixture, table.counts, k, rng=rng)
    return lab.scene(Documents, run, table, code=multinomials)


def place_and_class(lab: Lab) -> Shown:
    """Share the points out by their place and their class."""
    lab.labelled = True
    X, y = lab.plane.X, lab.plane.labels
    k, rng = how_many(lab, "Components k")
    start, init = choose_start(lab, "Start", "k-means", k, default="k-means")
    tied = lab.toggle(
        "tied", "One class table for all", False,
        help="All components then make the classes as probable as they are among all points.",
    )  # fmt: skip
    place = picked_place(lab, across=0.42, up=0.57)
    picked = Picked(place, picked_class(lab), start)
    run = lab.run(
        numbered, two_factors.place_and_class, X, k, y=y, rng=rng, tied=tied,
        init=init, max_iter=MAX_ITER, tol=TOL,
    )  # fmt: skip

    def show(run: Run, data: Plane) -> Shown:
        # Places only count by their covariances, so the axes fit the points and the ellipses.
        fitted = replace(data, bounds=plane.bounds(data.X, alike=False))
        fitted = plane.with_room(fitted, ROOM)
        return lab.scene(PlacesAndClasses, run, fitted, picked, TOL, code=two_factors)

    def move_means(ways: Ways, step: int) -> Run:
        """Ask where the means are moved by hand; weights, covariances and tables stay."""
        means = moved_to(ways, step, run.steps[step - 1].means)
        by_hand = partial(two_factors.by_hand, ways.plane.X, y, means)
        advance = partial(two_factors.advance, ways.plane.X, y, tol=TOL)
        return lab.run(resumed, run, step, by_hand, advance, most=2 * MAX_ITER)

    return what_if(lab, run, show, move_means, after=True, points=True)


def how_many(lab: Lab, label: str, seed: int = 1) -> tuple[int, np.random.Generator]:
    """Ask for the number of groups, and for the seed of their random start."""
    k = lab.slider("k", label, 1, 8, 3)
    seed = lab.number("seed", "Seed", 0, 9999, seed, help="Draws the start.")
    return k, np.random.default_rng(seed)


def same_numbers(lab: Lab) -> bool:
    """Ask whether components get their numbers from the points, or from the order of the draw."""
    return lab.toggle(
        "keep", "Same numbers for every seed", True,
        help="Otherwise the components are numbered in the order in which the start drew them.",
    )  # fmt: skip


def shape(lab: Lab) -> tuple[str, float]:
    """Ask for the shape of the covariances, and for the floor under their variances."""
    covariance = lab.choice("covariance", "Covariances", list(gaussians.SHAPES), "full")
    floor = lab.log_slider(
        "floor", "Floor λ, share of the variance", FLOORS, 1e-6,
        help="Of the mean variance of the two columns; added to every variance.",
    )  # fmt: skip
    return covariance, floor


def picked_point(lab: Lab) -> np.ndarray:
    """Return the point whose responsibilities are explained; by default between two clusters."""
    return picked_place(lab, across=0.72, up=0.43)


def picked_class(lab: Lab) -> int:
    """Return the class that the picked point has; by default the first."""
    names = lab.plane.classes
    present = np.unique(lab.plane.labels).tolist() or [0]
    options = [names[c] for c in present]
    name = lab.choice("picked_class", "Class of the picked point", options, options[0])
    return present[options.index(name)]


MODES = {
    "mixture": mixture,
    "one parameter": one_parameter,
    "choosing k": choosing_k,
    "soft k-means": soft_k_means,
    "words": words,
    "place and class": place_and_class,
}

if __name__ == "__main__":
    FEW = {"data": "stretched", "n": 80, "noise": 0.3, "sample": 7}  # are drawn as pies
    OTHERS = {
        "one parameter": "stretched",
        "choosing k": "stretched",
        "place and class": "penguins",
    }
    open_lab(__file__, data={"mixture": FEW, **OTHERS}).show(MODES)
