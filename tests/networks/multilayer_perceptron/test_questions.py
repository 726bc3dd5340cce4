from copy import deepcopy

import numpy as np
import pytest
from scipy.special import expit

from algorithms.core.features import polynomial_features
from tests.app.questions import SAMPLES, Asked, check_judgements
from tests.core.told import value
from viz.core.words import number

SETTINGS = {
    "data": ["moons", "circles", "xor", "blobs"],
    "noise": [0.3, 1.0],
    "n": [40, 150],
    "seed": range(100),
    "activation": ["tanh", "sigmoid", "relu"],
}
TRAINING = SETTINGS | {
    "hidden": ["4", "2", "8"],
    "rate": [0.3, 1, 10],
    "batch": ["all", "1"],
    "epochs": [30],
}
NORMALISED = SETTINGS | {
    "view": ["batch normalisation"],
    "hidden": ["4-4", "8-8", "8-8-8"],
    "rate": [0.3, 1, 3],
    "batch": ["2", "10", "30"],
    "updates": [30],
    "factor": [1, 100],
    "bias": [0, 2],
    "unit": ["1.1", "1.3", "2.2"],
}
ONE_STEP = SETTINGS | {"view": ["one step"], "rate": [0.1, 1, 10], "hidden": ["2", "3", "2-2"]}


def judge(asked: Asked) -> str:
    before, after, text = asked.before, asked.after, asked.question.text
    if text.startswith("What does the loss"):
        assert asked.right == ("it rises" if after.loss > before.loss else "it falls")
        return "loss"
    assert asked.run.call
    learned = asked.run.call.args[1]  # the points that are not held out
    F = polynomial_features(learned, 1, standardize=True)(asked.X)
    points = [asked.nearest(i) for i in range(len(asked.question.options))]
    old, new = (step.predict(F[points]) for step in (before, after))
    assert np.flatnonzero(old != new).tolist() == [asked.question.right]
    return "changes"


def judge_one_step(asked: Asked) -> str:
    step, text = asked.after, asked.question.text
    last = asked.steps[-1]
    if text.startswith("The weights are new"):
        assert asked.right == ("it rises" if last.loss_after > last.loss else "it falls")
        return "loss"
    values = step.activations_known[step.layer]
    if step.phase == "backward":
        values = step.deltas[0]
        W, a = step.weights[step.layer], step.activations_known[step.layer]
        slope = {"tanh": 1 - a * a, "sigmoid": a * (1 - a), "relu": (a > 0).astype(float)}
        np.testing.assert_allclose(values, step.deltas[1] @ W.T * slope[step.activation])
    assert str(np.abs(values).argmax() + 1) in asked.right
    return step.phase


SEARCH = {
    "view": ["search"],
    "data": ["moons", "circles", "chance"],
    "noise": [0.0, 0.3],
    "n": [60, 150],
    "seed": range(100),
    "plan": ["grid", "random"],
    "trials": [9, 25],
    "trial_epochs": [10, 30],
    "validation": [10, 30],
}


def judge_search(asked: Asked) -> str:
    step, text = asked.after, asked.question.text
    m, better = asked.now + 1, step.wrong[-1] < step.wrong[:-1].min()
    assert f"{step.units[m]} hidden unit" in text
    if text.startswith("The next trial has"):
        assert asked.right.startswith("yes") == better
        return "better"
    assert better
    given = asked.run.call.args[0] if asked.run.call else asked.X[:0]
    test = ~(asked.X[:, None] == given).all(axis=2).any(axis=1)  # what the search never saw
    old, new = (
        np.count_nonzero(each.predict(asked.X[test]) != asked.labels[test])
        for each in (asked.before, step)
    )
    ways = {-1: "it falls", 0: "it stays the same", 1: "it rises"}
    assert asked.right == ways[int(np.sign(new - old))]
    return "test"


@SAMPLES
def test_the_search_itself_says_what_is_right(count):
    check_judgements("multilayer_perceptron", SEARCH, count, judge_search, {"better", "test"})


def judge_normalised(asked: Asked) -> str:
    """Find the answer in the rows of the mini-batch, with the weights before the update."""
    before, after, text = asked.before, asked.after, asked.question.text
    if "training loss" in text:
        if text.endswith("with normalisation?"):
            assert asked.right == ("it rises" if after.loss > before.loss else "it falls")
            return "loss"
        assert asked.run.call
        how = asked.run.call.how | {"normalise": False, "rng": deepcopy(asked.run.call.how["rng"])}
        plain = list(asked.run.call.function(*asked.run.call.args, **how))
        less = plain[min(asked.now + 1, len(plain) - 1)].loss < after.loss
        assert asked.right == ("the one without" if less else "the one with normalisation")
        return "which"
    layer, index = (int(part) - 1 for part in asked.link["unit"].split("."))
    assert asked.run.call
    X = np.asarray(asked.run.call.args[1], float)
    F = (X - X.mean(axis=0)) / X.std(axis=0) * [asked.run.call.how["factor"], 1.0]
    a, g = F[after.rows], {"tanh": np.tanh, "sigmoid": expit, "relu": lambda y: y * (y > 0)}
    for one in range(layer + 1):
        z = a @ after.weights[one] + after.biases[one]
        z_hat = (z - z.mean(axis=0)) / np.sqrt(z.var(axis=0) + 1e-5)
        a = g[after.activation](after.gammas[one] * z_hat + after.betas[one])
    hat = z_hat[:, index]
    i = np.abs(hat).round(9).argmax()  # of two points, both are as far from their mean
    if text.startswith("On the next"):
        assert asked.right == number(float(hat[i]))
        return "hat"
    by_hat, z = after.back.d[layer][:, index] * after.gammas[layer][index], z[:, index]
    offset, spread, b = z - z.mean(), np.sqrt(z.var() + 1e-5), len(z)  # as Ioffe and Szegedy go
    by_var = (by_hat * offset).sum() * -0.5 / spread**3
    by_mean = -by_hat.sum() / spread + by_var * (-2 * offset).mean()
    delta = by_hat / spread + by_var * 2 * offset / b + by_mean / b
    size = np.abs(by_hat / spread).max()
    assert value(asked.right) == pytest.approx(delta[i], rel=0.006, abs=1e-9 * size)
    return "delta"


@SAMPLES
def test_the_run_of_batch_normalisation_says_what_is_right(count):
    kinds = {"loss", "which", "hat", "delta"}
    check_judgements("multilayer_perceptron", NORMALISED, count, judge_normalised, kinds)


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("multilayer_perceptron", TRAINING, count, judge, {"loss", "changes"})


@SAMPLES
def test_the_run_of_one_step_says_what_is_right(count):
    kinds = {"loss", "forward", "backward"}
    check_judgements("multilayer_perceptron", ONE_STEP, count, judge_one_step, kinds)
