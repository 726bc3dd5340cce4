"""The perceptron's pictures and captions: valid at every step, and saying what the data say."""

import re
from base64 import b64decode
from collections.abc import Callable
from functools import partial

import numpy as np
import plotly.graph_objects as go
import pytest

from algorithms.classification.linear.perceptron import delta_rule, perceptron
from algorithms.classification.linear.perceptron_bound import Separator, proof, separate
from algorithms.core.features import polynomial_features
from algorithms.data.presets import DATASETS, Dataset
from pages._shared.stage.stage import payload
from tests.classification.linear.test_perceptron import HOSTILE
from viz.classification.linear import perceptron as draw
from viz.core import plane

NUMBER = r"(−?[\d.]+(?:e[+−]?\d+)?)"


class Shown:
    """A run with its views and captions, put together as on the page."""

    def __init__(
        self, X: np.ndarray, y: np.ndarray, variant: str = "plain", *, rescale=False, **how
    ) -> None:
        self.X, self.y = X, y
        self.features = polynomial_features(X, 1, standardize=rescale)
        self.F = self.features(X)
        how = {"rng": np.random.default_rng(0), "learning_rate": 1.0} | how
        delta = variant == "delta rule"
        self.steps = list(
            delta_rule(self.F, y, **how) if delta else perceptron(self.F, y, variant=variant, **how)
        )
        self.known = separate(self.F, y)
        scene = draw.Scene(X, y, self.features, self.steps, self.known, delta)
        self.views: dict[str, Callable[[int], dict]] = {
            "picture": partial(draw.picture, scene, bounds=plane.bounds(X)),
            "weights": partial(draw.weight_space, scene, draw.path(self.steps)),
        }
        most = None
        if isinstance(self.known, Separator) and not delta:
            self.proof = proof(self.steps, self.known, learning_rate=how["learning_rate"])
            most = self.proof.bound
            self.views["bound"] = partial(
                draw.bound, draw.bound_curves(self.proof), self.proof, self.steps
            )
        else:
            self.views["progress"] = partial(draw.progress, scene, draw.sampled(scene))
        names = [str(label) for label in range(y.max() + 1)]
        self.caption = partial(
            draw.caption, scene, rate=how["learning_rate"], most=most, classes=names,
            names=self.features.names,
        )  # fmt: skip

    @property
    def payload(self) -> str:
        return payload([step.event for step in self.steps], self.views, self.caption)


def preset(name: str, n: int, **how: float) -> Dataset:
    made = DATASETS[name]
    return made.make(n, **{"noise": made.noise, "rng": np.random.default_rng(0)} | how)


def shown(name: str, n: int = 40, variant: str = "plain", noise=None, **how) -> Shown:
    data = preset(name, n, **{} if noise is None else {"noise": noise})
    return Shown(data.X, data.labels, variant, **how)


def places(trace: dict) -> np.ndarray:
    """Unpack the (m, 2) points of a trace."""
    packed = [trace[axis] for axis in "xy"]
    return np.stack([np.frombuffer(b64decode(p["bdata"]), p["dtype"]) for p in packed], axis=1)


def value(text: str) -> float:
    return float(text.replace("−", "-"))


CASES = {
    "separable": {"name": "separable"},
    "ones": {"name": "separable", "init": "ones", "learning_rate": 0.1},
    "inseparable": {"name": "moons", "max_epochs": 3},
    "averaged": {"name": "moons", "variant": "averaged", "max_epochs": 3},
    "pocket": {"name": "almost separable", "variant": "pocket", "max_epochs": 3},
    "standardised": {"name": "outlier", "rescale": True},
    "cycle": {"name": "gates", "n": 4, "noise": 0.0, "order": "cyclic"},
    "delta": {"name": "moons", "variant": "delta rule", "learning_rate": 0.03, "max_epochs": 3},
    "diverged": {"name": "moons", "variant": "delta rule", "learning_rate": 3.0},
}


