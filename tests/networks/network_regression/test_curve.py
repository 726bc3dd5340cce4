"""The lab's pictures and captions, recomputed from the data."""

from base64 import b64decode
from typing import Any

import numpy as np
import pytest

from algorithms.core.pipeline import on_plane
from algorithms.core.scaling import standard
from algorithms.networks.multilayer_perceptron.multilayer_perceptron import multilayer_regression
from algorithms.networks.multilayer_perceptron.training import Training
from algorithms.networks.multilayer_perceptron.training_summary import number_summary
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.figures import line, read_png
from tests.core.samples import points_of
from tests.core.told import numbers
from viz.core import plane
from viz.core.scene import Plane, Run
from viz.core.theme import PALETTE
from viz.networks.diagram import CELLS, diagram, short
from viz.networks.network_regression import NumberEpochs

QUERY = 0.8

(LAB,) = (lab for lab in LABS if lab.name == "network_regression")


def fitted(**how: Any):
    """Return a scene, its steps, the points, which of them are held out, and the units."""
    X = points_of("sine", 40, noise=0.4)
    data = Plane(X, np.zeros(40, int), ("1",), ("x", "y"), plane.bounds(X))
    held = np.arange(40) % 4 == 0
    units = standard(X[~held])
    how = {"hidden": (3,), "epochs": 10, "rng": np.random.default_rng(0)} | how
    steps = list(on_plane(multilayer_regression, X[~held], learning_rate=0.3, **how))
    sums = number_summary(steps, units, X[held])
    show = NumberEpochs(Run("", steps), data, units, sums, held, QUERY, Training(learning_rate=0.3))
    np.testing.assert_allclose(show.found(7).path[::239, 0], data.bounds[:2])
    return show.scene(), steps, data, held, units


@pytest.mark.parametrize("hidden", [(), (3,), (8, 8, 8)])
def test_the_curve_is_the_sum_of_its_parts(hidden: tuple[int, ...]) -> None:
    scene, steps, data, held, units = fitted(hidden=hidden)
    lowest, curve, reading, *signs = scene.views[0].draw(7)["data"]
    assert [sign["name"] for sign in signs[:2]] == ["training", "held out"]
    u, v = ((data.X[held] - units.center) / units.spread).T
    off = [np.square(v - step.predict(u[:, None])).mean() for step in steps[:8]]
    best = int(np.argmin(off))
    if best == 7:
        assert np.isnan(line(lowest)).all()
    else:
        np.testing.assert_array_equal(line(lowest), line(scene.views[0].draw(best)["data"][1]))
    curve, reading = line(curve), line(reading)
    assert signs[2]["name"] == "its miss"
    ends = line(signs[2]).reshape(-1, 3, 2)[:, :2]
    np.testing.assert_allclose(ends[:, 0], data.X[held], atol=1e-4)
    np.testing.assert_allclose(ends[:, 1, 1], np.interp(ends[:, 1, 0], *curve.T), atol=5e-3)
    u = (curve[:, :1] - units.center[0]) / units.spread[0]
    v = steps[7].predict(u)
    np.testing.assert_allclose(curve[:, 1], units.center[1] + units.spread[1] * v, atol=1e-4)
    assert curve[0, 0] == pytest.approx(data.bounds[0])
    np.testing.assert_allclose(reading[-1], [QUERY, np.interp(QUERY, *curve.T)], atol=5e-3)
    if not hidden:
        return
    _, _, flat, *traces, here, leaders, ends = scene.views[1].draw(7)["data"]
    count, ends = hidden[-1], line(ends)
    lines = [line(trace) for trace in traces]
    parts, whole, level_lines, arrows = (
        lines[:count], lines[count], lines[count + 1], lines[count + 2 :]
    )  # fmt: skip
    assert len(parts) == len(ends) - 1 == len(arrows) == count
    led = line(leaders).reshape(-1, 3, 2)
    np.testing.assert_allclose(led[:count, 0], [part[-1] for part in parts], atol=1e-4)
    np.testing.assert_allclose(led[:, 1], ends, atol=1e-4)
    level = units.center[1] + units.spread[1] * float(steps[7].biases[-1][0])
    assert flat["y"] == pytest.approx([level, level])
    total = level + np.array(parts)[:, :, 1].sum(axis=0)
    np.testing.assert_allclose(total, np.interp(parts[0][:, 0], *curve.T), atol=0.02)
    np.testing.assert_allclose(whole[:, 1], total, atol=1e-4)
    tops = [level, *(arrow[1, 1] for arrow in arrows)]
    assert [arrow[0, 1] for arrow in arrows] == pytest.approx(tops[:-1])
    level_ends = level_lines.reshape(-1, 3, 2)[:, :2]
    np.testing.assert_allclose(level_ends[:, :, 1].T, [tops[1:]] * 2, atol=1e-4)
    added = [np.interp(QUERY, *part.T) for part in parts]
    np.testing.assert_allclose(np.diff(tops), added, atol=0.02)
    assert here["y"] == pytest.approx([reading[-1, 1]], abs=1e-4)
    assert tops[-1] == pytest.approx(reading[-1, 1], abs=1e-4)
    order = np.argsort([*(part[-1, 1] for part in parts), level])
    assert (np.diff(ends[order, 1]) > 0).all(), "the numbers stand in the order of the lines"


