from dataclasses import replace
from functools import partial
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy import ndarray
from scipy.stats import multivariate_normal

from algorithms.clustering.gaussian_mixture.gaussian_mixture import (
    Event,
    gaussian_mixture,
    largest_fall,
)
from algorithms.clustering.gaussian_mixture.place_and_class import (
    PlaceAndClassStep,
    advance,
    by_hand,
    maximization,
    place_and_class,
)
from algorithms.core.iterate import resumed
from tests.core.figures import unpacked
from tests.core.samples import board_of, dataset, labelled, rng
from tests.core.test_soft_groups import in_parts
from tests.core.told import numbers
from tests.house.check_steps import AsInTheApp, check_steps, event_names, same
from tests.house.checked import Checked
from viz.clustering.gaussian_mixture.place_and_class import Picked, PlacesAndClasses
from viz.core.scene import Run
from viz.core.theme import RGB, SYMBOLS, rgb

NAMES = ("parallel", "penguins", "iris", "moons", "xor", "unequal", "row", "spiral")
STARTS = ("k-means", "random")


def run(X: ndarray, k: int, y: ndarray, **how: object) -> list[PlaceAndClassStep]:
    return check_steps(place_and_class(X, k, y, **{"rng": rng()} | how))


def standard(name: str, sample: int) -> tuple[ndarray, ndarray]:
    """Draw a preset in units of its columns' spreads, so that differences have a size."""
    X, y = labelled(name, 100, sample=sample)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def joint(X: ndarray, codes: ndarray, pi: ndarray, mu: ndarray, S: ndarray, delta: ndarray):
    """Return ln( pi_k N(x_i; mu_k, Sigma_k) delta_k,y_i ), component by component."""
    columns = [
        np.log(pi[j]) + multivariate_normal(mu[j], S[j]).logpdf(X) + np.log(delta[j][codes])
        for j in range(len(pi))
    ]
    return np.stack(columns, axis=1)


def by_scipy(X: ndarray, codes: ndarray, first: PlaceAndClassStep, pairs: int):
    """Run EM from the parameters of a first step; yield l and the parameters after every pair."""
    pi, mu, S, delta = first.weights, first.means, first.covariances, first.tables
    floor = 1e-6 * X.var(axis=0).mean() * np.eye(X.shape[1])
    for _ in range(pairs):
        with np.errstate(divide="ignore"):  # ln 0 of a class that is ruled out
            s = joint(X, codes, pi, mu, S, delta)
        ln_p = np.logaddexp.reduce(s, axis=1)
        r = np.exp(s - ln_p[:, None])
        pi, k = r.mean(axis=0), r.shape[1]
        mu = np.array([np.average(X, axis=0, weights=r[:, j]) for j in range(k)])
        S = np.array([np.cov(X.T, aweights=r[:, j], ddof=0) + floor for j in range(k)])
        delta = np.array([np.bincount(codes, r[:, j]) / r[:, j].sum() for j in range(k)])
        yield ln_p.sum(), r, pi, mu, S, delta


BY_SCIPY = Checked(
    "gaussian_mixture",
    "Place and class: EM written again with SciPy's densities, shares and parameters at each step",
    48,
    "runs",
    within=1e-9,
)
assert BY_SCIPY.cases == len(NAMES) * len(STARTS) * 3


