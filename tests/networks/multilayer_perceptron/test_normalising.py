"""The pictures and captions of batch normalisation, recomputed from the data."""

from typing import Any

import numpy as np
import pytest
from numpy import ndarray

from algorithms.networks.multilayer_perceptron.batch_normalisation import (
    EPSILON,
    BatchStep,
    batch_normalisation,
)
from algorithms.networks.multilayer_perceptron.batch_training import BatchTraining
from algorithms.networks.multilayer_perceptron.normalisation_summary import held_out_errors
from algorithms.networks.multilayer_perceptron.stretched import on_stretched, stretched
from tests.core.figures import line, unpacked
from tests.core.samples import board_of, dataset
from tests.core.told import numbers
from viz.core.scene import Plane, Run, Scene
from viz.networks.multilayer_perceptron.batch_normalisation import PREDICT, Look, Normalising
from viz.networks.multilayer_perceptron.batch_views import Unit

RATE = 0.7


class Shown:
    """Both runs of a board, with the first column times a factor, and their scene."""

    def __init__(self, data: Plane, unit: Unit, predict: str = "running means", **how: Any) -> None:
        """Train on the points that are not held out, each fourth one."""
        self.data, self.unit, factor = data, unit, how.pop("factor", 1.0)
        self.held = np.arange(len(data.X)) % 4 == 0
        given = {"hidden": (3, 2), "learning_rate": RATE, "batch_size": 6, "updates": 8} | how
        X, y = data.X[~self.held], data.labels[~self.held]
        self.ours, self.plain = (
            list(on_stretched(
                batch_normalisation, X, y, factor=factor, normalise=on,
                rng=np.random.default_rng(2), **given,
            ))
            for on in (True, False)
        )  # fmt: skip
        features = stretched(X, factor)
        self.F = features(data.X)
        errors = held_out_errors(self.ours, self.plain, features, data.X, data.labels, self.held)
        look = Look(unit, predict, BatchTraining(learning_rate=RATE))
        show = Normalising(Run("", self.ours), Run("", self.plain), data, features, errors, look)
        self.scene: Scene = show.scene()

    def sums(self, step: BatchStep) -> ndarray:
        """Return z of the unit on the mini-batch, by the weights of a step before the update."""
        a = self.F[~self.held][step.rows]
        for layer in range(self.unit.layer + 1):
            z = a @ step.weights[layer] + step.biases[layer]
            y = z
            if step.gammas:
                hat = (z - z.mean(axis=0)) / np.sqrt(z.var(axis=0) + EPSILON)
                y = step.gammas[layer] * hat + step.betas[layer]
            a = np.tanh(y)
        return z[:, self.unit.index]

    @property
    def forward(self) -> list[int]:
        """Return the steps forward."""
        return [i for i, step in enumerate(self.ours) if step.phase == "forward"]


def after(text: str) -> list[float]:
    return numbers(text.replace("(", "").replace(")", ""))


@pytest.mark.parametrize("name", ["moons", "blobs"])
@pytest.mark.parametrize("unit", [Unit(0, 1), Unit(1, 0)])
@pytest.mark.parametrize("factor", [1.0, 30.0])
def test_the_captions_have_the_numbers_of_the_unit(name: str, unit: Unit, factor: float) -> None:
    shown = Shown(board_of(dataset(name, 60)), unit, factor=factor)
    for now in shown.forward:
        step, back = shown.ours[now], shown.ours[now + 1]
        z = shown.sums(step)
        mean, spread = z.mean(), z.std()
        hat = (z - mean) / np.sqrt(spread**2 + EPSILON)
        i = np.abs(hat).argmax()
        headline, rule, rest = shown.scene.caption(now).split("\n")
        assert f"unit {unit.index + 1} of layer {unit.layer + 1}" in headline
        said = after(headline.partition("has mean ")[2])
        assert said[:2] == pytest.approx([mean, spread], rel=6e-3, abs=1e-9)
        assert after(rule)[-1] == pytest.approx(hat[i], rel=6e-3)
        own = [part[unit.layer][unit.index] for part in (step.gammas, step.betas)]
        y = own[0] * hat + own[1]
        assert after(rest.partition(" goes into ")[0])[-1] == pytest.approx(y[i], rel=6e-3)
        a, flat, _, plain_flat = after(rest.partition(" goes into ")[2])
        assert a == pytest.approx(np.tanh(y[i]), rel=6e-3)
        other = shown.sums(shown.plain[now])
        assert flat == np.sum(1 - np.tanh(y) ** 2 < 0.1)
        assert plain_flat == np.sum(1 - np.tanh(other) ** 2 < 0.1)

        assert back.back is not None
        d = back.back.d[unit.layer][:, unit.index]
        size = own[0] / np.sqrt(spread**2 + EPSILON)
        terms = [size, d[i], d.mean(), hat[i], (d * hat).mean()]
        delta = size * (d[i] - d.mean() - hat[i] * (d * hat).mean())
        _, rule, rest = shown.scene.caption(now + 1).split("\n")
        assert after(rule.rpartition("mean(dẑ)) = ")[2])[-1] == pytest.approx(delta, rel=6e-3)
        found = after(rule.rpartition("mean(dẑ)) = ")[2].replace("− ", ""))[:5]
        assert np.abs(found) == pytest.approx(np.abs(terms), rel=6e-3)
        assert after(rest)[:2] == pytest.approx([terms[4], terms[2]], rel=6e-3)

        new, words = shown.ours[now + 2], shown.scene.caption(now + 2)
        headline, rule, rest = words.split("\n")
        assert after(headline)[1:] == pytest.approx([new.loss, shown.plain[now + 2].loss], rel=6e-3)
        gamma = after(rule.partition("; running")[0].rpartition(" = ")[2])
        assert gamma == pytest.approx([own[0] - RATE * terms[4]], rel=6e-3)
        m = 0.9 * shown.ours[now].means[unit.layer][unit.index] + 0.1 * mean
        assert after(rule)[-1] == pytest.approx(m, rel=6e-3, abs=1e-9)


