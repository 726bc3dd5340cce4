"""The pictures and captions of a training, recomputed from the data."""

import re
from base64 import b64decode
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from algorithms.core.features import polynomial_features
from algorithms.networks.multilayer_perceptron.multilayer_perceptron import multilayer_perceptron
from algorithms.networks.multilayer_perceptron.training import Training
from algorithms.networks.multilayer_perceptron.training_summary import class_summary
from tests.core.figures import line, places, read_png, unpacked
from tests.core.samples import board_of, dataset
from tests.core.told import numbers
from viz.core import plane
from viz.core.scene import Plane, Run
from viz.networks.diagram import CELLS, diagram, short
from viz.networks.multilayer_perceptron.multilayer_perceptron import ClassEpochs, output
from viz.networks.units import unit_name, weight_name

PICKED = np.array([-1.0, 0.5])


def board(name: str = "moons", n: int = 60) -> Plane:
    return board_of(dataset(name, n))


def trained(data: Plane, *, rate: float = 1.0, size: int = 1000, held: int = 4, **how: Any):
    """Return a scene of the training, its steps, and the network's input at all points."""
    out = np.arange(len(data.X)) % held == 0
    features = polynomial_features(data.X[~out], 1)
    F = features(data.X)
    how = {"hidden": (3,), "epochs": 10, "rng": np.random.default_rng(0)} | how
    how |= {"learning_rate": rate, "batch_size": size}
    steps = list(multilayer_perceptron(F[~out], data.labels[~out], **how))
    summary = class_summary(steps, features, data.X[out], data.labels[out])
    settings = Training(
        **{each.name: how[each.name] for each in fields(Training) if each.name in how}
    )
    show = ClassEpochs(Run("", steps), data, features, summary, out, PICKED, settings)
    return show.scene(), steps, F, out


# The picture and the diagram


def test_the_picture_marks_what_is_wrong_and_shows_the_lines_of_layer_one() -> None:
    data = board()
    scene, steps, F, held = trained(data)
    picture = scene.views[0].draw(10)
    np.testing.assert_allclose(places(picture), data.X, atol=1e-5)
    wrong = unpacked(picture["points"]["wrong"])
    np.testing.assert_array_equal(wrong, steps[10].predict(F) != data.labels)
    np.testing.assert_array_equal(unpacked(picture["points"]["held"]), held)
    features = polynomial_features(data.X[~held], 1)
    lines = [trace for trace in picture["data"] if "unit of layer 1" in trace.get("name", "")]
    names = [trace["text"] for trace in picture["data"] if trace.get("text")]
    assert names == [[f"unit {j + 1}"] for j in range(len(lines))]
    for unit, trace in enumerate(lines):
        ends = line(trace)
        ends = ends[np.isfinite(ends).all(axis=1)]
        z = features(ends) @ steps[10].weights[0] + steps[10].biases[0]
        assert len(ends) >= 2
        np.testing.assert_allclose(z[:, unit], 0, atol=1e-4)


def test_a_node_shows_what_its_unit_says_of_the_plane() -> None:
    data = board("blobs")
    scene, steps, _, held = trained(data, hidden=(4, 2))
    features = polynomial_features(data.X[~held], 1)
    cells = features(plane.grid(data.bounds, CELLS)[2])
    shown = diagram(data, steps[0], cells)
    assert shown.widths == (2, 4, 2, 3)
    for layer, width in enumerate(shown.widths):
        middles = shown.places(layer)
        assert (np.diff(middles[:, 1]) < -CELLS).all(), "from the top, none over another"
        left, right, bottom, top = shown.box
        assert (middles > [left, bottom]).all()
        assert (middles < [right, top]).all()
        assert len(middles) == width
    x = features(PICKED[None])
    texts = scene.views[1].draw(7)["data"][-1]["text"]
    *said, _ = steps[7].activations(x)
    expected = [*np.concatenate([layer[0] for layer in said]), *steps[7].predict_proba(x)[0]]
    assert texts == [short(value) for value in expected]


