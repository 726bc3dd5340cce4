import warnings
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy import ndarray
from scipy.special import expit
from sklearn.neural_network import MLPClassifier, MLPRegressor

from algorithms.core.iterate import resumed
from algorithms.core.optimizers import RULES, Adam
from algorithms.core.record import last
from algorithms.core.scaling import standard
from algorithms.networks.multilayer_perceptron.multilayer_perceptron import (
    EpochStep,
    advance,
    multilayer_perceptron,
    multilayer_regression,
)
from algorithms.networks.multilayer_perceptron.network import Activation, slope
from algorithms.networks.multilayer_perceptron.start import Start, drawn_start
from algorithms.networks.multilayer_perceptron.training import class_task
from algorithms.networks.multilayer_perceptron.training_summary import class_summary
from tests.core.samples import dataset, rng
from tests.house.check_steps import AsInTheApp, check_model, check_steps, same
from tests.house.checked import Checked

ARGUMENTS = {"hidden": (3, 2)}
TINY = 1e-300
PRESETS = ["moons", "circles", "spirals", "xor", "blobs"]
SHAPES: dict[Activation, tuple[int, ...]] = {"tanh": (4,), "sigmoid": (3, 2), "relu": (5, 4, 3)}
# The truth table of exclusive or, its inputs 0 and 1.
TABLE = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
XOR = np.array([0, 1, 1, 0])


def data(name: str, n: int = 60) -> tuple[ndarray, ndarray]:
    made = dataset(name, n)
    return standard(made.X).transform(made.X), made.labels


def numbers(n: int = 60) -> tuple[ndarray, ndarray]:
    """Numbers to predict, from two columns."""
    X, _ = data("moons", n)
    return X, np.sin(2 * X[:, 0]) + 0.5 * X[:, 1]


def start_of(step: EpochStep) -> Start:
    return list(zip(step.weights, step.biases, strict=True))


def objective(X: ndarray, y: ndarray, layers: Start, **how: Any) -> float:
    """Return the loss at a start, as the algorithm states it."""
    hidden = [len(b) for _, b in layers[:-1]]
    run = multilayer_perceptron(X, y, hidden=hidden, epochs=0, start=layers, rng=rng(), **how)
    return last(run).loss


# scikit-learn


