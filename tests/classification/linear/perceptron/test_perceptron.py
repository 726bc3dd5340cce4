from collections.abc import Callable
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import Perceptron, SGDClassifier

from algorithms.classification.linear.perceptron.delta_rule import delta_rule
from algorithms.classification.linear.perceptron.perceptron import (
    VARIANTS,
    PerceptronStep,
    advance,
    elsewhere,
    flipped,
    perceptron,
)
from algorithms.classification.linear.perceptron.samples import mapped_samples
from algorithms.core.features import polynomial_features
from algorithms.core.iterate import moved, resumed
from algorithms.core.record import last
from tests.classification.linear.perceptron.visits import check_visits
from tests.core.samples import labelled, rng
from tests.house.check_steps import AsInTheApp, check_model, check_steps, measured, same
from tests.house.checked import Checked

preset = partial(labelled, n=60, sample=1)


PRESETS = ["separable", "almost separable", "moons", "circles", "xor", "outlier", "gates"]
AND = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 0, 1])
XOR = AND[0], np.array([0, 1, 1, 0])


def after(steps: list[PerceptronStep], epoch: int) -> PerceptronStep:
    return [step for step in steps if step.epoch <= epoch][-1]


SCIKIT_LEARN = Checked(
    "perceptron",
    "scikit-learn's Perceptron after 1, 2, 3 and 12 epochs",
    56,
    "runs",
    within=1e-9,
)


@pytest.mark.parametrize("case", range(SCIKIT_LEARN.cases))
def test_agrees_with_scikit_learn_after_every_epoch(case: int) -> None:
    start, rate = ["zeros", "ones"][case // 7 % 2], [1.0, 0.3][case // 14 % 2]
    X, y = preset(PRESETS[case % 7], sample=case // 28)
    first = float(start == "ones")
    steps = check_steps(
        perceptron(X, y, rng=rng(), order="cyclic", init=start, learning_rate=rate, max_epochs=12)
    )
    for epoch in (1, 2, 3, 12):
        theirs = Perceptron(shuffle=False, tol=None, max_iter=epoch, eta0=rate)
        theirs.fit(X, y, coef_init=np.full((1, 2), first), intercept_init=np.array([first]))
        ours = after(steps, epoch)
        near = {"rtol": 0, "atol": SCIKIT_LEARN.within}
        np.testing.assert_allclose(ours.weights, theirs.coef_[0], **near)
        np.testing.assert_allclose(ours.bias, theirs.intercept_[0], **near)
        # With no weights at all scikit-learn scores 0 too, and calls it the first class.
        np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
        assert ours.errors(X, y) == round((1 - theirs.score(X, y)) * len(X))


@pytest.mark.parametrize("name", PRESETS)
def test_agrees_with_scikit_learn_in_shuffled_order(name: str) -> None:
    X, y = preset(name)
    steps = check_steps(perceptron(X, y, rng=rng(4), max_epochs=5))
    random, theirs = rng(4), Perceptron(shuffle=False)
    for epoch in range(1, 6):
        order = random.permutation(len(X))
        theirs.partial_fit(X[order], y[order], classes=[0, 1])
        if epoch <= steps[-1].epoch:
            visited = [step.index for step in steps if step.epoch == epoch]
            np.testing.assert_array_equal(visited, order)
        ours = after(steps, epoch)
        np.testing.assert_allclose(ours.weights, theirs.coef_[0], rtol=1e-12, atol=1e-12)
        assert ours.bias == theirs.intercept_[0]


@pytest.mark.parametrize("name", PRESETS)
def test_averaged_agrees_with_scikit_learn(name: str) -> None:
    X, y = preset(name)
    steps = check_steps(
        perceptron(X, y, rng=rng(), order="cyclic", variant="averaged", max_epochs=7)
    )
    how = {"loss": "perceptron", "penalty": None, "learning_rate": "constant", "eta0": 1.0}
    for epoch in range(1, steps[-1].epoch + 1):
        theirs = SGDClassifier(average=True, shuffle=False, tol=None, max_iter=epoch, **how)
        theirs.fit(X, y)
        ours = after(steps, epoch)
        np.testing.assert_allclose(ours.model_weights, theirs.coef_[0], rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(ours.model_bias, theirs.intercept_[0], rtol=1e-9, atol=1e-12)


LABELLED = st.integers(4, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2)), min_size=n, max_size=n),
        st.lists(st.booleans(), min_size=n, max_size=n).filter(lambda y: 0 < sum(y) < len(y)),
    )
)