@pytest.mark.parametrize("activation", ["tanh", "sigmoid", "relu"])
def test_a_map_has_one_colour_above_0_and_another_below(activation: str) -> None:
    data = board()
    scene, steps, _, held = trained(data, hidden=(3,), activation=activation)
    cells = polynomial_features(data.X[~held], 1)(plane.grid(data.bounds, CELLS)[2])
    shown, figure = diagram(data, steps[0], cells), scene.views[1].draw(7)
    canvas, colors = read_png(b64decode(figure["data"][0]["source"].partition(",")[2]))
    above, below = [], []
    for layer, activations in enumerate(steps[7].activations(cells)[:-1]):
        for unit, levels in enumerate(activations.T):
            across, up = shown.corner(layer, unit)
            node = canvas[up : up + CELLS, across : across + CELLS].ravel()
            above += colors[node[levels > 0]].tolist()
            below += colors[node[levels < 0]].tolist()
            strength = node % 16
            order = np.abs(levels).argsort()
            assert (np.diff(strength[order].astype(int)) >= 0).all(), "stronger farther from 0"
    one, other = ({tuple(color) for color in colors} for colors in (above, below))
    assert len(one) == len(other) == 1 and one != other


def test_strokes_tell_the_size_and_the_sign_of_weights() -> None:
    scene, steps, *_ = trained(board(), hidden=(3,))
    traces = scene.views[1].draw(10)["data"][1:9]
    weights = np.concatenate([W.ravel() for W in steps[10].weights])
    for sign, dashes in ((1, traces[::2]), (-1, traces[1::2])):
        assert {trace["line"]["dash"] for trace in dashes} == {"solid" if sign > 0 else "dash"}
        counts = [int(np.isfinite(line(trace)[:, 0]).sum()) // 2 for trace in dashes]
        expected = np.histogram(sign * weights, [0.05, 0.5, 1.5, 4.0, np.inf])[0]
        assert counts == expected.tolist()


def test_stuck_units_have_a_frame() -> None:
    data = board()
    scene, steps, *_ = trained(data, activation="relu", rate=30.0, hidden=(8,))
    frames = line(scene.views[1].draw(10)["data"][-2])
    stuck = int(steps[10].stuck[0].sum())
    assert stuck > 0
    assert np.isfinite(frames[:, 0]).sum() == 5 * stuck
    assert f"Dead units: {stuck} of 8." in scene.caption(10)


def test_units_left_out_are_crossed_and_counted() -> None:
    data = board()
    scene, steps, *_ = trained(data, dropout=0.5, hidden=(4, 3))
    assert "Crossed out" in scene.note and "Crossed out" not in trained(data)[0].note
    for now in (0, 1, 6):
        crosses = line(scene.views[1].draw(now)["data"][9])
        out = [int(units.sum()) for units in steps[now].dropped]
        assert np.isfinite(crosses[:, 0]).sum() == 4 * sum(out)
    assert f"last update by layer: {out[0]} of 4, {out[1]} of 3." in scene.caption(6)
    scene, steps, *_ = trained(data, dropout=0.5, hidden=(1,))
    (now,) = [i for i, step in enumerate(steps) if step.dropped[0].all()][:1]
    assert "left out in the last update: 1 of 1.\n" in scene.caption(now)


def test_the_rule_with_momentum_adds_up() -> None:
    scene, steps, *_ = trained(board(), rate=0.5, momentum=0.9)
    for now in (1, 2, 7):
        rule = scene.caption(now).split("\n")[1].partition("Largest weight change, ")[2]
        beta, last, push, v, old, _, new = numbers(rule.partition(": v = ")[2].replace("− ", "−"))
        before, after = (
            np.concatenate([W.ravel() for W in steps[i].weights]) for i in (now - 1, now)
        )
        largest = np.abs(after - before).argmax()
        assert (old, new) == pytest.approx((before[largest], after[largest]), rel=5e-3)
        assert v == pytest.approx(beta * last + push, rel=0.01, abs=1e-3) and beta == 0.9
        assert v == pytest.approx(before[largest] - after[largest], rel=5e-3)
        assert last == 0 if now == 1 else last != 0


@pytest.mark.parametrize("optimizer", ["AdaGrad", "RMSProp", "Adam"])
def test_the_rule_of_an_optimiser_adds_up(optimizer: str) -> None:
    scene, steps, *_ = trained(board(), rate=0.05, optimizer=optimizer, hidden=(3, 2))
    for now in (1, 2, 7):
        rule = scene.caption(now).split("\n")[1]
        assert rule.startswith(f"By {optimizer}, ")
        before, after = (
            np.concatenate([W.ravel() for W in steps[i].weights]) for i in (now - 1, now)
        )
        largest = np.abs(after - before).argmax()
        numbered = rule.partition("Largest weight change, ")[2].partition(": ")[2]
        old, rate, mean, usual, new = numbers(re.sub("[()]", "", numbered))
        assert rate == 0.05 and new == pytest.approx(old - rate * mean / usual, abs=0.01)
        assert (old, new) == pytest.approx((before[largest], after[largest]), rel=5e-3)
        g = np.concatenate([G.ravel() for G in steps[now - 1].gradients])[largest]
        square = steps[now].squares[largest]
        if optimizer == "Adam":
            g, square = steps[now].velocity[largest] / (1 - 0.9**now), square / (1 - 0.999**now)
        assert (mean, usual) == pytest.approx((g, np.sqrt(square)), rel=5e-3)
    scene, *_ = trained(board(), size=10, optimizer=optimizer)
    assert f"5 updates by {optimizer}, each over 10 points" in scene.caption(3)


def test_the_diamond_is_where_the_held_out_loss_is_lowest_so_far() -> None:
    scene, steps, F, held = trained(board(), rate=3.0, hidden=(8,))
    own = [s.predict_proba(F[held])[np.arange(held.sum()), board().labels[held]] for s in steps]
    every = [-np.log(P).mean() for P in own]
    for now in (0, 4, 10):
        *_, diamond, _ = scene.views[2].draw(now)["data"]
        best = int(np.argmin(every[: now + 1]))
        assert diamond["name"] == "lowest so far" and diamond["x"] == [best]
        assert diamond["y"] == ([None] if best == now else pytest.approx([every[best]]))


def test_curves_are_the_account() -> None:
    data = board()
    scene, steps, F, held = trained(data, hidden=(3, 2))
    training_line, held_line, *_ = scene.views[2].draw(5)["data"]
    np.testing.assert_allclose(line(training_line)[:, 1], [s.loss for s in steps], rtol=1e-5)
    own = [s.predict_proba(F[held])[np.arange(held.sum()), data.labels[held]] for s in steps]
    np.testing.assert_allclose(line(held_line)[:, 1], [-np.log(P).mean() for P in own], rtol=1e-5)
    for layer, trace in enumerate(scene.views[3].draw(5)["data"][:3]):
        sizes = [np.linalg.norm(step.gradients[layer]) for step in steps]
        np.testing.assert_allclose(line(trace)[:, 1], sizes, rtol=1e-5)


# Captions of the training


def test_the_caption_of_an_epoch_has_true_numbers() -> None:
    data = board()
    scene, steps, F, held = trained(data, rate=0.5)
    for now in range(1, 11):
        plain, rule, picked = scene.caption(now).split("\n")
        before, step = steps[now - 1], steps[now]
        wrong = int((step.predict(F[~held]) != data.labels[~held]).sum())
        goes = "falls" if step.loss < before.loss else "rises"
        assert f"Epoch {now}: the loss {goes} to" in plain
        assert numbers(plain.partition(" to ")[2])[0] == pytest.approx(step.loss, rel=5e-3)
        assert f"; {wrong or 'none'} of 45 training" in plain
        old, rate, slope, new = numbers(rule.rpartition(": ")[2].replace("(", "").replace(")", ""))
        assert old - rate * slope == pytest.approx(new, abs=0.01 * (1 + abs(old)))
        changes = [np.abs(W - V) for W, V in zip(step.weights, before.weights, strict=True)]
        assert max(change.max() for change in changes) == pytest.approx(rate * abs(slope), rel=0.01)
        missed = int((step.predict(F[held]) != data.labels[held]).sum())
        assert step.event or plain.endswith(f"{missed or 'none'} of 15 held-out ones are wrong.")
        x = polynomial_features(data.X[~held], 1)(PICKED[None])
        z, P = float(step.decision_function(x)[0]), step.predict_proba(x)[0, 1]
        found = numbers(picked.replace("“2”", "").replace("1/(1 + exp", ""))
        assert found[:3] == pytest.approx([z, -z, P], rel=5e-3, abs=1e-6)
        assert picked.endswith(f"so class {2 if P > 0.5 else 1}.")


def test_captions_fit_into_three_lines() -> None:
    for name, hidden in (("moons", (8, 8, 8)), ("blobs", (4,))):
        scene, steps, *_ = trained(board(name), hidden=hidden, activation="relu", size=10)
        for now in range(len(steps)):
            lines = scene.caption(now).split("\n")
            assert len(lines) == 3
            assert max(map(len, lines)) <= 135, max(lines, key=len)


def test_the_start_says_what_the_network_is() -> None:
    data = board("blobs")
    scene, *_ = trained(data, hidden=(4, 2), activation="relu")
    text = scene.caption(0)
    assert text.startswith("Start: before any learning the loss is ")
    assert "max(0, z)" in text
    assert f"by layer: 4 and 2; {2 * 4 + 4 + 4 * 2 + 2 + 2 * 3 + 3} weights and biases." in text
    assert "No hidden layer: 9 weights and biases" in trained(data, hidden=())[0].caption(0)


def test_failures_are_named() -> None:
    data = board()
    alike, *_ = trained(data, spread=0.0)
    thinned, *_ = trained(data, spread=0.0, dropout=0.5, activation="sigmoid")
    said = [scene.caption(0).split("\n")[1] for scene in (alike, thinned)]
    assert all("the same" in each for each in said)
    assert ["leave none of them out" in each for each in said] == [False, True]
    scene, steps, *_ = trained(data, activation="relu", rate=1e12, penalty=0.1)
    assert steps[-1].event == "diverged"
    assert "diverged" in scene.caption(len(steps) - 1)
    scene, steps, *_ = trained(data, activation="tanh", spread=30.0)
    now = next(i for i, step in enumerate(steps) if any(units.any() for units in step.stuck))
    assert f"Saturated units: {steps[now].stuck[0].sum()} of 3." in scene.caption(now)


def test_where_no_weight_moves_the_caption_says_whether_a_bias_does() -> None:
    """From zeros, tanh and ReLU leave all weights at 0; the output's bias alone learns."""
    scene, steps, *_ = trained(board_of(dataset("moons", 61)), spread=0.0, held=3)
    for now in (1, 5):
        assert not any(W.any() for W in steps[now].weights)
        pairs = zip(steps[now].biases, steps[now - 1].biases, strict=True)
        moved = any((new != old).any() for new, old in pairs)
        assert ("only biases change" in scene.caption(now)) == moved
        assert ("no weight changes" in scene.caption(now)) != moved


def test_batches_are_counted() -> None:
    scene, *_ = trained(board(), size=10)
    assert "5 updates, each over 10 points (the last 5)." in scene.caption(3)


def test_names_of_units_and_weights() -> None:
    data = board("blobs")
    _, (step, *_), *_ = trained(data, hidden=(2,))
    assert weight_name(step, 0, 1, 0, data) == "y to unit 1"
    assert weight_name(step, 1, 1, 2, data) == "unit 2 to the output of “3”"
    (deep, *_) = trained(data, hidden=(2, 2))[1]
    assert weight_name(deep, 1, 1, 0, data) == "unit 2 of layer 1 to unit 1 of layer 2"
    assert unit_name(trained(board())[1][0], 1, 0, board()) == "the output"
    said = output(step, np.zeros((1, 2)), data)
    P = step.predict_proba(np.zeros((1, 2)))[0]
    assert numbers(re.sub("“.”|so class .", "", said)) == pytest.approx(P, rel=0.06)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.004, "0.00"), (-0.004, "0.00"), (-0.1234, "−0.12"), (9.99, "9.99"), (1234, "1234")],
)
def test_numbers_in_nodes_are_short(value: float, text: str) -> None:
    assert short(value) == text