def in_scikit_learn(
    X: ndarray,
    y: ndarray,
    layers: Start,
    kind: Activation,
    rate: float,
    size: int,
    momentum: float = 0.0,
    solver: str = "sgd",
):
    """Return scikit-learn's network with our start, before training."""
    how: Any = {"batch_size": size, "solver": solver}  # their stubs know the defaults only
    classes: Any = {"classes": np.unique(y)} if y.dtype.kind == "i" else {}
    theirs: Any = (MLPClassifier if classes else MLPRegressor)(
        hidden_layer_sizes=[len(b) for _, b in layers[:-1]],
        activation={"sigmoid": "logistic"}.get(kind, kind), epsilon=TINY,
        alpha=0.01 * size, learning_rate_init=rate, momentum=momentum,
        nesterovs_momentum=False, shuffle=False, **how,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs.partial_fit(X, y, **classes)  # makes what is replaced now
    for i, (W, b) in enumerate(layers):
        theirs.coefs_[i][:], theirs.intercepts_[i][:] = W, b
    del theirs._optimizer  # which remembers that first update
    return theirs


CLASSIFIER = Checked(
    "multilayer_perceptron",
    "scikit-learn's `MLPClassifier` from the same start, all weights after each of 6 epochs",
    30,
    "runs",
    within=1e-9,
)
assert CLASSIFIER.cases == 2 * len(PRESETS) * len(SHAPES)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("size", [60, 20])
def test_agrees_with_scikit_learn_epoch_by_epoch(name: str, kind: Activation, size: int) -> None:
    X, y = data(name)
    layers = drawn_start(2, SHAPES[kind], len(np.unique(y)), rng=rng(1))
    run = multilayer_perceptron(
        X, y, hidden=SHAPES[kind], activation=kind, learning_rate=0.2, epochs=6, batch_size=size,
        penalty=0.01, rng=rng(5), start=layers,
    )  # fmt: skip
    steps, order = check_steps(run), rng(5)
    theirs: Any = in_scikit_learn(X, y, layers, kind, 0.2, size)
    for step in steps[1:]:
        rows = np.arange(60) if size == 60 else order.permutation(60)
        theirs.partial_fit(X[rows], y[rows])
        for ours, other in zip(step.weights, theirs.coefs_, strict=True):
            np.testing.assert_allclose(ours, other, rtol=0, atol=CLASSIFIER.within)
        for ours, other in zip(step.biases, theirs.intercepts_, strict=True):
            np.testing.assert_allclose(ours, other, rtol=0, atol=CLASSIFIER.within)
        np.testing.assert_allclose(
            step.predict_proba(X), theirs.predict_proba(X), rtol=0, atol=CLASSIFIER.within
        )
        np.testing.assert_array_equal(step.predict(X), theirs.predict(X))


@pytest.mark.parametrize(("kind", "size"), [("tanh", 60), ("sigmoid", 20), ("relu", 20)])
def test_momentum_is_scikit_learns(kind: Activation, size: int) -> None:
    X, y = data("moons")
    layers = drawn_start(2, SHAPES[kind], 2, rng=rng(1))
    run = multilayer_perceptron(
        X, y, hidden=SHAPES[kind], activation=kind, learning_rate=0.1, epochs=8, batch_size=size,
        momentum=0.8, rng=rng(5), start=layers,
    )  # fmt: skip
    order = rng(5)
    theirs: Any = in_scikit_learn(X, y, layers, kind, 0.1, size, momentum=0.8)
    theirs.set_params(alpha=0.0)
    for step in check_steps(run)[1:]:
        rows = np.arange(60) if size == 60 else order.permutation(60)
        theirs.partial_fit(X[rows], y[rows])
        for ours, other in zip(step.weights, theirs.coefs_, strict=True):
            np.testing.assert_allclose(ours, other, atol=1e-10)


@pytest.fixture
def without_epsilon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set Adam's ε to 0: scikit-learn adds it before the correction of √s, and we add it after."""
    monkeypatch.setitem(RULES, "Adam", partial(Adam, epsilon=TINY))


@pytest.mark.parametrize(("kind", "size"), [("tanh", 60), ("relu", 20)])
def test_adam_is_scikit_learns(kind: Activation, size: int, without_epsilon: None) -> None:
    X, y = data("blobs")
    layers = drawn_start(2, SHAPES[kind], 3, rng=rng(1))
    run = multilayer_perceptron(
        X, y, hidden=SHAPES[kind], activation=kind, learning_rate=0.02, epochs=8, batch_size=size,
        optimizer="Adam", penalty=0.01, rng=rng(5), start=layers,
    )  # fmt: skip
    order = rng(5)
    theirs: Any = in_scikit_learn(X, y, layers, kind, 0.02, size, solver="adam")
    for step in check_steps(run)[1:]:
        rows = np.arange(60) if size == 60 else order.permutation(60)
        theirs.partial_fit(X[rows], y[rows])
        for ours, other in zip(step.weights, theirs.coefs_, strict=True):
            np.testing.assert_allclose(ours, other, atol=1e-10)


@pytest.mark.parametrize("optimizer", ["gradient", "AdaGrad", "RMSProp", "Adam"])
def test_optimisers_are_the_rules_of_regression(optimizer: Any) -> None:
    """Of the whole vector of weights, update by update; what they keep stands in the steps."""
    X, y = data("moons")
    run = multilayer_perceptron(
        X, y, hidden=(3, 2), optimizer=optimizer, learning_rate=0.1, epochs=5, rng=rng()
    )
    steps, rule = check_steps(run), RULES[optimizer](0.1)
    memory = rule.init(steps[0].velocity.size)
    for before, step in pairwise(steps):
        g = np.concatenate([G.ravel() for G in (*before.gradients, *before.bias_gradients)])
        change, memory = rule.update(g, memory)
        old, new = (
            np.concatenate([W.ravel() for W in (*s.weights, *s.biases)]) for s in (before, step)
        )
        np.testing.assert_array_equal(new, old + change)
        np.testing.assert_array_equal(step.velocity, memory.velocity)
        np.testing.assert_array_equal(step.squares, memory.squares)


# Numbers


REGRESSOR = Checked(
    "network_regression",
    "scikit-learn's `MLPRegressor` from the same start, all weights after every epoch",
    6,
    "runs by plain descent and by Adam",
    within=1e-9,
)
KINDS = [("tanh", 60), ("sigmoid", 20), ("relu", 20)]
assert REGRESSOR.cases == 2 * len(KINDS)


@pytest.mark.parametrize("solver", ["sgd", "adam"])
@pytest.mark.parametrize(("kind", "size"), KINDS)
def test_regression_agrees_with_scikit_learn_epoch_by_epoch(
    kind: Activation, size: int, solver: str, without_epsilon: None
) -> None:
    X, y = numbers()
    layers = drawn_start(2, SHAPES[kind], 2, rng=rng(1))
    run = multilayer_regression(
        X, y, hidden=SHAPES[kind], activation=kind, learning_rate=0.05, epochs=6, batch_size=size,
        optimizer="Adam" if solver == "adam" else "gradient", penalty=0.01, rng=rng(5),
        start=layers,
    )  # fmt: skip
    order = rng(5)
    theirs: Any = in_scikit_learn(X, y, layers, kind, 0.05, size, solver=solver)
    for step in check_steps(run)[1:]:
        rows = np.arange(60) if size == 60 else order.permutation(60)
        theirs.partial_fit(X[rows], y[rows])
        for ours, other in zip(step.weights, theirs.coefs_, strict=True):
            np.testing.assert_allclose(ours, other, rtol=0, atol=REGRESSOR.within)
        np.testing.assert_allclose(
            step.predict(X), theirs.predict(X), rtol=0, atol=REGRESSOR.within
        )
        weights = sum((W**2).sum() for W in step.weights)
        halves = ((step.predict(X) - y) ** 2).mean() / 2
        assert step.loss == pytest.approx(halves + 0.005 * weights)


def test_a_straight_line_is_that_of_least_squares() -> None:
    X, y = numbers()
    step = last(multilayer_regression(X, y, hidden=(), learning_rate=0.5, epochs=300, rng=rng()))
    w = np.linalg.lstsq(np.column_stack([X, np.ones(60)]), y, rcond=None)[0]
    np.testing.assert_allclose([*step.weights[0][:, 0], *step.biases[0]], w, atol=1e-9)


# Dropout


@pytest.mark.parametrize("kind", SHAPES)
def test_an_update_with_dropout_is_that_of_the_thinned_network(kind: Activation) -> None:
    X, y = data("moons")
    layers = [(W, b + 0.1) for W, b in drawn_start(2, SHAPES[kind], 2, rng=rng(2))]
    run = multilayer_perceptron(
        X, y, hidden=SHAPES[kind], activation=kind, learning_rate=0.5, epochs=1, dropout=0.4,
        penalty=0.02, rng=rng(6), start=layers,
    )  # fmt: skip
    before, after = check_steps(run)
    assert not any(units.any() for units in before.dropped)
    assert any(units.any() for units in after.dropped)
    assert not all(units.all() for units in after.dropped)
    g = {"tanh": np.tanh, "sigmoid": expit, "relu": lambda z: np.maximum(z, 0)}[kind]

    def thinned_loss() -> float:
        A = X
        for (W, b), out in zip(layers[:-1], after.dropped, strict=True):
            A = g(A @ W + b) * ~out / 0.6
        score = (A @ layers[-1][0] + layers[-1][1])[:, 0] * (2 * y - 1)
        return float(np.log1p(np.exp(-score)).mean() + 0.01 * sum((W**2).sum() for W, _ in layers))

    for (W, b), V, c in zip(layers, after.weights, after.biases, strict=True):
        for part, moved in ((W, V), (b, c)):
            for place in np.ndindex(part.shape):
                sides = []
                for change in (1e-5, -1e-5):
                    part[place] += change
                    sides.append(thinned_loss())
                    part[place] -= change
                slope = (sides[0] - sides[1]) / 2e-5
                assert moved[place] == pytest.approx(part[place] - 0.5 * slope, abs=1e-7)


def test_so_large_a_share_of_the_units_is_left_out_and_the_steps_tell_of_the_whole() -> None:
    X, y = data("moons")
    run = multilayer_perceptron(X, y, hidden=(8, 4), epochs=200, dropout=0.25, rng=rng(1))
    steps = check_steps(run)
    for layer, width in enumerate((8, 4)):
        out = np.mean([step.dropped[layer] for step in steps[1:]])
        assert abs(out - 0.25) < 4 * np.sqrt(0.25 * 0.75 / (200 * width))
    for step in steps[::50]:
        P = step.predict_proba(X)
        assert step.loss == pytest.approx(-np.log(P[np.arange(len(y)), y]).mean())


# The gradient


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("kind", SHAPES)
def test_gradients_are_central_differences(name: str, kind: Activation) -> None:
    X, y = data(name)
    how: dict[str, Any] = {"activation": kind, "penalty": 0.03}
    layers = drawn_start(2, SHAPES[kind], len(np.unique(y)), rng=rng(2))
    layers = [(W, b + 0.1) for W, b in layers]
    step = last(
        multilayer_perceptron(X, y, hidden=SHAPES[kind], epochs=0, start=layers, rng=rng(), **how)
    )
    check_differences(step, layers, lambda: objective(X, y, layers, **how))


SLOPES = Checked(
    "network_regression",
    "Central differences of the loss, squared error with the L1 penalty, for every weight",
    3,
    "networks",
    within=1e-7,
)
assert SLOPES.cases == len(SHAPES)


@pytest.mark.parametrize("kind", SHAPES)
def test_gradients_of_regression_and_of_the_l1_penalty_are_central_differences(
    kind: Activation,
) -> None:
    X, y = numbers(20)
    layers = [(W, b + 0.1) for W, b in drawn_start(2, SHAPES[kind], 2, rng=rng(2))]
    how: dict[str, Any] = {"activation": kind, "penalty": 0.03, "l1_penalty": 0.02}

    def fitted() -> Any:
        run = multilayer_regression(
            X, y, hidden=SHAPES[kind], epochs=0, start=layers, rng=rng(), **how
        )
        return last(run)

    check_differences(step := fitted(), layers, lambda: fitted().loss)
    halves, weights = (step.predict(X) - y) ** 2 / 2, [W for W, _ in layers]
    paid = sum(0.015 * (W**2).sum() + 0.02 * np.abs(W).sum() for W in weights)
    assert step.loss == pytest.approx(halves.mean() + paid)


def check_differences(step: EpochStep, layers: Start, loss: Callable[[], float]) -> None:
    """Compare a step's gradients with differences of the loss, where the layers are changed."""
    found = [*step.gradients, *step.bias_gradients]
    parts = [*(W for W, _ in layers), *(b for _, b in layers)]
    for part, gradient in zip(parts, found, strict=True):
        for place in np.ndindex(part.shape):
            sides = []
            for change in (1e-5, -1e-5):
                part[place] += change
                sides.append(loss())
                part[place] -= change
            slope = (sides[0] - sides[1]) / 2e-5
            assert gradient[place] == pytest.approx(slope, abs=SLOPES.within)


def test_an_l1_penalty_takes_the_same_from_every_weight_and_nothing_from_0() -> None:
    X, y = data("moons")
    layers = drawn_start(2, (3,), 2, rng=rng(2))
    layers[0][0][1, 2] = 0.0
    how: dict[str, Any] = {"hidden": (3,), "epochs": 0, "start": layers}
    free, paid = (
        last(multilayer_perceptron(X, y, rng=rng(), l1_penalty=l1, **how)) for l1 in (0.0, 0.2)
    )
    for W, G, H in zip(free.weights, free.gradients, paid.gradients, strict=True):
        np.testing.assert_allclose(H - G, 0.2 * np.sign(W), atol=1e-15)
    for b, c in zip(free.bias_gradients, paid.bias_gradients, strict=True):
        np.testing.assert_array_equal(b, c)


def test_the_update_rules_of_the_notes() -> None:
    """20APC3316: two-class and multi-class discrimination with sigmoid units, for all points."""
    for name in ("moons", "blobs"):
        X, y = data(name)
        layers = drawn_start(2, (3,), len(np.unique(y)), rng=rng(4))
        first, second = multilayer_perceptron(
            X, y, hidden=(3,), activation="sigmoid", learning_rate=0.7, epochs=1, rng=rng(),
            start=layers,
        )  # fmt: skip
        (W, w0), (V, v0) = layers
        z = expit(X @ W + w0)
        if name == "moons":
            r, said = y[:, None].astype(float), expit(z @ V + v0)
        else:
            r, exponential = np.eye(3)[y], np.exp(z @ V + v0)
            said = exponential / exponential.sum(axis=1, keepdims=True)
        dV = 0.7 * z.T @ (r - said) / len(X)
        dW = 0.7 * X.T @ (((r - said) @ V.T) * z * (1 - z)) / len(X)
        np.testing.assert_allclose(second.weights[1] - first.weights[1], dV, atol=1e-14)
        np.testing.assert_allclose(second.weights[0] - first.weights[0], dW, atol=1e-14)


# Worked by hand


def steep(weights: Sequence[Sequence[float]], biases: Sequence[float]) -> tuple[ndarray, ndarray]:
    """Return a layer of sigmoids so steep that they are thresholds."""
    return 50 * np.array(weights, float), 50 * np.array(biases, float)


def test_exclusive_or_is_one_and_not_the_other_or_the_reverse() -> None:
    """20APC3316: x1 XOR x2 = (x1 AND ~x2) OR (~x1 AND x2), two hidden units and one on top."""
    layers = [steep([[1, -1], [-1, 1]], [-0.5, -0.5]), steep([[1], [1]], [-0.5])]
    step = last(
        multilayer_perceptron(
            TABLE, XOR, hidden=(2,), activation="sigmoid", epochs=0, start=layers, rng=rng()
        )
    )
    _, z, _ = step.activations(TABLE)
    np.testing.assert_allclose(z, [[0, 0], [0, 1], [1, 0], [0, 0]], atol=1e-9)
    np.testing.assert_array_equal(step.predict(TABLE), XOR)
    np.testing.assert_allclose(step.predict_proba(TABLE)[:, 1], XOR, atol=1e-9)
    assert step.training_error == 0
    assert step.event == "training error 0"


@pytest.mark.parametrize(("threshold", "fires"), [(-0.8, 1), (-3.0, 0)])
def test_the_unit_for_and(threshold: float, fires: int) -> None:
    """Inputs are 1 for true and -1 for false; with the notes' -3 the unit never fires."""
    layers = [(np.array([[0.5], [0.5]]), np.array([threshold]))]
    X, y = 2 * TABLE - 1, np.array([0, 0, 0, 1])
    run = multilayer_perceptron(X, y, hidden=(), epochs=0, start=layers, rng=rng())
    assert last(run).predict(X).tolist() == [0, 0, 0, fires]


@pytest.mark.thorough
def test_eight_inputs_through_three_units() -> None:
    """20APC3316, figure 4.7: the identity of eight, squeezed through three sigmoids."""
    X, y = np.eye(8), np.arange(8)
    for seed in range(5):
        step = last(
            multilayer_perceptron(
                X, y, hidden=(3,), activation="sigmoid", learning_rate=5.0, epochs=1500,
                rng=rng(seed),
            )
        )  # fmt: skip
        np.testing.assert_array_equal(step.predict(X), y)
        code = step.activations(X)[1]
        distances = np.abs(code[:, None] - code[None]).max(axis=2) + np.eye(8)
        assert distances.min() > 0.2, "every input has a code of its own"


# Properties


@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(2, 25),
    hidden=st.lists(st.integers(1, 4), max_size=3),
    kind=st.sampled_from(sorted(SHAPES)),
    classes=st.integers(2, 4),
    size=st.integers(1, 30),
    seed=st.integers(0, 99),
)
def test_what_holds_for_every_run(
    n: int, hidden: list[int], kind: Activation, classes: int, size: int, seed: int
) -> None:
    X, y = rng(seed).normal(size=(n, 2)), 3 * rng(seed + 1).integers(classes, size=n)
    y[:2] = 0, 3
    steps = check_steps(
        multilayer_perceptron(
            X, y, hidden=hidden, activation=kind, learning_rate=0.3, epochs=5, batch_size=size,
            penalty=0.01, rng=rng(seed),
        )
    )  # fmt: skip
    assert [step.epoch for step in steps] == list(range(6))
    for before, step in zip([None, *steps[:-1]], steps, strict=True):
        check_model(step, X)
        P = step.predict_proba(X)
        own = P[np.arange(n), np.searchsorted(step.classes, y)]
        weights = sum((W**2).sum() for W in step.weights)
        assert step.loss == pytest.approx(-np.log(own).mean() + 0.005 * weights)
        assert step.training_error == np.mean(step.predict(X) != y)
        assert len(step.stuck) == len(hidden)
        for A, idle in zip(step.activations(X)[1:-1], step.stuck, strict=True):
            steepest = {"tanh": 1, "sigmoid": 0.25, "relu": 1}[kind]
            np.testing.assert_array_equal(idle, (slope(kind, A) < 0.01 * steepest).all(axis=0))
        if before and size >= n:
            for W, V, G in zip(step.weights, before.weights, before.gradients, strict=True):
                np.testing.assert_allclose(W, V - 0.3 * G)