@pytest.mark.parametrize("init", STARTS)
@pytest.mark.parametrize("name", NAMES)
def test_agrees_with_an_em_that_is_written_again(name: str, init: str) -> None:
    for sample in range(3):
        X, y = standard(name, 700 + sample)
        steps = run(X, 3, y, init=init, rng=rng(sample), max_iter=10)
        codes = np.unique(y, return_inverse=True)[1]
        theirs = list(by_scipy(X, codes, steps[0], len(steps) // 2))
        assert len(theirs) >= 2
        for now, (likelihood, r, pi, mu, S, delta) in enumerate(theirs):
            ours = steps[2 * now]
            assert abs(ours.log_likelihood - likelihood) <= BY_SCIPY.within * len(X)
            pairs = [(ours.responsibilities, r), (ours.from_both(X, y), r)]
            ours = steps[2 * now + 1]
            pairs += [(ours.weights, pi), (ours.means, mu)]
            pairs += [(ours.covariances, S), (ours.tables, delta)]
            for mine, other in pairs:
                np.testing.assert_allclose(mine, other, rtol=0, atol=BY_SCIPY.within)


NEVER_FALLS = Checked(
    "gaussian_mixture",
    "Place and class: the log-likelihood never falls by more than the floor allows (relative)",
    80,
    "random data sets",
    within=1e-9,
)


@settings(max_examples=NEVER_FALLS.cases, deadline=None)
@given(
    X=arrays(float, st.tuples(st.integers(1, 25), st.integers(1, 3)), elements=st.floats(-9, 9)),
    k=st.integers(1, 6),
    classes=st.integers(1, 5),
    seed=st.integers(0, 99),
    init=st.sampled_from(STARTS),
    tied=st.booleans(),
)
def test_what_holds_for_every_run(
    X: ndarray, k: int, classes: int, seed: int, init: str, tied: bool
) -> None:
    k, y = min(k, len(X)), rng(seed).integers(classes, size=len(X))
    steps = run(X, k, y, rng=rng(seed), init=init, tied=tied, max_iter=30)
    assert [step.phase for step in steps] == (["expectation", "maximization"] * 31)[: len(steps)]
    Y = (y[:, None] == np.unique(y)).astype(float)
    for step in steps:
        np.testing.assert_allclose(step.tables.sum(axis=1), 1, rtol=1e-12)
        np.testing.assert_allclose(step.responsibilities.sum(axis=1), 1, rtol=1e-12)
        assert (step.tables >= 0).all()
        assert step.gap >= -NEVER_FALLS.within * (1 + abs(step.log_likelihood))
        assert not tied or np.allclose(step.tables, Y.mean(axis=0), rtol=1e-12)
    for before, after in pairwise(steps):
        rounding = NEVER_FALLS.within * (1 + abs(before.log_likelihood))
        if after.phase == "expectation":
            assert after.log_likelihood == before.log_likelihood and after.gap == 0
            assert after.tables is before.tables
        else:
            fall = before.log_likelihood - after.log_likelihood
            assert fall <= largest_fall(before, after) + rounding
            if not tied:
                q = after.responsibilities
                held = q.sum(axis=0) > 1e-300
                shares = (q.T @ Y)[held] / q.sum(axis=0)[held, None]
                np.testing.assert_allclose(after.tables[held], shares, rtol=1e-9, atol=1e-300)


def everything(step: PlaceAndClassStep, X: ndarray, codes: ndarray) -> tuple[ndarray, ndarray]:
    """Return all k^n ways to give the points components, and their joint probabilities."""
    p = np.exp(joint(X, codes, step.weights, step.means, step.covariances, step.tables))
    ways = np.array(list(product(range(p.shape[1]), repeat=len(X))))
    return ways, p[np.arange(len(X)), ways].prod(axis=1)


BRUTE_FORCE = Checked(
    "gaussian_mixture",
    "Place and class: sums over all $k^n$ ways to give 6 points their components",
    12,
    "half-steps",
    within=1e-9,
)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_against_all_ways_to_give_the_points_components(k: int, seed: int) -> None:
    chance = rng(40 + seed)
    X, y = chance.normal(size=(6, 2)), np.array([0, 0, 1, 1, 2, 2])
    steps = run(X, k, y, init="random", rng=chance, max_iter=2)
    assert BRUTE_FORCE.cases == 2 * 3 * 2
    for before, after in ((steps[0], steps[1]), (steps[2], steps[3])):
        ways, p = everything(before, X, y)
        close = partial(np.testing.assert_allclose, rtol=0, atol=BRUTE_FORCE.within)
        close(before.log_likelihood, np.log(p.sum()))
        chances = p / p.sum()  # of every way, given places and classes
        here = ways[:, :, None] == np.arange(k)  # (ways, points, components)
        close(before.responsibilities, np.tensordot(chances, here, 1))
        # The table is the expected number of points of a class in a component, over its points.
        counts = np.array([[[(way[y == c] == j).sum() for c in range(3)] for j in range(k)]
                           for way in ways])  # fmt: skip
        expected = np.tensordot(chances, counts, 1)
        close(after.tables, expected / expected.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("seed", range(20))
def test_no_other_table_has_a_higher_bound(seed: int) -> None:
    chance = rng(seed)
    X, y = chance.normal(size=(30, 2)), chance.integers(3, size=30)
    step = run(X, 2, y, rng=chance, max_iter=1)[1]
    Y, q = (y[:, None] == np.arange(3)).astype(float), step.responsibilities
    best = (q * (Y @ np.log(step.tables).T)).sum()
    for other in chance.dirichlet(np.ones(3), size=(200, 2)):
        assert (q * (Y @ np.log(other).T)).sum() < best


@pytest.mark.parametrize("init", STARTS)
@pytest.mark.parametrize("name", NAMES)
def test_with_tied_tables_it_is_the_mixture_of_the_places(name: str, init: str) -> None:
    X, y = standard(name, 31)
    theirs = list(gaussian_mixture(X, 3, rng=rng(4), init=init, max_iter=40))
    ours = run(X, 3, y, tied=True, init=init, rng=rng(4), max_iter=40)
    counts = np.bincount(y)
    counts = counts[counts > 0]
    constant = (counts * np.log(counts / len(y))).sum()
    assert len(ours) == len(theirs)
    for mine, other in zip(ours, theirs, strict=True):
        near = {"rtol": 0, "atol": 1e-9}
        np.testing.assert_allclose(mine.responsibilities, other.responsibilities, **near)
        np.testing.assert_allclose(mine.means, other.means, **near)
        np.testing.assert_allclose(mine.covariances, other.covariances, **near)
        np.testing.assert_allclose(mine.log_likelihood, other.log_likelihood + constant, rtol=1e-9)
        assert (mine.phase, mine.event) == (other.phase, other.event)


def test_one_class_says_nothing() -> None:
    X, _ = standard("unequal", 5)
    theirs = list(gaussian_mixture(X, 3, rng=rng(), max_iter=20))
    ours = run(X, 3, np.full(len(X), 7), max_iter=20)
    assert [step.log_likelihood for step in ours] == [step.log_likelihood for step in theirs]
    assert ours[-1].categories.tolist() == [7] and (ours[-1].tables == 1).all()


SPREAD = np.random.default_rng(8).normal(size=(40, 2))
KINDS = np.arange(40) % 3
HOSTILE = {
    "one point": (SPREAD[:1], 1, KINDS[:1]),
    "k = n": (SPREAD[:9], 9, KINDS[:9]),
    "a class for every point": (SPREAD, 3, np.arange(40)),
    "a class with one point": (SPREAD, 3, (np.arange(40) == 17).astype(int)),
    "negative and far numbers": (SPREAD, 3, np.array([-(10**9), 5, 10**9])[KINDS]),
    "all in one place": (np.full((40, 2), 0.1), 3, KINDS),
    "one column constant": (SPREAD * [1, 0] + 3, 3, KINDS),
    "on a line": (np.outer(np.arange(40.0), [1, 2]), 3, KINDS),
    "two places, each with both classes": (SPREAD[[0, 1]][KINDS % 2], 2, np.arange(40) // 20),
    "huge": (SPREAD * 1e98, 3, KINDS),
    "vanishing": (SPREAD * 1e-300, 3, KINDS),
    "far away": (SPREAD + 1e15, 3, KINDS),
    "an outlier alone in its class": (np.vstack([SPREAD, [1e9, 0]]), 3, np.append(KINDS, 9)),
}


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("init", STARTS)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_data(name: str, init: str, tied: bool) -> None:
    X, k, y = HOSTILE[name]
    for step in run(X, k, y, init=init, tied=tied, max_iter=20):
        np.testing.assert_allclose(step.tables.sum(axis=1), 1, rtol=1e-12)
        for shares in (step.from_class(y), step.from_both(X, y), step.predict_proba(X)):
            np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=1e-12)


def test_a_class_with_one_point_can_have_a_component_and_the_floor_holds_it() -> None:
    X, y = np.vstack([SPREAD, [9.0, 9.0]]), np.append(np.zeros(40, int), 1)
    step = run(X, 2, y, init=np.array([[0.0, 0.0], [9.0, 9.0]]))[-1]
    np.testing.assert_allclose(step.tables, np.eye(2), atol=1e-12)
    np.testing.assert_allclose(step.covariances[1], step.floor * np.eye(2), atol=1e-12)
    assert step.collapsed.tolist() == [False, True]


def test_a_component_rules_a_class_out_wherever_the_point_is() -> None:
    step = run(SPREAD, 2, KINDS % 2, max_iter=1)[-1]
    known = np.array([[1.0, 0.0], [0.5, 0.5]])
    ruled = PlaceAndClassStep(**vars(step) | {"tables": known})
    far = ruled.means[:1] * [1, 1] + np.array([[0.0, 0.0], [300.0, 0.0]])
    np.testing.assert_array_equal(ruled.from_both(far, np.array([1, 1])), [[0, 1], [0, 1]])
    assert ruled.predict_proba(far)[0, 0] > 0.01, "the place alone would not"


def test_the_start_takes_half_of_a_table_from_the_class_of_a_point_and_half_from_all() -> None:
    every = np.bincount(KINDS) / 40
    chosen = SPREAD[[4, 11]]
    step = run(SPREAD, 2, KINDS, init=chosen)[0]
    np.testing.assert_allclose(step.tables, (np.eye(3)[KINDS[[4, 11]]] + every) / 2, rtol=1e-12)
    step = run(SPREAD, 2, KINDS, init=chosen, tied=True)[0]
    np.testing.assert_allclose(step.tables, [every, every], rtol=1e-12)
    own = maximization(np.eye(3)[KINDS], np.array([[1.0] * 40, [0.0] * 40]), np.ones((2, 3)) / 3)
    np.testing.assert_allclose(own, [every, [1 / 3] * 3], rtol=1e-12)


@pytest.mark.parametrize("at", [1, 2, 5])
def test_it_goes_on_from_means_given_by_hand(at: int) -> None:
    X, y = standard("penguins", 3)
    was = run(X, 3, y, init="random")
    steps = check_steps(
        resumed(was, at, partial(by_hand, X, y, X[:3]), partial(advance, X, y), most=99)
    )
    assert all(a is b for a, b in zip(was[:at], steps[:at], strict=True))
    there = steps[at]
    assert there.event == "moved by hand" and there.phase == "expectation"
    np.testing.assert_array_equal(there.means, X[:3])
    s = joint(X, y, there.weights, there.means, there.covariances, was[at - 1].tables)
    np.testing.assert_allclose(there.log_likelihood, np.logaddexp.reduce(s, axis=1).sum())
    assert steps[-1].event == "converged"


def test_other_numbers_of_the_components_are_the_same_mixture() -> None:
    X, y = standard("xor", 2)
    step = run(X, 3, y)[-1]
    named = step.renumbered(np.array([2, 0, 1]))
    np.testing.assert_array_equal(named.tables, step.tables[[2, 0, 1]])
    np.testing.assert_allclose(named.from_both(X, y), step.from_both(X, y)[:, [2, 0, 1]])
    assert same(named.renumbered(np.array([1, 2, 0])), step)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"k": 8}, "k must be between 1 and n=5, got k=8"),
        ({"y": [1, 2]}, "y must have shape (n,) = (5,) like X, got shape (2,)"),
        ({"y": [0.5] * 5}, "y must hold integers, got an array of float64"),
        ({"init": "best"}, "init must be one of 'k-means', 'random', got init='best'"),
        ({"tol": -1}, "tol must be a number from 0 to 1e+100, got tol=-1"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    given = {"X": np.arange(10.0).reshape(5, 2), "k": 2, "y": [0, 0, 1, 1, 1], "rng": rng()}
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        place_and_class(**given | changes)
    assert str(caught.value) == sentence


def test_more_than_fifty_classes_are_refused() -> None:
    X = np.random.default_rng(0).normal(size=(60, 2))
    with pytest.raises(ValueError, match="y must name at most 50 classes, got 60"):
        place_and_class(X, 2, np.arange(60), rng=rng())


# What the mode "place and class" shows

POINTS = dataset("penguins")
QUERY = Picked(np.array([47.0, 17.0]), 1, "k-means")
STEPS = list(place_and_class(POINTS.X, 3, POINTS.labels, rng=rng(1), tol=1e-5))


def mode(steps: list[PlaceAndClassStep], picked: Picked = QUERY) -> PlacesAndClasses:
    return PlacesAndClasses(Run("", steps), board_of(POINTS), picked, 1e-5)


MODE = mode(STEPS)


def factors(step: PlaceAndClassStep, x: ndarray, label: int) -> ndarray:
    """Return pi, N and delta of every component, by SciPy. (k, 3)"""
    N = [multivariate_normal(*pair).pdf(x) for pair in zip(step.means, step.covariances,
                                                           strict=True)]  # fmt: skip
    return np.column_stack([step.weights, N, step.tables[:, label]])


@pytest.mark.parametrize("now", [0, 1, len(STEPS) - 1])
def test_shape_is_the_class_and_colour_the_shares(now: int) -> None:
    points = MODE.picture(now)["points"]
    group = unpacked(points["group"])
    assert group.dtype == np.uint8, "a byte for a point"
    shapes = np.array(points["symbols"])[group]
    np.testing.assert_array_equal(shapes, np.array(SYMBOLS)[POINTS.labels])
    fills = np.array([rgb(fill) for fill in np.array(points["fills"])[group]])
    shares = in_parts(STEPS[now].responsibilities, 11)
    white = 0.6 * 1.5 * (1 - shares.max(axis=1, keepdims=True))
    blend = (1 - white) * (shares @ np.array(RGB[:3])) + white * 255
    assert np.abs(fills - blend).max() <= 0.5 + 1e-9, "in steps of eleven"


@pytest.mark.parametrize("now", [0, 3, len(STEPS) - 1])
def test_the_bars_are_the_tables_and_the_shares_of_all_points(now: int) -> None:
    *components, every, shapes = MODE.tables(now)["data"]
    for bars, table in zip(components, STEPS[now].tables, strict=True):
        np.testing.assert_allclose(bars["y"], table, atol=1e-4)
    if STEPS[now].phase == "maximization":  # at the start, half of a table is everybody's
        np.testing.assert_allclose(every["y"], np.bincount(POINTS.labels) / 342, atol=1e-4)
    assert shapes["marker"]["symbol"] == list(SYMBOLS[:3])


@pytest.mark.parametrize("now", [0, 3, len(STEPS) - 1])
def test_the_picked_point_by_its_place_its_class_and_both(now: int) -> None:
    pi, N, delta = factors(STEPS[now], QUERY.at, 1).T
    shown = np.array([bars["x"] for bars in MODE.factors(now)["data"]])
    wanted = np.column_stack([pi * N * delta, pi * delta, pi * N])
    np.testing.assert_allclose(shown, wanted / wanted.sum(axis=0), atol=1e-4)
    assert MODE.factors(now)["data"][0]["y"] == ["both", "class", "place"]
    j = int(shown[:, 0].argmax())
    told = numbers(MODE.caption(now).split("\n")[2])
    expected = [j + 1, *(wanted / wanted.sum(axis=0))[j, ::-1]]
    np.testing.assert_allclose(told, expected, rtol=6e-3)


def test_the_caption_of_an_expectation_recomputed() -> None:
    now = 4
    step, before = STEPS[now], STEPS[now - 1]
    first, second, _ = MODE.caption(now).split("\n")
    assert numbers(first) == [(step.responsibilities.max(axis=1) < 0.9).sum(), 342, 0.9]
    np.testing.assert_allclose(numbers(second), [step.log_likelihood, before.gap], rtol=6e-3)


@pytest.mark.parametrize("tied", [False, True])
def test_the_caption_of_a_maximization_recomputed(tied: bool) -> None:
    steps = list(place_and_class(POINTS.X, 3, POINTS.labels, rng=rng(2), tied=tied))
    step, before = steps[3], steps[2]
    first, second, _ = mode(steps).caption(3).split("\n")
    rise = step.log_likelihood - before.log_likelihood
    np.testing.assert_allclose(numbers(first), [rise, step.log_likelihood], rtol=6e-3)
    q = step.responsibilities
    j = int(np.hypot(*(step.means - before.means).T).argmax())
    (c,) = (c for c, name in enumerate(POINTS.classes) if f"“{name}”" in second)
    own = q[POINTS.labels == c]
    count, size = (own.sum(), 342) if tied else (own[:, j].sum(), q[:, j].sum())
    mean = q[:, j] @ POINTS.X / q[:, j].sum()
    expected = [j + 1, *mean, count, size, count / size]
    np.testing.assert_allclose(numbers(second), expected, rtol=6e-3)


@pytest.mark.parametrize("event", event_names(Event))
def test_every_event_has_its_words(event: str) -> None:
    step = replace(STEPS[3], event=event, collapsed=np.array([False, True, False]))
    assert mode([*STEPS[:3], step]).caption(3) != MODE.caption(3)


def test_classes_without_points_have_no_column() -> None:
    kept = POINTS.labels != 1
    X, y = POINTS.X[kept], POINTS.labels[kept]
    steps = list(place_and_class(X, 2, y, rng=rng()))
    data = replace(board_of(POINTS), X=X, labels=y)
    shown = PlacesAndClasses(Run("", steps), data, Picked(QUERY.at, 2, "k-means"), 1e-5)
    assert shown.tables(0)["layout"]["xaxis"]["ticktext"] == ["Adelie", "Gentoo"]
    assert "“Gentoo”" in shown.caption(len(steps) - 1).split("\n")[2]
