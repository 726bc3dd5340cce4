import numpy as np
import pytest

from algorithms.ensembles.ada_boost.stumps import joined, simulated_stumps, stumps, take
from tests.ensembles.ada_boost.stumps_at_random import all_of, at_random
from tests.house.check_steps import same

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2))
Y = np.where(X[:, 0] * X[:, 1] > 0.1, 7, 3)


def test_a_stump_predicts_its_side_above_the_threshold_and_the_other_class_elsewhere() -> None:
    one = stumps(np.array([1, 0]), np.array([0.5, 0.5]), np.array([1, -1]))
    said = one.predict(np.array([[0.0, 0.6], [0.6, 0.5], [0.5, 0.4]]))
    assert said.tolist() == [[1, -1, -1], [1, -1, 1]]


def test_the_surface_is_the_sum_of_the_votes_in_every_cell() -> None:
    for _ in range(20):
        each = at_random(X, int(RNG.integers(1, 40)), RNG)
        alphas = RNG.normal(size=len(each))
        x, y = np.linspace(-3, 3, 37), np.linspace(-2, 2, 23)
        cells = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        by_hand = sum(alphas[j] * each.predict(cells)[j] for j in range(len(each)))
        np.testing.assert_allclose(
            each.surface(alphas, x, y), np.reshape(by_hand, (23, 37)), atol=1e-12
        )


def test_a_simulated_voter_places_the_best_stump_for_some_points_of_each_class() -> None:
    """One who sees all points is as good as the best of all stumps on its feature."""
    seen_all = simulated_stumps(X, Y, count=12, sees=60, rng=np.random.default_rng(1))
    every, signs = all_of(X), np.where(Y == 7, 1, -1)
    wrong = np.count_nonzero(every.predict(X) != signs, axis=1)
    own = np.count_nonzero(seen_all.predict(X) != signs, axis=1)
    for feature, errors in zip(seen_all.feature, own, strict=True):
        assert errors == wrong[every.feature == feature].min()
    assert set(seen_all.feature) == {0, 1}
    # One who sees a point of each class cuts between these two.
    for each in range(40):
        few = simulated_stumps(X, Y, count=1, sees=1, rng=np.random.default_rng(each))
        values = X[:, few.feature[0]]
        gaps = np.abs((values[signs == 1, None] + values[signs == -1]) / 2 - few.threshold[0])
        plus, minus = np.unravel_index(gaps.argmin(), gaps.shape)
        assert gaps.min() < 1e-12
        assert (values[signs == 1][plus] > values[signs == -1][minus]) == (few.side[0] == 1)


def test_voters_who_see_few_points_differ_and_are_worse_on_average() -> None:
    signs = np.where(Y == 7, 1, -1)
    means = [
        np.count_nonzero(
            simulated_stumps(X, Y, count=200, sees=sees, rng=np.random.default_rng(2)).predict(X)
            != signs
        )
        / 200
        for sees in (1, 5, 30)
    ]
    assert means[0] > means[1] > means[2]


def test_the_given_stumps_come_first() -> None:
    given = at_random(X, 3, RNG)
    both = take(X, Y, given, count=4, sees=2, rng=np.random.default_rng(3))
    assert len(both) == 7
    assert same(both, joined(given, stumps(*(v[3:] for v in vars(both).values()))))
    none = take(X, Y, given, count=0, sees=2, rng=np.random.default_rng(3))
    assert same(none, given)


def test_one_value_is_cut_at_it() -> None:
    same_place = np.ones((6, 2))
    found = simulated_stumps(
        same_place, np.array([0, 1] * 3), count=3, sees=2, rng=np.random.default_rng(0)
    )
    assert (found.threshold == 1).all()


@pytest.mark.parametrize(
    ("changed", "named"),
    [({"count": -1}, "count"), ({"sees": 0}, "sees"), ({"y": Y * 0}, "y"),
     ({"X": X * np.nan}, "X")],
)  # fmt: skip
def test_bad_arguments_are_named(changed: dict, named: str) -> None:
    given = {"X": X, "y": Y, "count": 1, "sees": 1} | changed
    with pytest.raises(ValueError, match=rf"\b{named} must\b"):
        simulated_stumps(**given, rng=RNG)
