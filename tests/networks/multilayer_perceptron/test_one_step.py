"""The pictures and captions of one update, recomputed from the data."""

import re
from typing import Any

import numpy as np
import pytest
from numpy import ndarray

from algorithms.core.features import polynomial_features
from algorithms.networks.multilayer_perceptron.backpropagation import backpropagation
from tests.core.figures import line, unpacked
from tests.core.samples import board_of, dataset
from tests.core.told import NUMBER, numbers
from tests.core.told import value as value_of
from viz.core.scene import Plane, Run, Scene
from viz.core.words import number
from viz.networks.multilayer_perceptron.backpropagation import OneStep


def board(name: str = "moons", n: int = 60) -> Plane:
    return board_of(dataset(name, n))


def learned(data: Plane, row: int = 3, rate: float = 1.0, **how: Any):
    features = polynomial_features(data.X, 1)
    how = {"hidden": (2,), "rng": np.random.default_rng(0)} | how
    steps = list(backpropagation(features(data.X), data.labels, learning_rate=rate, row=row, **how))
    show = OneStep(Run("", steps), data, features, row, rate)
    return show.scene(), steps, features(data.X)


def captions(scene: Scene, steps: list) -> dict[tuple[str, int], str]:
    """Return what the captions say, by phase and layer."""
    return {(step.phase, step.layer): scene.caption(i) for i, step in enumerate(steps)}


def after(text: str) -> list[float]:
    return numbers(text.replace("(", "").replace(")", ""))


@pytest.mark.parametrize("kind", ["tanh", "sigmoid", "relu"])
@pytest.mark.parametrize("name", ["moons", "blobs"])
def test_every_phase_has_its_numbers_in_the_rule(kind: str, name: str) -> None:
    data, row = board(name), 5
    scene, steps, F = learned(data, row, hidden=(3,), activation=kind)
    said, end = captions(scene, steps), steps[-1]
    label = data.classes[data.labels[row]]
    assert f"of class “{label}”" in said["input", 0]
    assert after(said["input", 0].rpartition("a = ")[2]) == pytest.approx(F[row], rel=5e-3)

    start = steps[0]
    _, hidden, _ = start.activations(F[[row]])
    j = int(np.abs(hidden[0]).argmax())
    text = said["forward", 1]
    assert f"Unit {j + 1}: " in text
    z = float(F[row] @ start.weights[0][:, j])
    found = after(text.rpartition(" = ")[2])
    assert found == pytest.approx([hidden[0, j]], rel=5e-3)
    assert after(text.partition(", z = ")[2].partition(", a")[0])[-1] == pytest.approx(z, rel=5e-3)

    P = start.predict_proba(F[[row]])[0]
    loss = -np.log(P[data.labels[row]])
    assert after(said["loss", 0].partition("; it")[0].rpartition(" = ")[2]) == pytest.approx(
        [loss], rel=5e-3
    )
    error = (P - np.eye(len(P))[data.labels[row]])[-len(end.deltas[1]) :]
    parts = said["backward", 2].split("\n")[1].split("; ")
    assert [after(part)[-1] for part in parts] == pytest.approx(error, rel=5e-3)

    delta = end.deltas[0]
    j = int(np.abs(delta).argmax())
    rule = said["backward", 1].split("\n")[1]
    assert rule.startswith(f"Unit {j + 1}: ")
    assert after(rule)[-1] == pytest.approx(delta[j], rel=5e-3)
    for layer in (1, 2):
        gradient = end.gradients[layer - 1]
        largest = gradient.ravel()[np.abs(gradient).argmax()]
        product = said["backward", layer].rpartition(": ")[2]
        a, d, g = after(product)
        assert a * d == pytest.approx(g, rel=0.02)
        assert g == pytest.approx(largest, rel=5e-3)
        old, rate, slope, new = after(said["update", layer].rpartition(": ")[2])
        assert rate == 1
        assert slope == pytest.approx(largest, rel=5e-3)
        assert old - slope == pytest.approx(new, abs=0.01 * (1 + abs(old)))
    old, new = after(said["again", 0].partition("from ")[2].partition("\n")[0])
    assert [old, new] == pytest.approx([loss, end.loss_after], rel=5e-3)


def test_a_step_that_goes_too_far_is_named() -> None:
    data = board("blobs")
    for row in range(60):
        scene, steps, _ = learned(data, row, 30.0, activation="tanh")
        assert steps[-1].event in (None, "loss rises")
        rises = "the step was too long" in scene.caption(len(steps) - 1)
        assert rises == (steps[-1].event == "loss rises")


def test_the_ring_is_on_the_point_and_every_delta_at_its_unit() -> None:
    data = board("blobs")
    scene, steps, _ = learned(data, 4, hidden=(2, 2))
    picture = scene.views[0].draw(0)["data"]
    ring = next(trace for trace in picture if trace.get("name") == "point it learns from")
    np.testing.assert_allclose(line(ring), data.X[4:5], rtol=1e-6)
    texts = scene.views[1].draw(len(steps) - 2)["data"][-1]["text"]
    assert sum("δ" in text for text in texts) == 2 + 2 + 3
    assert set(scene.views[1].draw(0)["data"][-1]["text"][2:]) == {" "}


@pytest.mark.parametrize("name", ["moons", "blobs"])
def test_at_the_end_every_unit_has_its_old_and_its_new_activation(name: str) -> None:
    data, row = board(name), 5
    scene, steps, F = learned(data, row, hidden=(3,))
    texts = scene.views[1].draw(len(steps) - 1)["data"][-1]["text"]
    expected = []
    for step in (steps[0], steps[-1]):
        P = step.predict_proba(F[[row]])[0]
        expected.append([*step.activations(F[[row]])[1][0], *P[-len(step.biases[-1]) :]])
    for said, old, new in zip(texts[2:], *expected, strict=True):
        assert "→" in said
        assert numbers(said) == pytest.approx([old, new], abs=0.00501)
    P = steps[-1].predict_proba(F[[row]])[0][data.labels[row]]
    rule = scene.caption(len(steps) - 1).split("\n")[1]
    logarithm, loss = after(rule.partition("−ln ")[2].partition(". All")[0])
    assert [logarithm, loss] == pytest.approx([P, -np.log(P)], rel=5e-3)


