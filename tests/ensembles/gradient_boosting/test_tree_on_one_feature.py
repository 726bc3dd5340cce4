import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeRegressor

from algorithms.ensembles.tree_on_one_feature import StepFunction, grow


@given(seed=st.integers(0, 1000), n=st.integers(1, 40), depth=st.integers(1, 5))
def test_a_tree_is_scikit_learns(seed: int, n: int, depth: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 25, n).astype(float)  # some coincide
    r = rng.normal(size=n)
    cuts, leaves = grow(x, r, depth)
    f = StepFunction(cuts, np.array([r[members].mean() for members in leaves]))
    theirs = DecisionTreeRegressor(max_depth=depth).fit(x[:, None], r)
    everywhere = np.linspace(-1, 26, 200)
    np.testing.assert_allclose(f(everywhere), theirs.predict(everywhere[:, None]), atol=1e-12)
    assert sorted(np.concatenate(leaves).tolist()) == list(range(n))
    for members, value in zip(leaves, f.values, strict=True):
        assert (f(x[members]) == value).all()


def test_a_cut_is_half_way_and_of_equals_the_lower_one() -> None:
    x, r = np.array([0.0, 1.0, 3.0, 7.0]), np.array([1.0, 0.0, 0.0, 1.0])
    assert grow(x, r, 1).cuts.tolist() == [0.5]
    assert grow(x, r, 2).cuts.tolist() == [0.5, 5.0]
    assert grow(x, r, 9).cuts.tolist() == [0.5, 5.0]  # the two in the middle are equal
    beside = np.nextafter(1.0, 2.0)
    assert grow(np.array([1.0, beside]), np.array([0.0, 1.0]), 1).cuts.tolist() == [1.0]


@given(seed=st.integers(0, 1000), share=st.sampled_from([1.0, 0.1, -2.0]))
def test_step_functions_add_up(seed: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(0, 6, 2)
    f, g = (
        StepFunction(
            np.sort(rng.choice(10, k, replace=False)).astype(float), rng.normal(size=k + 1)
        )
        for k in sizes
    )
    x = np.concatenate([np.arange(-1.0, 11.0), rng.uniform(-1, 11, 20)])
    both = f.plus(g, share)
    np.testing.assert_array_equal(both(x), f(x) + share * g(x))
    assert set(both.cuts) == {*f.cuts, *g.cuts} and len(both.values) == len(both.cuts) + 1


def test_a_cut_belongs_to_the_part_on_its_left() -> None:
    f = StepFunction(np.array([0.0]), np.array([-1.0, 1.0]))
    assert f(np.array([-1.0, 0.0, 1e-9])).tolist() == [-1.0, -1.0, 1.0]
    with pytest.raises(ValueError, match="read-only"):
        f.values[0] = 2
