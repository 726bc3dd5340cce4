"""Batch normalisation against finite differences and against a network written point by point."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy import ndarray
from scipy.special import expit

from algorithms.core.record import last
from algorithms.core.scaling import standard
from algorithms.networks.multilayer_perceptron.batch_normalisation import (
    EPSILON,
    BatchStep,
    batch_normalisation,
)
from algorithms.networks.multilayer_perceptron.multilayer_perceptron import multilayer_perceptron
from algorithms.networks.multilayer_perceptron.network import Activation
from algorithms.networks.multilayer_perceptron.normalisation_summary import held_out_errors
from algorithms.networks.multilayer_perceptron.stretched import on_stretched, stretched
from tests.core.samples import dataset, rng
from tests.house.check_steps import AsInTheApp, check_model, check_steps, same
from tests.house.checked import Checked

ARGUMENTS = {"hidden": (3,)}
G = {"tanh": np.tanh, "sigmoid": expit, "relu": lambda y: y * (y > 0)}
SHAPES = [(3,), (2, 4), (3, 2, 2)]
KINDS: list[Activation] = ["tanh", "sigmoid", "relu"]
PARTS = ("weights", "biases", "gammas", "betas")


def data(name: str, n: int = 40) -> tuple[ndarray, ndarray]:
    made = dataset(name, n, noise=0.2)
    return standard(made.X).transform(made.X), made.labels


def batch_loss(X: ndarray, y: ndarray, kind: str, parts: dict[str, list[ndarray]]) -> float:
    """Return the mean loss of one mini-batch, unit by unit and point by point."""
    rows = [list(x) for x in X]
    for layer, (W, b) in enumerate(zip(parts["weights"], parts["biases"], strict=True)):
        sums = [
            [sum(x[i] * W[i, j] for i in range(len(x))) + b[j] for j in range(len(b))] for x in rows
        ]
        if layer == len(parts["weights"]) - 1:
            rows = sums
            break
        if parts["gammas"]:
            for j in range(len(b)):
                column = [z[j] for z in sums]
                m = sum(column) / len(column)
                v = sum((z - m) ** 2 for z in column) / len(column)
                for z in sums:
                    z_hat = (z[j] - m) / (v + EPSILON) ** 0.5
                    z[j] = parts["gammas"][layer][j] * z_hat + parts["betas"][layer][j]
        rows = [[float(G[kind](np.array(z))) for z in row] for row in sums]
    total = 0.0
    for scores, code in zip(rows, y, strict=True):
        every = [0.0, scores[0]] if len(scores) == 1 else scores
        total += np.logaddexp.reduce(every) - every[code]
    return float(total / len(rows))


def trained(X: ndarray, y: ndarray, **how: Any) -> list[BatchStep]:
    given: dict[str, Any] = {"hidden": (3, 2), "updates": 4, "rng": rng(1)}
    return check_steps(batch_normalisation(X, y, **given | how))


CENTRAL = Checked(
    "multilayer_perceptron",
    "With batch normalisation: central differences of the loss of a mini-batch, written unit by "
    "unit, for every weight, bias, γ and β",
    36,
    "networks",
    within=1e-6,
)
assert CENTRAL.cases == 2 * 2 * len(SHAPES) * len(KINDS)


@pytest.mark.parametrize("normalise", [True, False])
@pytest.mark.parametrize("name", ["moons", "blobs"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("hidden", SHAPES)
def test_gradients_are_central_differences_of_the_loss_written_unit_by_unit(
    normalise: bool, name: str, kind: Activation, hidden: tuple[int, ...]
) -> None:
    X, y = data(name)
    *_, before, forward, back, after = trained(
        X, y, hidden=hidden, activation=kind, normalise=normalise, batch_size=7, first_bias=0.3,
        updates=3,
    )  # fmt: skip
    assert [each.phase for each in (before, forward, back, after)] == [
        "update", "forward", "backward", "update"
    ]  # fmt: skip
    parts = {part: [np.array(each) for each in getattr(forward, part)] for part in PARTS}
    rows = forward.rows
    assert len(rows) == 7
    loss = batch_loss(X[rows], y[rows], kind, parts)
    assert forward.batch_loss == pytest.approx(loss, abs=1e-12)
    assert back.back is not None
    for part in PARTS:
        for layer, values in enumerate(parts[part]):
            found = getattr(back.back, part)[layer]
            for place in np.ndindex(values.shape):
                sides = []
                for change in (1e-5, -1e-5):
                    values[place] += change
                    sides.append(batch_loss(X[rows], y[rows], kind, parts))
                    values[place] -= change
                slope = (sides[0] - sides[1]) / 2e-5
                assert found[place] == pytest.approx(slope, abs=CENTRAL.within), part
            moved = getattr(after, part)[layer]
            np.testing.assert_allclose(moved, values - 0.3 * found, rtol=1e-12)
    if normalise:
        for delta, bias in zip(back.back.delta[:-1], back.back.biases[:-1], strict=True):
            np.testing.assert_allclose(delta.sum(axis=0), 0, atol=1e-12)
            np.testing.assert_allclose(bias, 0, atol=1e-12)


def test_the_chain_rule_of_the_paper_gives_the_same_delta() -> None:
    X, y = data("blobs")
    step = trained(X, y, batch_size=9)[-2]
    assert step.through is not None and step.back is not None
    for layer, gamma in enumerate(step.gammas):
        z, d = step.through.z[layer], step.back.d[layer]
        b, mean, var = len(z), z.mean(axis=0), z.var(axis=0)
        by_hat = d * gamma
        by_var = (by_hat * (z - mean)).sum(axis=0) * -0.5 * (var + EPSILON) ** -1.5
        by_mean = -by_hat.sum(axis=0) / np.sqrt(var + EPSILON)
        by_mean += by_var * (-2 * (z - mean)).mean(axis=0)
        delta = by_hat / np.sqrt(var + EPSILON) + by_var * 2 * (z - mean) / b + by_mean / b
        np.testing.assert_allclose(step.back.delta[layer], delta, atol=1e-13)


@pytest.mark.parametrize("kind", KINDS)
def test_gamma_and_beta_can_undo_the_normalisation(kind: Activation) -> None:
    X, y = data("moons")
    step = trained(X, y, activation=kind, updates=1, batch_size=12)[1]
    a, gammas, betas = X[step.rows], [], []
    for W, b in zip(step.weights[:-1], step.biases[:-1], strict=True):
        z = a @ W + b
        gammas.append(np.sqrt(z.var(axis=0) + EPSILON))
        betas.append(z.mean(axis=0))
        a = G[kind](z)
    parts = {part: list(getattr(step, part)) for part in PARTS} | {"gammas": gammas, "betas": betas}
    undone = batch_loss(X[step.rows], y[step.rows], kind, parts)
    plain = parts | {"gammas": [], "betas": []}
    assert undone == pytest.approx(batch_loss(X[step.rows], y[step.rows], kind, plain), abs=1e-12)
    own = replace(step, gammas=tuple(gammas), betas=tuple(betas)).network_on(X[step.rows])
    scores = a @ step.weights[-1] + step.biases[-1]
    np.testing.assert_allclose(own.activations(X[step.rows])[-1], scores, atol=1e-12)


PREDICTED = Checked(
    "multilayer_perceptron",
    "With batch normalisation: running means and predictions, averaged and normalised layer by "
    "layer",
    18,
    "runs",
    within=1e-10,
)
assert PREDICTED.cases == 3 * 2 * 3


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["moons", "blobs"])
@pytest.mark.parametrize("size", [1, 5, 100])
def test_predictions_use_the_running_means(kind: Activation, name: str, size: int) -> None:
    X, y = data(name)
    steps = trained(X, y, activation=kind, batch_size=size, updates=6, memory=0.8)
    b = min(size, len(X))
    means, variances = [np.zeros(3), np.zeros(2)], [np.ones(3), np.ones(2)]
    for step in steps:
        if step.phase == "update":
            assert step.through is not None
            for layer, z in enumerate(step.through.z):
                spread = z.var(axis=0, ddof=1) if b > 1 else np.zeros(z.shape[1])
                means[layer] = 0.8 * means[layer] + 0.2 * z.mean(axis=0)
                variances[layer] = 0.8 * variances[layer] + 0.2 * spread
        a = X
        for layer, (W, b_) in enumerate(zip(step.weights, step.biases, strict=True)):
            z = a @ W + b_
            if layer < 2:
                z = (z - means[layer]) / np.sqrt(variances[layer] + EPSILON)
                a = G[kind](step.gammas[layer] * z + step.betas[layer])
        scores = np.column_stack([np.zeros(len(X)), z]) if z.shape[1] == 1 else z
        P = np.exp(scores - np.logaddexp.reduce(scores, axis=1)[:, None])
        np.testing.assert_allclose(step.predict_proba(X), P, atol=PREDICTED.within)
        assert step.training_error == np.mean(step.predict(X) != y)
        assert step.loss == pytest.approx(-np.log(P[np.arange(len(X)), y]).mean(), abs=1e-9)
        check_model(step, X)


def test_without_it_the_run_is_that_of_the_multilayer_perceptron() -> None:
    X, y = data("moons")
    for kind in KINDS:
        how: dict[str, Any] = {"hidden": (3, 2), "activation": kind, "learning_rate": 0.4}
        ours = trained(X, y, normalise=False, batch_size=40, updates=5, **how)
        theirs = list(multilayer_perceptron(X, y, epochs=5, rng=rng(1), **how))
        assert len(ours) == 16
        for step, epoch in zip(ours[::3], theirs, strict=True):
            for W, V in zip(step.weights, epoch.weights, strict=True):
                np.testing.assert_allclose(W, V, atol=1e-12)
            assert step.loss == pytest.approx(epoch.loss)


def test_both_networks_start_alike_and_have_the_same_mini_batches() -> None:
    X, y = data("circles")
    pair = [trained(X, y, normalise=on, batch_size=6, updates=20) for on in (True, False)]
    for a, b in zip(*pair, strict=True):
        assert (a.phase, a.update) == (b.phase, b.update)
        np.testing.assert_array_equal(a.rows, b.rows)
    for a, b in zip(pair[0][0].weights, pair[1][0].weights, strict=True):
        np.testing.assert_array_equal(a, b)
    rows = [step.rows.tolist() for step in pair[0] if step.phase == "forward"]
    for shuffle in range(3):  # 6 batches of 6 leave 4 of 40 points over
        assert len(np.unique(rows[6 * shuffle : 6 * shuffle + 6])) == 36
    assert len({tuple(each) for each in rows}) == 20


@pytest.mark.parametrize("kind", KINDS)
def test_the_bias_before_it_changes_nothing(kind: Activation) -> None:
    X, y = data("moons")
    how: dict[str, Any] = {"activation": kind, "updates": 30, "batch_size": 10}
    ends = [trained(X, y, first_bias=b, **how)[-1] for b in (0.0, 4.0)]
    for part in ("gammas", "betas", "variances"):
        for a, b in zip(*(getattr(end, part) for end in ends), strict=True):
            np.testing.assert_allclose(a, b, atol=1e-9)
    for end, b in zip(ends, (0.0, 4.0), strict=True):
        np.testing.assert_allclose(end.biases[0], b, atol=1e-9)
    plain = [trained(X, y, first_bias=b, normalise=False, **how)[-1] for b in (0.0, 4.0)]
    assert np.abs(plain[0].weights[0] - plain[1].weights[0]).max() > 0.01


def test_in_a_batch_of_one_every_unit_says_beta() -> None:
    X, y = data("moons")
    for size in (1, 8):
        *_, end = trained(X, y, batch_size=size, updates=10)
        for x in X[:6]:
            alone = end.network_on(x[None])
            np.testing.assert_allclose(
                alone.predict_proba(x[None]), end.network_alone.predict_proba(x[None]), atol=1e-12
            )
        assert len(set(end.network_alone.predict(X).tolist())) == 1
        if size == 1:
            assert end.back is not None
            assert not any(G.any() for G in end.back.weights[:-1]), "only the output learns"


@pytest.mark.parametrize("seed", range(6, 10))
def test_running_means_lag_behind(seed: int) -> None:
    X, y = data("circles", 150)
    how: dict[str, Any] = {"hidden": (8, 8), "activation": "sigmoid", "learning_rate": 1.0}
    run = trained(X, y, batch_size=30, updates=200, rng=rng(seed), **how)[3::3]
    own = []
    for step in run:
        P = step.network_on(X).predict_proba(X)
        own.append(-np.log(P[np.arange(len(X)), y]).mean())
    worse = np.array([step.loss for step in run]) - own
    assert np.mean(worse > 0) > 0.6
    assert 0 < worse.mean() < 0.2


def test_a_constant_column_and_a_factor_are_taken() -> None:
    X, y = data("moons")
    flat = np.column_stack([X[:, 0], np.full(len(X), 7.0)])
    assert last(batch_normalisation(flat, y, hidden=(4,), rng=rng())).loss < np.log(2)
    for factor in (1.0, 100.0):
        features = stretched(X, factor)
        U = features(X)
        np.testing.assert_allclose(U.std(axis=0), [factor, 1.0])
        ours = list(on_stretched(batch_normalisation, X, y, factor=factor, hidden=(2,), rng=rng()))
        again = list(batch_normalisation(U, y, hidden=(2,), rng=rng()))
        assert all(map(same, ours, again))


def test_weights_beyond_the_largest_end_the_run_as_they_were() -> None:
    X, y = data("moons")
    how: dict[str, Any] = {"hidden": (4,), "activation": "relu", "updates": 50}
    steps = trained(1e99 * X, y, normalise=False, **how)
    assert steps[-1].event == "diverged" and len(steps) < 150
    for a, b in zip(steps[-1].weights, steps[-2].weights, strict=True):
        np.testing.assert_array_equal(a, b)
    assert len(trained(1e99 * X, y, **how)) == 151, "normalised, the size does not matter"


def test_held_out_errors_are_counted_for_every_way_to_normalise() -> None:
    X, y = data("moons", 60)
    held = np.arange(60) % 3 == 0
    pair = [
        list(batch_normalisation(
            X[~held], y[~held], hidden=(4,), rng=rng(2), normalise=on, updates=9, batch_size=5
        ))
        for on in (True, False)
    ]  # fmt: skip
    found = held_out_errors(pair[0], pair[1], lambda X: X, X, y, held)
    for t, step in enumerate(pair[0]):
        assert found.running[t] == np.sum(step.predict(X[held]) != y[held])
        assert found.without[t] == np.sum(pair[1][t].predict(X[held]) != y[held])
        one = [step.network_on(x[None]).decision_function(x[None])[0] for x in X[held]]
        score = step.biases[1][0] + float(np.tanh(step.betas[0]) @ step.weights[1][:, 0])
        np.testing.assert_allclose(one, score, atol=1e-9)
        assert found.alone[t] == np.sum(y[held] != (score > 0)), "a score of 0: the first class"
        if len(step.rows):
            z = X[~held][step.rows] @ step.weights[0] + step.biases[0]
            Z = X[held] @ step.weights[0] + step.biases[0]
            hat = (Z - z.mean(axis=0)) / np.sqrt(z.var(axis=0) + EPSILON)
            scores = np.tanh(step.gammas[0] * hat + step.betas[0]) @ step.weights[1]
            said = (scores + step.biases[1])[:, 0] > 0
            assert found.batch[t] == np.sum(said != y[held])
    none = held_out_errors(pair[0], pair[1], lambda X: X, X, y, np.zeros(60, bool))
    assert not none.running.any() and len(none.without) == 28


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"hidden": (0,)}, "hidden must be at least 1"),
        ({"activation": "step"}, "activation must be one of"),
        ({"learning_rate": 0.0}, "learning_rate must be positive"),
        ({"batch_size": 0}, "batch_size must be at least 1"),
        ({"updates": -1}, "updates must be at least 0"),
        ({"first_bias": 1e16}, "first_bias must stay within"),
        ({"memory": 1.0}, "memory must be below 1, got memory=1"),
    ],
)
def test_bad_arguments_are_refused_at_the_call(change: dict, sentence: str) -> None:
    X, y = data("moons")
    with AsInTheApp(), pytest.raises(ValueError, match=sentence):
        batch_normalisation(X, y, **{"hidden": (2,), "rng": rng()} | change)
    with pytest.raises(ValueError, match="factor must be positive"):
        stretched(X, 0.0)