def test_a_small_rate_never_raises_the_loss() -> None:
    for name in PRESETS:
        X, y = data(name)
        run = multilayer_perceptron(X, y, hidden=(4,), learning_rate=0.05, epochs=100, rng=rng())
        losses = [step.loss for step in run]
        assert (np.diff(losses) < 0).all()


def test_without_a_hidden_layer_it_is_logistic_regression() -> None:
    X, y = data("moons")
    run = multilayer_perceptron(X, y, hidden=(), learning_rate=1.0, epochs=500, rng=rng())
    step = last(run)
    scores = X @ step.weights[0] + step.biases[0]
    np.testing.assert_allclose(step.decision_function(X), scores[:, 0])
    assert max(np.abs(G).max() for G in step.gradients) < 1e-3


def test_one_output_or_two_give_the_same_kind_of_model() -> None:
    X, y = data("moons")
    one = drawn_start(2, (3,), 2, rng=rng())
    (W, b), (V, c) = one
    two = [(W, b), (np.hstack([np.zeros_like(V), V]), np.array([0.0, c[0]]))]
    models = [
        last(multilayer_perceptron(X, y, hidden=(3,), epochs=0, start=start, rng=rng()))
        for start in (one, two)
    ]
    np.testing.assert_allclose(models[0].predict_proba(X), models[1].predict_proba(X))
    assert models[0].loss == pytest.approx(models[1].loss)


