from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import Perceptron

from algorithms.classification.linear.perceptron.perceptron import perceptron
from algorithms.classification.linear.perceptron.perceptron_multiclass import perceptron_multiclass
from algorithms.core.record import last
from tests.classification.linear.perceptron.visits import check_visits
from tests.core.samples import labelled, rng
from tests.house.check_steps import AsInTheApp, check_model, check_steps, measured

preset = partial(labelled, n=60, sample=1)


def kesler(
    X: np.ndarray, codes: np.ndarray, visits: list[int], k: int
) -> list[tuple[np.ndarray, bool]]:
    """Train one long vector on samples that are written k - 1 times, as Kesler does."""
    A = np.column_stack([X, np.ones(len(X))])
    p, found = A.shape[1], []
    theta = np.zeros(k * p)
    for i in visits:
        z = {}
        for r in set(range(k)) - {int(codes[i])}:
            z[r] = np.zeros(k * p)
            z[r][codes[i] * p : (codes[i] + 1) * p] = A[i]
            z[r][r * p : (r + 1) * p] = -A[i]
        worst = min(z, key=lambda r: (round(z[r] @ theta, 9), r))
        mistake = z[worst] @ theta <= 0
        theta = theta + z[worst] * mistake
        found.append((theta.reshape(k, p), bool(mistake)))
    return found


LABELLED = st.integers(4, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2)), min_size=n, max_size=n),
        st.lists(st.integers(0, 3), min_size=n, max_size=n).filter(lambda y: len(set(y)) > 1),
    )
)


@settings(max_examples=60, deadline=None)
@given(data=LABELLED, seed=st.integers(0, 99), order=st.sampled_from(["shuffled", "cyclic"]))
def test_what_holds_for_every_run(data: tuple, seed: int, order: str) -> None:
    X, y = np.array(data[0], float), 2 * np.array(data[1]) - 3
    steps = check_steps(perceptron_multiclass(X, y, rng=rng(seed), order=order, max_epochs=12))
    classes, codes = np.unique(y, return_inverse=True)
    start, n, k = steps[0], len(X), len(classes)
    assert (start.epoch, start.index, start.rival, start.mistakes) == (0, -1, -1, 0)
    assert not start.rows.any()
    visits = [step.index for step in steps[1:]]
    for step, (rows, mistake) in zip(steps[1:], kesler(X, codes, visits, k), strict=True):
        np.testing.assert_array_equal(step.rows, rows)
        assert step.mistake == mistake
        np.testing.assert_array_equal(step.rows.sum(axis=0), 0)
    for before, step in pairwise(steps):
        assert step.mistake or step.rows is before.rows
    check_visits(steps, n, order)
    made = steps[-1].mistakes - steps[-1 - n].mistakes
    assert (steps[-1].event == "converged") == (made == 0)
    if made == 0:
        assert steps[-1].errors(X, y) == 0
        assert steps[-1].perceptron_loss(X, y) == 0


@pytest.mark.parametrize("name", ["separable", "almost separable", "moons", "gates", "outlier"])
@pytest.mark.parametrize("order", ["shuffled", "cyclic"])
def test_two_classes_are_the_perceptron(name: str, order: str) -> None:
    X, y = preset(name)
    several = list(perceptron_multiclass(X, y, rng=rng(3), order=order, max_epochs=8))
    two = list(perceptron(X, y, rng=rng(3), order=order, max_epochs=8, learning_rate=2.0))
    assert len(several) == len(two)
    for a, b in zip(several, two, strict=True):
        np.testing.assert_allclose(a.rows[1] - a.rows[0], [*b.w, b.bias], atol=1e-9)
        assert (a.index, a.mistakes, a.event, a.period) == (b.index, b.mistakes, b.event, b.period)
        np.testing.assert_array_equal(a.predict(X), b.predict(X))
    if order == "cyclic":
        theirs = Perceptron(shuffle=False, tol=None, max_iter=several[-1].epoch, eta0=2.0).fit(X, y)
        rows = several[-1].rows
        np.testing.assert_allclose(rows[1, :2] - rows[0, :2], theirs.coef_[0], atol=1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_the_mistakes_stay_below_their_bound(seed: int) -> None:
    random = rng(seed)
    k = 2 + seed % 4
    U = random.normal(size=(k, 3))
    U /= np.linalg.norm(U)
    A = np.column_stack([random.normal(size=(200, 2)), np.ones(200)])
    scores = A @ U.T
    y = scores.argmax(axis=1)
    ordered = np.sort(scores, axis=1)
    lead = ordered[:, -1] - ordered[:, -2]
    kept = lead > 0.05
    X, y, gamma = A[kept, :2], y[kept], lead[kept].min()
    assert len(np.unique(y)) > 1
    end = last(perceptron_multiclass(X, y, rng=rng(seed), max_epochs=500))
    R = np.linalg.norm(A[kept], axis=1).max()
    assert end.event == "converged"
    assert 0 < end.mistakes <= 2 * (R / gamma) ** 2
    assert end.errors(X, y) == 0


def test_a_cycle_is_found() -> None:
    """XOR, and a third class far away."""
    X = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1], [-6, -6]])
    steps = list(
        perceptron_multiclass(X, np.array([0, 1, 1, 0, 2]), rng=rng(), order="cyclic",
                              max_epochs=400)
    )  # fmt: skip
    end = steps[-1]
    assert end.event == "cycle"
    then = [step for step in steps if step.epoch <= end.epoch - end.period][-1]
    np.testing.assert_allclose(end.rows, then.rows, atol=1e-12)


def test_the_loss_is_what_it_says() -> None:
    X, y = preset("row", noise=0.8)
    for step in list(perceptron_multiclass(X, y, rng=rng(), max_epochs=3))[::23]:
        scores = X @ step.weights.T + step.biases
        np.testing.assert_allclose(step.scores(X), scores)
        lead = [max(np.delete(s, k)) - s[k] for s, k in zip(scores, y, strict=True)]
        assert step.perceptron_loss(X, y) == pytest.approx(np.maximum(0, lead).mean())
        assert step.errors(X, y) == (scores.argmax(axis=1) != y).sum()
        check_model(step, X)


@pytest.mark.thorough
def test_many_visits_stay_small() -> None:
    """Ten thousand visits take 5 MB, so the fifty thousand of the app take at most 25 MB."""
    X, y = preset("iris", n=150)
    with AsInTheApp():
        steps, size = measured(lambda: list(perceptron_multiclass(X, y, rng=rng(), max_epochs=67)))
    assert len(steps) == 10_051
    assert size < 5e6


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"y": np.ones(4, int)}, "y must name at least two classes, got only class 1"),
        ({"max_epochs": 0}, "max_epochs must be at least 1, got max_epochs=0"),
        ({"order": "random"}, "order must be one of 'shuffled', 'cyclic', got order='random'"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    given = {"X": np.eye(4), "y": np.arange(4), "rng": rng()}
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        perceptron_multiclass(**given | changes)
    assert str(caught.value) == sentence