def test_points_wrong_are_counted_for_every_way_to_predict() -> None:
    shown = Shown(board_of(dataset("moons", 60, noise=0.3)), Unit(0, 0), updates=20)
    learned, held = shown.F[~shown.held], shown.F[shown.held]
    y = shown.data.labels
    for now, step in enumerate(shown.ours):
        if step.phase != "update":
            continue
        plain = shown.plain[now]
        networks = step.network, step.network_on(learned[step.rows]), step.network_alone
        wrong = [np.sum(each.predict(held) != y[shown.held]) for each in (*networks, plain.network)]
        own = [np.sum(each.predict(learned) != y[~shown.held]) for each in (step, plain)]
        said = after(shown.scene.caption(now).split("\n")[2])
        assert said == [own[0], 45, own[1], wrong[0], 15, *wrong[1:]]


@pytest.mark.parametrize("predict", PREDICT)
def test_the_picture_predicts_as_it_says(predict: str) -> None:
    shown = Shown(board_of(dataset("moons", 60)), Unit(0, 0), predict)
    now = shown.forward[-1] + 2
    step = shown.ours[now]
    learned = shown.F[~shown.held]
    network = {
        "running means": step.network,
        "this mini-batch": step.network_on(learned[step.rows]),
        "one at a time": step.network_alone,
    }[predict]
    figure = shown.scene.views[0].draw(now)
    wrong = network.predict(shown.F) != shown.data.labels
    assert unpacked(figure["points"]["wrong"]).tolist() == wrong.tolist()
    np.testing.assert_array_equal(unpacked(figure["points"]["held"]), shown.held)
    named = {trace.get("name"): trace for trace in figure["data"]}
    rows = np.flatnonzero(~shown.held)[step.rows]
    rings = line(named["points of the mini-batch"])
    np.testing.assert_allclose(rings, shown.data.X[rows], rtol=1e-5)
    z = shown.sums(shown.ours[now - 1])
    (square,) = line(named["its point with the largest |ẑ|"])
    i = np.abs(z - z.mean()).argmax()
    np.testing.assert_allclose(square, shown.data.X[rows[i]], rtol=1e-5)


def test_the_views_beside_it_draw_the_unit() -> None:
    shown = Shown(board_of(dataset("moons", 60)), Unit(1, 1))
    _, strips, losses, back, drift = shown.scene.views
    now = shown.forward[3]
    step, other = shown.ours[now], shown.plain[now]
    z = shown.sums(step)
    hat = (z - z.mean()) / np.sqrt(z.var() + EPSILON)
    y = step.gammas[1][1] * hat + step.betas[1][1]
    dots = [t for t in strips.draw(now)["data"] if t["mode"] == "markers"]
    sums, normalised = (unpacked(t["x"]) for t in dots)
    np.testing.assert_allclose(sums, np.concatenate([shown.sums(other), z]), rtol=1e-5)
    np.testing.assert_allclose(normalised, np.concatenate([hat, y]), rtol=1e-5)

    curves = {t.get("name"): t for t in losses.draw(now)["data"]}
    for name, run in (("with normalisation", shown.ours), ("without", shown.plain)):
        found = unpacked(curves[name]["y"])
        np.testing.assert_allclose(found, [each.loss for each in run], rtol=1e-5)

    figure = back.draw(now + 1)
    named = {t["name"]: line(t) for t in figure["data"]}
    after_back = shown.ours[now + 1].back
    assert after_back is not None
    d = after_back.d[1][:, 1]
    np.testing.assert_allclose(named["d of a point"], np.column_stack([hat, d]), rtol=1e-5)
    fit = np.polynomial.Polynomial.fit(hat, d, 1)  # the line of least squares, but for epsilon
    for x, height in named["taken off: mean(d) + ẑ mean(dẑ)"]:
        assert height == pytest.approx(fit(x), abs=1e-3 * np.abs(d).max())
    assert not np.isfinite(line(back.draw(now)["data"][0])).any(), "not known before"

    means = {t.get("name"): t for t in drift.draw(now)["data"]}
    found = unpacked(means["z with: mean"]["y"])[now]
    assert found == pytest.approx(z.mean(), rel=1e-4)
    above = unpacked(means["a spread above (with)"]["y"])[now]
    assert above == pytest.approx(z.mean() + z.std(), rel=1e-4)


def test_a_network_that_diverges_waits_at_its_end() -> None:
    data = board_of(dataset("circles", 60))
    shown = Shown(data, Unit(0, 0), hidden=(4,), activation="relu", factor=100.0, updates=40)
    assert shown.plain[-1].event == "diverged" and len(shown.plain) < len(shown.ours)
    end = len(shown.ours) - 1
    update = shown.plain[-1].update
    assert f"The other network diverged in update {update}." in shown.scene.caption(end)
    for view in shown.scene.views:
        view.draw(end)