def test_a_node_shows_its_unit_over_x() -> None:
    scene, steps, data, _, units = fitted()
    figure = scene.views[3].draw(5)
    *said, v = steps[5].activations(np.array([[(QUERY - units.center[0]) / units.spread[0]]]))
    f = units.center[1] + units.spread[1] * v[0, 0]
    texts = [*np.concatenate([layer[0] for layer in said]), f]
    assert figure["data"][-1]["text"] == [short(value) for value in texts]
    left, right = data.bounds[:2]
    x = left + (right - left) * (np.arange(CELLS) + 0.5) / CELLS
    u = ((x - units.center[0]) / units.spread[0])[:, None]
    laid_out = diagram(data, steps[0], u)
    canvas, _ = read_png(b64decode(figure["data"][0]["source"].partition(",")[2]))
    for unit, levels in enumerate(steps[5].activations(u)[1].T):
        across, up = laid_out.corner(1, unit)
        node = canvas[up : up + CELLS, across : across + CELLS] > 0
        np.testing.assert_allclose(node.sum(axis=0), CELLS * (levels + 1) / 2, atol=0.51)
        assert (np.diff(node.astype(int), axis=0) <= 0).all(), "filled from below"


def test_the_caption_has_true_numbers() -> None:
    scene, steps, data, held, units = fitted(hidden=(4,))
    U = units.transform(data.X)
    losses = [((step.predict(U[held, :1]) - U[held, 1]) ** 2).mean() / 2 for step in steps]
    for now in (1, 4, 10):
        plain, rule, picked = scene.caption(now).split("\n")
        own = [((s.predict(U[~held, :1]) - U[~held, 1]) ** 2).mean() / 2 for s in steps[now - 1 :]]
        assert numbers(plain)[1] == pytest.approx(own[1], rel=5e-3)
        assert ("falls" if own[1] < own[0] else "rises") in plain
        old, rate, slope, new = numbers(rule.rpartition(": ")[2].replace("(", "").replace(")", ""))
        assert new == pytest.approx(old - rate * slope, abs=0.01) and rate == 0.3
        said = numbers(plain.partition("held-out points it is ")[2])
        assert said[0] == pytest.approx(losses[now], rel=5e-3)
        if "higher than" in plain:
            assert said[1] == np.argmin(losses[: now + 1])
        else:
            assert losses[now] == min(losses[: now + 1])
        *parts, f = numbers(picked.partition("curve, ")[2].replace("− ", "−"))
        assert f == pytest.approx(sum(parts), abs=0.01) and len(parts) == 5
        x = np.array([[(QUERY - units.center[0]) / units.spread[0]]])
        v = float(steps[now].predict(x)[0])
        assert f == pytest.approx(units.center[1] + units.spread[1] * v, rel=5e-3)
    assert "a straight line" in fitted(hidden=())[0].caption(0)
    assert "10 points are held out" in scene.note


def test_no_two_of_a_few_units_are_vermillion_and_orange() -> None:
    scene, *_ = fitted(hidden=(8,))
    inks = [trace["line"]["color"] for trace in scene.views[1].draw(7)["data"][3:11]]
    assert len(inks) == 8 and len(set(inks[:7])) == 7
    assert PALETTE[1] in inks[:4] and PALETTE[4] not in inks[:4]


def test_dead_units_are_0_at_the_training_points_and_may_be_above_0_elsewhere(
    session: Session,
) -> None:
    session.open(LAB, activation="relu", rate="1")
    run, scene = session.run_shown, session.scene_shown
    assert run and scene
    now = len(run.steps) - 1
    said = "Dead units: 4 of 4 (0 at every training point; unit 1 is above 0 only where none is)."
    assert said in scene.caption(now) and run.steps[now].stuck[0].all()
    units = [line(trace) for trace in scene.views[1].draw(now)["data"][3:7]]
    above = [np.abs(unit[:, 1]).max() > 0 for unit in units]
    assert above == [True, False, False, False]


def test_the_losses_are_on_a_logarithmic_axis_and_the_lowest_has_its_name_beside_them() -> None:
    scene, steps, data, held, units = fitted()
    figure = scene.views[2].draw(10)
    V = units.transform(data.X)
    own = [((step.predict(V[held, :1]) - V[held, 1]) ** 2).mean() / 2 for step in steps]
    np.testing.assert_allclose(line(figure["data"][1])[:, 1], own, rtol=1e-5)
    axis = figure["layout"]["yaxis"]
    assert axis["type"] == "log"
    (name,) = (trace for trace in figure["data"] if trace.get("text") == ["", "lowest"])
    best = int(np.argmin(own))
    assert name["x"] == [best, best]
    if best < 10:
        assert name["y"][0] == pytest.approx(own[best])
        low, high = axis["range"]
        assert low < np.log10(name["y"][1]) < high
