"""The variance of a forest's vote, and its two parts, measured on halves of the points."""

import numpy as np
import pytest

from algorithms.classification.decision_tree.random_tree import random_tree
from algorithms.ensembles import vote_variance as algorithm
from algorithms.ensembles.vote_variance import by_features, vote_variance
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.figures import unpacked
from tests.core.samples import labelled, rng
from tests.house.checked import Checked
from viz.ensembles.random_forest import variance

FOREST = next(lab for lab in LABS if lab.name == "random_forest")
PLACES = np.array([[-1.0, 0.5], [0.0, 0.0], [0.5, -0.5], [1.5, 0.0]])
ADDED_UP = Checked(
    "random_forest",
    "The variance of the vote over halves, added up forest by forest",
    12,
    "runs",
    within=1e-12,
)
KNOWN = Checked(
    "random_forest",
    "The same for trees whose ρ and σ² are known",
    4,
    "pairs of ρ and σ²",
    within=1e-2,
)

PARTS = [(0, 0.3), (0.3, 0.3), (0.7, 0.5), (1, 0.4)][: KNOWN.cases]


def moons(n: int = 60, sample: int = 0) -> tuple[np.ndarray, np.ndarray]:
    return labelled("moons", n, sample=sample, noise=0.3)


def test_the_variances_are_those_added_up_forest_by_forest() -> None:
    trees, splits = 4, 3
    for sample in range(ADDED_UP.cases):
        X, y = moons(sample=sample)
        found = vote_variance(X, y, PLACES, n_trees=trees, n_splits=splits, rng=rng(sample))
        stream = rng(sample)
        stream.permutation(len(X))  # which points are halved: all, in their order
        apart, own = np.zeros(trees), []
        for _ in range(splits):
            shares = []
            for half in np.array_split(stream.permutation(len(X)), 2):
                bags = half[stream.integers(len(half), size=(trees, len(half)))]
                grown = [
                    random_tree(
                        X[bag], y[bag], np.unique(y), max_features=1, max_depth=20, rng=stream
                    )
                    for bag in bags
                ]
                shares.append([tree.predict_proba(PLACES) for tree in grown])
            for b in range(1, trees + 1):
                first, second = (sum(forest[:b]) / b for forest in shares)
                apart[b - 1] += np.mean((first - second) ** 2) / 2 / splits
            own += [np.var(forest, axis=0, ddof=1).mean() for forest in shares]
        assert found.measured == pytest.approx(apart, abs=ADDED_UP.within)
        assert found.own == pytest.approx(np.mean(own), abs=ADDED_UP.within)
        assert found.of(np.array([trees]))[0] == pytest.approx(apart[-1], abs=ADDED_UP.within)
        assert found.correlation * found.variance == pytest.approx(found.common)


@pytest.mark.parametrize(("correlation", "spread"), PARTS)
def test_known_parts_are_found(
    monkeypatch: pytest.MonkeyPatch, correlation: float, spread: float
) -> None:
    chance = rng(5)

    class Tree:
        """A tree whose shares have this spread, of which the trees of a forest share a part."""

        def __init__(self, common: np.ndarray) -> None:
            own = chance.normal(size=common.shape)
            part = np.sqrt(correlation) * common + np.sqrt(1 - correlation) * own
            self.shares = spread * part

        def predict_proba(self, _: np.ndarray) -> np.ndarray:
            return self.shares

    common: dict[int, np.ndarray] = {}

    def grow(X: np.ndarray, *_: object, **__: object) -> Tree:
        """A forest on the same half has the same common part: its points know which half it is."""
        half = len(grown) // 6
        grown.append(X)
        return Tree(common.setdefault(half, chance.normal(size=(len(PLACES), 2))))

    grown: list[np.ndarray] = []
    monkeypatch.setattr(algorithm, "random_tree", grow)
    found = vote_variance(*moons(), PLACES, n_trees=6, n_splits=2000, rng=rng(1))
    assert found.own == pytest.approx((1 - correlation) * spread**2, abs=KNOWN.within)
    assert found.common == pytest.approx(correlation * spread**2, abs=KNOWN.within)
    expected = found.of(np.arange(1.0, 7))
    assert found.measured == pytest.approx(expected, abs=KNOWN.within)


@pytest.mark.thorough
def test_what_the_lesson_says_of_samples_that_nobody_has_looked_at() -> None:
    """The formula fits at every number of trees, and trees that try one feature are less alike."""
    less_alike = 0
    b = np.arange(1.0, algorithm.TREES + 1)
    for sample in range(100, 110):
        X, y = moons(200, sample)
        one, both = by_features(X, y, PLACES, max_depth=20, rng=rng(sample))
        for each in (one, both):
            assert np.abs(each.measured - each.of(b)).max() < 0.35 * each.variance + 0.01
        less_alike += one.correlation < both.correlation
    assert less_alike >= 8


def test_many_points_are_thinned_and_bad_input_is_named(as_in_the_app: None) -> None:
    X, y = moons(300)
    few = vote_variance(X, y, PLACES, n_trees=2, n_splits=1, most=20, rng=rng(0))
    assert len(few.measured) == 2
    with pytest.raises(ValueError, match="n_trees"):
        vote_variance(X, y, PLACES, n_trees=1, rng=rng(0))
    with pytest.raises(ValueError, match="max_features"):
        vote_variance(X, y, PLACES, max_features=3, rng=rng(0))
    with pytest.raises(ValueError, match="y must"):
        vote_variance(X, np.zeros(300, int), PLACES, rng=rng(0))


@pytest.mark.thorough
def test_dots_are_measured_and_lines_are_the_formula() -> None:
    X, y = moons(100)
    found = by_features(X, y, PLACES, max_depth=20, rng=rng(0))
    figure = variance.against_trees(found, 2, 30, 4)
    dots, line, floor = (figure["data"][i] for i in (3, 4, 5))
    assert unpacked(dots["y"]) == pytest.approx(found[1].measured, rel=1e-5)
    trees = unpacked(line["x"])
    assert (trees[0], trees[-1]) == (1, 30)
    assert unpacked(line["y"]) == pytest.approx(found[1].of(trees), rel=1e-5)
    assert unpacked(floor["y"]) == pytest.approx([found[1].common] * 2, rel=1e-5)
    here = figure["data"][-1]
    assert here["x"] == [5] and here["y"] == pytest.approx([found[1].of(np.array([5.0]))[0]])


def test_the_view_is_shown_on_demand(session: Session) -> None:
    session.open(FOREST, n="60", trees="5", variance="True")
    assert any("ρσ²" in view["title"] for view in session.opening["views"])
    session.check_shown()
    session.open(FOREST, n="60", trees="5", variance="False")
    assert not any("ρσ²" in view["title"] for view in session.opening["views"])