def test_labels_may_be_any_integers() -> None:
    X, y = data("blobs")
    how: dict[str, Any] = {"hidden": (3,), "epochs": 30}
    model = last(multilayer_perceptron(X, 10 - 5 * y, rng=rng(), **how))
    assert model.classes.tolist() == [0, 5, 10]
    assert np.isin(model.predict(X), [0, 5, 10]).all()


# Events and failures


@pytest.mark.parametrize("kind", SHAPES)
def test_units_that_start_alike_stay_alike(kind: Activation) -> None:
    X, y = data("circles")
    steps = check_steps(
        multilayer_perceptron(
            X, y, hidden=(4,), activation=kind, learning_rate=2.0, epochs=50, rng=rng(), spread=0.0
        )
    )
    assert steps[0].event == "units alike"
    for step in steps:
        assert np.ptp(step.weights[0], axis=1).max() == 0
        assert np.ptp(step.weights[1]) == 0
    if kind != "sigmoid":  # tanh 0 = relu 0 = 0: only the output's bias learns
        assert not steps[-1].weights[0].any()


def test_a_dead_unit_gets_no_gradient_and_is_an_event_once() -> None:
    X, y = data("moons")
    layers = drawn_start(2, (3,), 2, rng=rng())
    layers[0][1][1] = -100.0
    steps = check_steps(
        multilayer_perceptron(
            X, y, hidden=(3,), activation="relu", learning_rate=0.1, epochs=40, start=layers,
            rng=rng(),
        )
    )  # fmt: skip
    assert [step.event for step in steps if step.event] == ["dead unit"]
    assert steps[0].event == "dead unit"
    for step in steps:
        assert step.stuck[0][1]
        assert not step.gradients[0][:, 1].any()
        np.testing.assert_array_equal(step.weights[0][:, 1], layers[0][0][:, 1])


