import numpy as np
import pytest

from algorithms.data.truths import TRUTHS
from algorithms.networks.sigmoid_bumps import by_number, sigmoid_bumps
from algorithms.networks.trained_sigmoids import trained_sigmoids
from tests.core.figures import unpacked
from viz.core.scene import Plane
from viz.core.words import number
from viz.networks import universal_approximation as draw
from viz.networks import universal_approximation_words as words

EMPTY = Plane(np.empty((0, 2)), np.empty(0, int), (), ("x", "y"), (-3.4, 3.4, -3.4, 3.4))
TRUTH = TRUTHS["sine"]
SHOWN = draw.Approximation(TRUTH, EMPTY, 1.0)


def path(trace: dict) -> np.ndarray:
    return np.stack([unpacked(trace["x"]), unpacked(trace["y"])], axis=1)


@pytest.mark.parametrize("now", [0, 1, 6])
def test_the_newest_bump_is_what_the_step_adds(now: int) -> None:
    steps = list(sigmoid_bumps(TRUTH, bumps=6, steepness=4.0))
    bump, truth, network, read = draw.bumps_picture(SHOWN, steps, now)["data"]
    x = path(network)[:, :1]
    np.testing.assert_allclose(path(network)[:, 1], steps[now].predict(x), atol=1e-5)
    np.testing.assert_allclose(path(truth)[:, 1], TRUTH(path(truth)[:, 0]), atol=1e-5)
    added = steps[now].predict(x) - steps[max(now - 1, 0)].predict(x)
    np.testing.assert_allclose(path(bump)[:, 1], added, atol=1e-5)
    first, second, both = (path(each)[:, 1] for each in draw.pair(SHOWN, steps, now)["data"])
    np.testing.assert_allclose(first + second, both, atol=1e-5)
    np.testing.assert_allclose(both, added, atol=1e-5)
    assert path(read)[1] == pytest.approx([1.0, steps[now].predict(np.array([[1.0]]))[0]])


def test_the_misses_of_whole_sums_are_drawn_and_this_one_is_ringed() -> None:
    steps = list(sigmoid_bumps(TRUTH, bumps=8, steepness=4.0))
    found = by_number(TRUTH, draw.NUMBERS, 4.0)
    rms, largest, *rings = draw.by_number(found, steps[-1])(3)["data"]
    assert rms["x"] == [*draw.NUMBERS] and rms["y"][4] == pytest.approx(steps[-1].miss.rms)
    assert largest["y"] == found[:, 1].tolist()
    assert [(ring["x"], ring["y"]) for ring in rings] == [
        ([8], [steps[-1].miss.rms]),
        ([8], [steps[-1].miss.largest]),
    ]


def test_the_hidden_units_add_up_to_the_trained_network() -> None:
    steps = list(trained_sigmoids(TRUTH, bumps=2, epochs=20, rng=np.random.default_rng(0)))
    parts = path(draw.hidden(SHOWN, steps, 20)["data"][0])
    units = parts[np.isfinite(parts[:, 0])].reshape(4, -1, 2)
    total = units[:, :, 1].sum(axis=0) + steps[20].offset
    np.testing.assert_allclose(total, steps[20].predict(units[0, :, :1]), atol=1e-4)
    curve, goal, mark = draw.errors(steps)(9)["data"]
    np.testing.assert_allclose(path(curve)[:, 1], [step.miss.rms for step in steps], rtol=1e-5)
    assert goal["y"] == [steps[0].bumps_miss.rms] * 2
    assert (mark["x"], mark["y"]) == ([9], [steps[9].miss.rms])


def test_captions_have_the_numbers() -> None:
    steps = list(sigmoid_bumps(TRUTH, bumps=6, steepness=4.0))
    first, rule, read = words.bump(SHOWN, steps, 2).split("\n")
    assert "Bump 2 of 6" in first and f"f(−1.5) = {number(-2.0)}. N misses f by" in first
    assert number(steps[2].miss.rms) in first and number(steps[2].miss.largest) in first
    assert "σ(w (x − (−2))) − σ(w (x − (−1)))" in rule and "= 4 / 1 = 4." in rule
    assert f"{number(100 * np.tanh(1.0))} % of its height" in rule
    assert read == (
        f"4 hidden units. Picked x = 1: N = {number(steps[2].predict(np.array([[1.0]]))[0])}, "
        f"f = {number(np.sqrt(3))}."
    )
    assert "All bumps stand." in words.bump(SHOWN, steps, 6)
    epochs = list(trained_sigmoids(TRUTH, bumps=2, epochs=20, rng=np.random.default_rng(0)))
    every = np.array([step.miss.rms for step in epochs])
    first, rule, _ = words.epoch(SHOWN, epochs, every, 20).split("\n")
    for now in (3, 20):
        misses = [step.miss.rms for step in epochs[: now + 1]]
        told = f"so far by {number(min(misses))}, at epoch {np.argmin(misses)}."
        assert told in words.epoch(SHOWN, epochs, every, now)
    before, after = (number(epochs[i].miss.rms) for i in (19, 20))
    assert first.startswith(f"Epoch 20: the miss goes from {before} to {after}.")
    j = np.abs(epochs[20].heights).argmax()
    assert f"= {number(epochs[20].heights[j])} · σ({number(epochs[20].weights[j])} u" in rule
    assert f"miss f by {number(epochs[0].bumps_miss.rms)}" in rule