@settings(max_examples=60, deadline=None)
@given(
    data=LABELLED,
    seed=st.integers(0, 99),
    order=st.sampled_from(["shuffled", "cyclic"]),
    init=st.sampled_from(["zeros", "ones"]),
    rate=st.sampled_from([0.25, 1.0, 2.0]),
    variant=st.sampled_from(["plain", "averaged", "pocket"]),
)
def test_what_holds_for_every_run(
    data: tuple, seed: int, order: str, init: str, rate: float, variant: str
) -> None:
    X, y = np.array(data[0], float), np.array(data[1]) * 4 + 3
    steps = check_steps(
        perceptron(
            X, y, rng=rng(seed), order=order, init=init, learning_rate=rate,
            max_epochs=15, variant=variant,
        )
    )  # fmt: skip
    start, n = steps[0], len(X)
    assert (start.epoch, start.index, start.mistakes, start.event) == (0, -1, 0, None)
    assert (np.append(start.weights, start.bias) == (init == "ones")).all()
    signs = np.where(y == 7, 1.0, -1.0)
    for before, step in pairwise(steps):
        x, sign = X[step.index], signs[step.index]
        assert step.score == before.weights @ x + before.bias
        assert step.mistake == (sign * step.score <= 0)
        assert step.amount == rate * sign * step.mistake
        np.testing.assert_array_equal(step.weights, before.weights + step.amount * x)
        assert step.bias == before.bias + step.amount
    check_visits(steps, n, order)
    assert sum(step.event not in (None, "mistake") for step in steps) == len(steps[n::n])
    made = steps[-1].mistakes - after(steps, steps[-1].epoch - 1).mistakes
    assert (steps[-1].event == "converged") == (made == 0)
    if made == 0 and variant == "plain":
        # Integers are exact, so a point on the line is seen: it would have been a mistake.
        assert (signs * steps[-1].decision_function(X) > 0).all()
    if variant == "pocket":
        fewest = np.minimum.accumulate(
            [np.count_nonzero((X @ step.weights + step.bias > 0) != (signs > 0)) for step in steps]
        )
        assert [step.errors(X, y) for step in steps] == fewest.tolist()
    if variant == "averaged":
        for i in range(1, len(steps)):
            mean = np.mean([step.weights for step in steps[1 : i + 1]], axis=0)
            np.testing.assert_allclose(steps[i].model_weights, mean, atol=1e-12)


def test_the_learning_rate_only_scales_what_started_at_zero() -> None:
    X, y = preset("almost separable")

    def mistakes(**how) -> list[tuple[int, int]]:
        steps = perceptron(X, y, rng=rng(3), **how)
        return [(step.epoch, step.index) for step in steps if step.mistake]

    assert mistakes(learning_rate=1.0) == mistakes(learning_rate=0.5)
    one, half = (last(perceptron(X, y, rng=rng(3), learning_rate=rate)) for rate in (1.0, 0.5))
    np.testing.assert_array_equal(one.weights, 2 * half.weights)
    assert mistakes(init="ones", learning_rate=1.0) != mistakes(init="ones", learning_rate=0.1)


def test_and_by_hand() -> None:
    steps = list(perceptron(*AND, rng=rng(), order="cyclic"))
    history = [(*step.weights.tolist(), step.bias) for step in steps if step.mistake]
    assert history[:5] == [(0, 0, -1), (1, 1, 0), (1, 1, -1), (1, 0, -2), (2, 1, -1)]
    assert (steps[-1].event, steps[-1].epoch, steps[-1].mistakes) == ("converged", 9, 18)
    assert (*steps[-1].weights.tolist(), steps[-1].bias) == (3, 2, -4)
    # The weights that 20APC3316 (002:643) gives for AND separate it too.
    assert ((AND[0] @ [0.5, 0.5] - 0.8 > 0) == AND[1]).all()


def test_xor_cycles() -> None:
    steps = list(perceptron(*XOR, rng=rng(), order="cyclic"))
    assert [(step.epoch, step.event, step.period) for step in steps][-1] == (1, "cycle", 1)
    steps = list(perceptron(*XOR, rng=rng(), order="cyclic", init="ones", learning_rate=0.1))
    assert (steps[-1].event, steps[-1].period) == ("cycle", 1)  # in spite of rounding
    stopped = last(perceptron(*XOR, rng=rng(), order="shuffled"))
    assert (stopped.event, stopped.epoch) == ("stopped at max_epochs", 50)


def test_a_cycle_of_several_epochs() -> None:
    found = set()
    for seed in range(40):
        X, y = rng(seed).integers(-3, 4, size=(6, 2)).astype(float), np.arange(6) % 2
        steps = check_steps(perceptron(X, y, rng=rng(), order="cyclic", max_epochs=400))
        end = steps[-1]
        if end.event == "cycle":
            then = after(steps, end.epoch - end.period)
            np.testing.assert_allclose(end.weights, then.weights, atol=1e-12)
            assert end.bias == pytest.approx(then.bias, abs=1e-12)
            found.add(end.period)
    assert len(found) > 2