def test_where_all_relus_are_0_the_border_is_the_line_of_a_unit() -> None:
    data, seen = board(n=200), 0
    for seed in range(20):
        scene, steps, _ = learned(
            data, hidden=(1,), activation="relu", rng=np.random.default_rng(seed)
        )
        step, picture = steps[0], scene.views[0].draw(0)["data"]
        border, unit = line(picture[1]), line(picture[2])
        if step.weights[-1][0, 0] <= 0:  # a tie has the first class, and so has the rest
            assert not np.isfinite(border).any()
            continue
        seen += 1
        (x, y), *_, (right, top) = unit[np.isfinite(unit[:, 0])]
        found = border[np.isfinite(border[:, 0])]
        off = (found[:, 0] - x) * (top - y) - (found[:, 1] - y) * (right - x)
        np.testing.assert_allclose(off / np.hypot(right - x, top - y), 0, atol=0.01)
    assert 0 < seen < 20


def test_bars_are_the_changes_of_the_weights() -> None:
    data = board()
    scene, steps, _ = learned(data, 4, 0.7)
    first, last = steps[0], steps[-1]
    bars = scene.views[2].draw(len(steps) - 1)["data"][0]
    expected: list[ndarray] = []
    for layer in (0, 1):
        change = last.weights[layer] - first.weights[layer]
        bias = last.biases[layer] - first.biases[layer]
        expected.append(np.vstack([change, bias]).T.ravel())
    np.testing.assert_allclose(unpacked(bars["y"]), np.concatenate(expected), rtol=1e-5)
    assert len(bars["hovertext"]) == len(unpacked(bars["y"])) == 9
    assert bars["hovertext"][:3] == ["x to unit 1", "y to unit 1", "bias of unit 1"]
    layout = scene.views[2].draw(0)["layout"]
    assert layout["xaxis"]["tickvals"] == list(range(9))
    assert layout["xaxis"]["ticktext"] == [*"xybxyb", "1", "2", "b"]
    below = {note["text"]: note["x"] for note in layout["annotations"]}
    assert below == {"unit 1": 1, "unit 2": 4, "layer 1": 2.5, "output": 7}
    assert not unpacked(scene.views[2].draw(0)["data"][0]["y"]).any()


def test_a_point_whose_units_are_all_off_is_named() -> None:
    data = board()
    off = 0
    for row in range(len(data.X)):
        scene, steps, _ = learned(data, row, activation="relu", hidden=(1,))
        text = captions(scene, steps)["backward", 1]
        off += "1 of 1 unit has δ = 0 and learns nothing." in text
        assert ("learns nothing" in text) == (not steps[-1].deltas[0].any())
    assert 10 < off < 50


@pytest.mark.parametrize("name", ["moons", "blobs"])
@pytest.mark.parametrize("rate", [1.0, 0.3])
def test_the_largest_slope_is_that_of_a_weight_even_where_a_bias_changes_more(
    name: str, rate: float
) -> None:
    data, seen = board(name), 0
    for row in range(0, 60, 7):
        scene, steps, _ = learned(data, row, rate)
        said, end = captions(scene, steps), steps[-1]
        for layer in (1, 2):
            largest = np.abs(end.gradients[layer - 1]).max()
            assert "; the largest of a weight, " in said["backward", layer]
            assert "The largest change of a weight, " in said["update", layer]
            slope = after(said["backward", layer])[-1]
            assert abs(slope) == pytest.approx(largest, rel=5e-3)
            seen += np.abs(end.deltas[layer - 1]).max() > largest
    assert seen, "a bias whose slope is larger"


def test_units_that_all_answer_0_are_the_reason_for_the_probability() -> None:
    data, seen = board(), set()
    for row in range(60):
        scene, steps, F = learned(data, row, activation="relu")
        said = captions(scene, steps)
        silent = not steps[0].activations(F[[row]])[1].any()
        seen.add(silent)
        bias = after(said["loss", 0].partition("its bias alone, ")[2].partition("\n")[0])
        assert bias == ([0.0] if silent else [])
        assert ("add up their inputs and answer, both with 0." in said["forward", 1]) == silent
        assert ("Both units of layer 1 answer 0, so" in said["loss", 0]) == silent
        if silent:
            assert steps[0].biases[1][0] == 0 and "true class 50 %" in said["loss", 0]
    assert seen == {True, False}


@pytest.mark.parametrize("kind", ["tanh", "sigmoid", "relu"])
@pytest.mark.parametrize("name", ["moons", "blobs"])
def test_the_written_sums_come_out(kind: str, name: str) -> None:
    data, seen = board(name), 0
    for row in range(20):
        scene, steps, _ = learned(data, row, hidden=(3,), activation=kind)
        for now in range(len(steps)):
            said = scene.caption(now).replace("²", "")
            assert "+ −" not in said
            for written, value in re.findall(
                r"(?:z =|slope,.*?:|: ) ?([^=;:]*·[^=]*) = (\S+)", said
            ):
                parts = re.sub(NUMBER, lambda found: str(value_of(found[0])), written)
                made = eval(parts.replace("·", "*").replace("− ", "- "))
                value = value.rstrip(".,")
                assert number(made) == value, (written, value)
                seen += 1
    assert seen > 100