@pytest.mark.parametrize("case", CASES)
def test_every_step_can_be_drawn(case: str) -> None:
    run = shown(**CASES[case])
    last = len(run.steps) - 1
    for now in {0, 1, last // 3, last - 1, last}:
        for view in run.views.values():
            go.Figure(view(now))
        lines = run.caption(now).split("\n")
        assert len(lines) == 2
        assert all(0 < len(line) <= 180 for line in lines), lines
    assert '"frames"' in run.payload  # the same traces with the same attributes at every step


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("variant", ["averaged", "delta rule"])
def test_hostile_data_can_be_drawn(name: str, variant: str) -> None:
    X, y = HOSTILE[name]
    if X.shape[1] != 2:
        return
    run = Shown(X, y, variant, max_epochs=1)
    assert "NaN" not in run.payload
    for now in (0, len(run.steps) - 1):
        for view in run.views.values():
            go.Figure(view(now))


def test_the_caption_recomputed_from_the_data() -> None:
    run = shown("separable", n=60)
    seen = 0
    for now, step in enumerate(run.steps):
        if not step.mistake or step.event != "mistake":
            continue
        first, second = run.caption(now).split("\n")
        epoch, sample = map(int, re.match(r"Epoch (\d+), sample (\d+)", first).groups())
        x, y = run.X[sample - 1], 2 * run.y[sample - 1] - 1
        before = run.steps[now - 1]
        assert epoch == step.epoch
        assert f"class {run.y[sample - 1]}, y = {'+1' if y > 0 else '−1'}" in first
        score = re.search(rf"= {NUMBER}: wrong, mistake (\d+) of at most (\d+)", first)
        o = x @ before.weights + before.bias
        assert value(score[1]) == pytest.approx(o, abs=5.1e-4)
        assert y * o <= 0
        assert int(score[2]) == step.mistakes
        assert int(score[3]) == int(run.proof.bound)
        pair = rf"\({NUMBER}, {NUMBER}\)"
        found = re.search(rf"= {pair} \+ 1 · \((.)1\) · {pair} = {pair}; b ← {NUMBER}", second)
        w1, w2, sign, x1, x2, new1, new2, b = found.groups()
        assert (sign == "+") == (y > 0)
        np.testing.assert_allclose([value(x1), value(x2)], x, atol=5.1e-4)
        old = np.array([value(w1), value(w2)])
        np.testing.assert_allclose(old, before.weights, atol=5.1e-4)
        np.testing.assert_allclose([value(new1), value(new2)], old + y * x, atol=1.1e-3)
        assert value(b) == pytest.approx(before.bias, abs=5.1e-4)
        wrong = int(re.search(r"(\d+) of 60 points wrong", second)[1])
        assert wrong == np.count_nonzero((run.X @ step.weights + step.bias > 0) != run.y)
        seen += 1
    assert seen == run.steps[-1].mistakes > 1


def test_the_captions_of_the_delta_rule_recomputed() -> None:
    run = shown("moons", 30, "delta rule", learning_rate=0.03, max_epochs=2)
    for now in range(1, len(run.steps) - 1):
        first, second = run.caption(now).split("\n")
        sample = int(re.search(r"sample (\d+)", first)[1]) - 1
        before, y = run.steps[now - 1], 2 * run.y[sample] - 1
        o = value(re.search(rf"= {NUMBER}: (?:wrong|right)", first)[1])
        assert o == pytest.approx(run.X[sample] @ before.weights + before.bias, abs=5.1e-4)
        found = re.search(rf"0.03 · \((.)1 − {NUMBER}\).*; b ← {NUMBER} \+ {NUMBER} = ", second)
        assert (found[1] == "+") == (y > 0)
        assert value(found[4]) == pytest.approx(0.03 * (y - o), abs=5.1e-4)


def test_the_captions_say_how_it_ends() -> None:
    def ending(**case) -> str:
        run = shown(**case)
        return run.caption(len(run.steps) - 1)

    assert re.match(r"Converged: epoch \d+ had no mistake", ending(**CASES["separable"]))
    assert "weights are those of one epoch ago" in ending(**CASES["cycle"])
    assert "Diverged" in ending(**CASES["diverged"])
    stopped = ending(**CASES["inseparable"])
    assert "Stopped: max_epochs = 3" in stopped
    assert "No separator exists" in stopped
    few = ending(name="outlier", n=60, max_epochs=1)
    assert "A separator exists: allow more epochs" in few
    assert "No separator exists (linear programming)" in shown(**CASES["inseparable"]).caption(0)
    assert "A separator exists (linear programming)" in shown(**CASES["separable"]).caption(0)


def test_the_ring_is_on_the_visited_sample_and_the_arrows_add_up() -> None:
    run = shown("separable", n=30)
    for now, step in enumerate(run.steps):
        ring = places(run.views["picture"](now)["data"][-1])
        np.testing.assert_allclose(ring[0], run.X[step.index] if now else np.nan, rtol=1e-6)
        old, new, added = (places(trace) for trace in run.views["weights"](now)["data"][2:5])
        np.testing.assert_allclose(new[-1], step.weights, atol=1e-5)
        assert np.isfinite(old[-1]).all() == np.isfinite(added[-1]).all() == step.mistake
        if step.mistake:
            change = step.amount * run.X[step.index]
            np.testing.assert_allclose(added[-1] - added[0], change, atol=1e-5)
            np.testing.assert_array_equal(added[0], old[-1])
            np.testing.assert_array_equal(added[-1], new[-1])


def test_the_cross_lies_in_the_hull_of_either_class() -> None:
    run = shown("gates", n=4, noise=0.0, order="shuffled", max_epochs=3)
    crosses = [places(run.views["picture"](now)["data"][3])[0] for now in (0, 5)]
    np.testing.assert_allclose(crosses[0], 0.5)
    assert np.isnan(crosses[1]).all()


@pytest.mark.parametrize("case", ["separable", "averaged", "delta"])
def test_the_payload_is_small(case: str) -> None:
    for n in (200, 1000):
        assert len(shown(**CASES[case] | {"n": n, "max_epochs": 6}).payload) <= 400_000