def test_losses_are_what_they_say() -> None:
    X, y = preset("moons")
    signs = 2.0 * y - 1
    for variant in ("plain", "averaged"):
        for step in list(perceptron(X, y, rng=rng(), variant=variant, max_epochs=2))[::17]:
            o = X @ step.weights + step.bias
            assert step.squared_error(X, y) == pytest.approx(((signs - o) ** 2).mean() / 2)
            assert step.perceptron_loss(X, y) == pytest.approx(-(signs * o).clip(max=0).mean())
            assert step.errors(X, y) == (step.predict(X) != y).sum()
            check_model(step, X)


HOSTILE = {
    "two points": (np.array([[0.0, 0.0], [1.0, 1.0]]), np.array([0, 2])),
    "the same point": (np.ones((6, 2)), np.array([0, 1, 1, 1, 0, 1])),
    "duplicates": (np.repeat([[0.0, 1.0], [2.0, 3.0]], 5, axis=0), np.arange(10) % 2),
    "collinear": (np.outer(np.arange(12.0), [1.0, -2.0]), np.arange(12) // 3 % 2),
    "constant column": (np.stack([np.arange(9.0), np.full(9, 7.0)], axis=1), np.arange(9) % 2),
    "zeros": (np.zeros((7, 3)), np.arange(7) % 2),
    "huge": (preset("moons", n=30)[0] * 1e98, preset("moons", n=30)[1]),
    "large": (preset("moons", n=30)[0] * 1e6, preset("moons", n=30)[1]),
    "tiny": (preset("moons", n=30)[0] * 1e-100, preset("moons", n=30)[1]),
    "vanishing": (preset("moons", n=30)[0] * 1e-300, preset("moons", n=30)[1]),
    "huge and tiny": (preset("moons", n=30)[0] * [1e98, 1e-200], preset("moons", n=30)[1]),
    "far away": (preset("moons", n=30)[0] + 1e8, preset("moons", n=30)[1]),
    "an outlier": (np.vstack([preset("moons", n=30)[0], [1e99, -1e99]]), np.arange(31) % 2),
    "imbalanced": (preset("moons", n=30)[0], (np.arange(30) == 7).astype(int)),
    "more columns than points": (rng().normal(size=(6, 20)), np.arange(6) % 2),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("rate", [1e-100, 1.0, 1e100])
@pytest.mark.parametrize("init", ["zeros", "ones"])
def test_hostile_data(name: str, rate: float, init: str) -> None:
    X, y = HOSTILE[name]
    order = "cyclic" if init == "ones" else "shuffled"
    how = {"learning_rate": rate, "init": init, "order": order, "max_epochs": 4}
    for variant in ("averaged", "pocket"):
        check_steps(perceptron(X, y, rng=rng(), variant=variant, **how))
    for step in check_steps(delta_rule(X, y, rng=rng(), **how)):
        assert np.isfinite([step.squared_error(X, y), step.perceptron_loss(X, y)]).all()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"y": np.array([0, 1, 2, 2])},
            "y must name exactly two classes, got 3: erase or relabel the points of the others",
        ),
        ({"y": np.ones(4, int)}, "y must name at least two classes, got only class 1"),
        ({"learning_rate": 0}, "learning_rate must be positive, got learning_rate=0"),
        ({"max_epochs": 0}, "max_epochs must be at least 1, got max_epochs=0"),
        ({"order": "random"}, "order must be one of 'shuffled', 'cyclic', got order='random'"),
        ({"init": "twos"}, "init must be one of 'zeros', 'ones', got init='twos'"),
    ],
)
@pytest.mark.parametrize("function", [perceptron, delta_rule])
def test_bad_arguments_are_refused_at_the_call(function, changes: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        function(**{"X": AND[0], "y": AND[1], "rng": rng()} | changes)
    assert str(caught.value) == sentence


def test_the_variant_is_checked() -> None:
    with pytest.raises(ValueError, match=r"variant must be one of .* got variant='voted'"):
        perceptron(*AND, rng=rng(), variant="voted")


def test_labels_may_be_any_two_integers() -> None:
    X, y = preset("separable")
    step = last(perceptron(X, np.where(y == 1, 7, -3), rng=rng()))
    assert step.classes.tolist() == [-3, 7]
    np.testing.assert_array_equal(step.predict(X), np.where(y == 1, 7, -3))
    assert step.errors(X, np.where(y == 1, 7, -3)) == 0


@pytest.mark.thorough
@pytest.mark.parametrize("variant", ["plain", "averaged", "pocket", "delta rule"])
def test_many_visits_stay_small(variant: str) -> None:
    """Ten thousand visits take 5 MB, so the fifty thousand of the app take at most 25 MB."""
    X, y = preset("moons", n=200, noise=0.3)
    how = {"rng": rng(), "max_epochs": 50}
    with AsInTheApp():
        if variant == "delta rule":
            steps, size = measured(lambda: list(delta_rule(X, y, learning_rate=0.03, **how)))
        else:
            steps, size = measured(lambda: list(perceptron(X, y, variant=variant, **how)))
    assert len(steps) == 10_001
    assert size < 5e6
    assert steps[-1].weights.shape == (2,)


@pytest.mark.parametrize("start", ["zeros", "ones"])
@pytest.mark.parametrize("seed", range(4))
def test_a_cycle_is_the_shortest_way_back(start: str, seed: int) -> None:
    """By comparing the weights at all ends of epochs, in pairs."""
    X, y = rng(seed).integers(-3, 4, size=(5, 2)).astype(float), np.array([0, 1, 0, 1, 1])
    steps = list(perceptron(X, y, rng=rng(), order="cyclic", init=start, max_epochs=2000))
    ends = [steps[0], *(step for step in steps[5::5])]
    thetas = np.array([[*step.weights, step.bias] for step in ends])
    back = [i for i in range(len(ends) - 1) if np.allclose(thetas[i], thetas[-1], atol=1e-7)]
    if steps[-1].event == "cycle":
        assert steps[-1].period == len(ends) - 1 - back[-1]
    else:
        assert steps[-1].event == "converged"


def forked(
    steps: list, at: int, X: np.ndarray, y: np.ndarray, change: Callable, variant: str = "plain"
) -> list[PerceptronStep]:
    """Return a run in cyclic order that goes on from a changed visit, with learning rate 1."""
    features = polynomial_features(X, 1, standardize=False)
    samples = mapped_samples(features, X, y, rng=rng(), order="cyclic", max_epochs=4)
    given = samples, 1.0, VARIANTS[variant]
    left = 4 * len(X) - at
    going_on = resumed(steps, at, partial(change, *given), partial(advance, *given), most=left)
    return check_steps(going_on)


def overlapping() -> tuple[np.ndarray, np.ndarray]:
    y = np.repeat([0, 1], 20)
    return rng(4).normal(size=(40, 2)) + np.where(y, 0.4, -0.4)[:, None], y


def test_an_update_is_skipped_or_forced_and_the_rule_goes_on() -> None:
    X, y = overlapping()
    was = list(perceptron(X, y, rng=rng(), order="cyclic", max_epochs=4))
    for at, step in list(enumerate(was))[1:41:3]:
        steps = forked(was, at, X, y, flipped)
        new = steps[at]
        assert all(same(a, b) for a, b in zip(was[:at], steps[:at], strict=True))
        assert new.event == ("skipped" if step.mistake else "forced")
        assert (new.amount == 0) == step.mistake and new.mistakes == step.mistakes
        for before, after in zip(steps[at:], steps[at + 1 :], strict=False):
            o = X[after.index] @ before.weights + before.bias
            sign = 2 * y[after.index] - 1
            assert after.mistake == (sign * o <= 0) == (after.amount != 0)
        # An epoch in which all was right but for a forced update is no reason to stop.
        assert steps[-1].event != "converged" or not any(each.mistake for each in steps[-40:])
        assert len(steps) == 161 or steps[-1].event in ("converged", "cycle")


def test_what_came_before_a_flip_does_not_close_a_cycle() -> None:
    was = list(perceptron(*XOR, rng=rng(), order="cyclic"))
    assert (was[-1].event, was[-1].epoch) == ("cycle", 1)
    steps = forked(was, 2, *XOR, flipped)
    assert steps[-1].event == "cycle" and steps[-1].epoch - steps[-1].period >= 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_run_goes_on_from_its_weights_with_a_sample_elsewhere(variant: str) -> None:
    (X, y), at = overlapping(), 30
    was = list(perceptron(X, y, rng=rng(), order="cyclic", max_epochs=4, variant=variant))
    there = moved(X, np.array([7]), np.array([[2.5, -1.5]]))
    steps = forked(was, at, there, y, elsewhere, variant)
    w, b = steps[at - 1].weights, steps[at - 1].bias
    for step in steps[at:]:
        sign, x = 2 * y[step.index] - 1, there[step.index]
        if sign * (w @ x + b) <= 0:
            w, b = w + sign * x, b + sign
        np.testing.assert_allclose([*step.weights, step.bias], [*w, b], atol=1e-12)
    if variant == "pocket":  # what is in it is the best of those since then, or was in it before
        held = [step.errors(there, y) for step in steps[at - 1 :]]
        latest = [np.count_nonzero((there @ s.weights + s.bias > 0) != y) for s in steps[at:]]
        assert held[1:] == np.minimum.accumulate(np.array([held[0], *latest]))[1:].tolist()