def test_a_saturated_unit_is_an_event() -> None:
    X, y = data("moons")
    for kind in ("tanh", "sigmoid"):
        layers = drawn_start(2, (3,), 2, rng=rng())
        layers[0][1][1] = -100.0
        step = last(
            multilayer_perceptron(
                X, y, hidden=(3,), activation=kind, epochs=0, start=layers, rng=rng()
            )
        )
        assert step.event == "saturated unit"
        assert step.stuck[0].tolist() == [False, True, False]


def test_a_diverging_run_ends_with_the_weights_it_had() -> None:
    X, y = data("moons")
    steps = check_steps(
        multilayer_perceptron(
            X, y, hidden=(3,), activation="relu", learning_rate=1e12, epochs=50, rng=rng(),
            penalty=0.1,
        )
    )  # fmt: skip
    assert steps[-1].event == "diverged"
    assert len(steps) < 10
    before, after = start_of(steps[-2]), start_of(steps[-1])
    for (W, b), (V, c) in zip(before, after, strict=True):
        np.testing.assert_array_equal(W, V)
        np.testing.assert_array_equal(b, c)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"hidden": (0,)}, "hidden must be at least 1"),
        ({"hidden": (2,) * 6}, "hidden must name at most 5 layers, got 6"),
        ({"activation": "step"}, "activation must be one of"),
        ({"learning_rate": 0.0}, "learning_rate must be positive"),
        ({"epochs": -1}, "epochs must be at least 0"),
        ({"batch_size": 0}, "batch_size must be at least 1"),
        ({"penalty": -1.0}, "penalty must be a number from 0"),
        ({"l1_penalty": -1.0}, "l1_penalty must be a number from 0"),
        ({"optimizer": "Newton"}, "optimizer must be one of 'gradient', 'AdaGrad'"),
        ({"optimizer": "Adam", "momentum": 0.5}, "momentum must be 0 with Adam, got momentum=0.5"),
        ({"spread": -1.0}, "spread must be a number from 0"),
        ({"momentum": 1.0}, "momentum must be below 1, got momentum=1"),
        ({"dropout": 1.0}, "dropout must be below 1, got dropout=1"),
        ({"start": []}, "start must have the shapes"),
        ({"start": [(np.zeros((2, 3)), np.zeros(3))]}, "start must have the shapes"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(change: dict, sentence: str) -> None:
    X, y = data("moons")
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        multilayer_perceptron(X, y, **{"hidden": (2,), "rng": rng()} | change)


@pytest.mark.parametrize("optimizer", ["AdaGrad", "RMSProp", "Adam"])
def test_numbers_too_large_for_the_squares_end_the_run(optimizer: Any) -> None:
    X, y = numbers()
    run = multilayer_regression(
        1e60 * X, 1e99 * y, hidden=(2,), activation="relu", optimizer=optimizer, rng=rng()
    )
    assert check_steps(run)[-1].event == "diverged"


def test_a_start_beyond_bounds_is_refused() -> None:
    X, y = data("moons")
    with pytest.raises(ValueError, match="start must stay within"):
        multilayer_perceptron(
            X, y, hidden=(), start=[(np.array([[1e16], [0.0]]), np.zeros(1))], rng=rng()
        )


# Summary


def test_the_account_of_a_run() -> None:
    X, y = data("blobs")
    held = np.arange(60) % 3 == 0
    steps = list(multilayer_perceptron(X[~held], y[~held], hidden=(3,), epochs=12, rng=rng()))
    found = class_summary(steps, lambda X: X, X[held], y[held])
    assert found.held_out_loss is not None
    assert found.held_out_error is not None
    for t, step in enumerate(steps):
        P = step.predict_proba(X[held])[np.arange(20), y[held]]
        assert found.loss[t] == step.loss
        assert found.held_out_loss[t] == pytest.approx(-np.log(P).mean())
        assert found.held_out_error[t] == np.mean(step.predict(X[held]) != y[held])
        for j, G in enumerate(step.gradients):
            assert found.gradients[t, j] == pytest.approx(np.sqrt((G**2).sum()))
    assert class_summary(steps, lambda X: X, X[:0], y[:0]).held_out_loss is None


# What if


@pytest.mark.parametrize(
    "how", [{"optimizer": "Adam", "batch_size": 7}, {"dropout": 0.3, "momentum": 0.9}]
)
def test_a_run_goes_on_from_any_step_with_the_rate_it_had_or_with_another(
    how: dict[str, Any],
) -> None:
    X, y = data("moons")
    how = {"hidden": (3, 2), "epochs": 9, "learning_rate": 0.3} | how
    was = list(multilayer_perceptron(X, y, rng=rng(1), **how))
    for rate in (0.3, 0.01):
        other: dict[str, Any] = how | {"learning_rate": rate}
        task = class_task(X, y, rng=rng(1), **other)
        on = partial(advance, task)
        for at in (1, 5, 9):
            steps = check_steps(resumed(was, at, on, on, most=9 - at, stopped=None))
            assert len(steps) == len(was)
            assert all(same(a, b) for a, b in zip(was[:at], steps[:at], strict=True))
            assert all(same(a, b) for a, b in zip(was, steps, strict=True)) == (rate == 0.3)
            assert {step.learning_rate for step in steps[at:]} == {rate}


def test_with_another_rate_a_run_goes_on_from_its_weights() -> None:
    X, y = data("moons")
    how: dict[str, Any] = {"hidden": (3,), "penalty": 0.01}
    was = list(multilayer_perceptron(X, y, epochs=6, rng=rng(1), **how))
    on = partial(advance, class_task(X, y, epochs=6, rng=rng(1), learning_rate=0.05, **how))
    steps = list(resumed(was, 3, on, on, most=3, stopped=None))
    layers = start_of(was[2])
    again = multilayer_perceptron(
        X, y, epochs=4, rng=rng(), start=layers, learning_rate=0.05, **how
    )
    assert [step.loss for step in steps[2:]] == [step.loss for step in again]
