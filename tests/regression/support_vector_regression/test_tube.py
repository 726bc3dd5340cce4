"""What the tube of support vector regression draws and writes."""

from dataclasses import replace

import numpy as np
import pytest

from algorithms.core.kernels import linear, rbf
from algorithms.core.pipeline import on_plane
from algorithms.core.scaling import standard
from algorithms.regression.support_vector_regression import support_vector_regression
from tests.core.figures import unpacked
from tests.core.samples import board_of, dataset
from tests.core.told import numbers
from viz.core import plane
from viz.core.scene import Run
from viz.core.words import number
from viz.regression.support_vector_regression import IN, OUT, Tube, where_it_is_held


def tube(name: str = "sine", kernel=None, **how: float) -> Tube:
    data = board_of(dataset(name))
    how = {"epsilon": 0.3} | how
    steps = tuple(on_plane(support_vector_regression, data.X, kernel=kernel or rbf(1.0), **how))
    return Tube(Run("", steps), data, 0.5)


def test_the_curve_and_its_tube_are_those_of_the_model() -> None:
    shown = tube()
    units = standard(shown.data.X)
    for now in (0, 5, len(shown.steps) - 1):
        edges, curve, read = shown.picture(now)["data"][1:4]
        x, y = unpacked(curve["x"]), unpacked(curve["y"])
        u = (x - units.center[0]) / units.spread[0]
        f = shown.steps[now].predict(u[:, None])
        np.testing.assert_allclose(y, units.center[1] + units.spread[1] * f, atol=1e-4)
        up = unpacked(edges["y"])[: len(x)]
        np.testing.assert_allclose(up - y, 0.3 * units.spread[1], atol=1e-4)
        np.testing.assert_allclose(shown.found(now).path, np.stack([x, y], axis=1), atol=1e-4)
        assert unpacked(read["y"])[1] == pytest.approx(shown.predicted(now, 0.5), abs=1e-5)


def test_marks_tell_of_the_duals_and_the_pair_is_large() -> None:
    shown = tube()
    for now in (1, 9, len(shown.steps) - 1):
        step, figure = shown.steps[now], shown.picture(now)
        kind = unpacked(figure["marks"]["kind"])
        assert ((kind == IN) == (step.duals == 0)).all()
        assert ((kind == OUT) == (step.duals >= 1.0)).all()
        large = np.flatnonzero(unpacked(figure["points"]["size"]) > plane.SIZES)
        assert set(large) == (set() if step.event == "converged" else set(step.moved))


def test_the_edge_is_held_where_a_point_half_way_up_is() -> None:
    shown = tube()
    x, f, sd = where_it_is_held(shown.data.X, shown.steps)
    assert f == pytest.approx(shown.predicted(len(shown.steps) - 1, x))
    assert sd == pytest.approx(shown.data.X[:, 1].std())
    height = shown.data.X[shown.data.X[:, 0] == x][0, 1]
    low, high = shown.data.X[:, 1].min(), shown.data.X[:, 1].max()
    assert abs(height - (low + high) / 2) < 0.05 * (high - low)
    last = len(shown.steps) - 1
    for now in (0, 7, last):
        lines = {each.get("name"): each for each in shown.picture(now)["data"]}
        across, up = (unpacked(lines["half-width ε of the tube"][axis]) for axis in "xy")
        if now < last:  # the edge cannot be dragged there
            assert np.isnan(across).all() and np.isnan(up).all()
            continue
        np.testing.assert_allclose(across[[0, 1, 3]], x, atol=1e-5)
        np.testing.assert_allclose(up[:2], [f, f + 0.3 * sd], atol=1e-5)


def test_the_start_says_what_a_curve_costs() -> None:
    shown = tube(C=1000.0)
    rule, start = shown.caption(0).split("\n")[1], shown.steps[0]
    total, C, loss, product, dual = numbers(rule)
    assert (total, C, dual) == (0, 1000, 0)
    assert number(C * loss) == number(product), "it comes out as printed"
    assert loss == pytest.approx(start.losses.sum(), rel=5e-3)
    assert product == pytest.approx(start.primal_objective, rel=5e-3)


def test_a_move_that_is_cut_off_says_where_it_ends() -> None:
    shown = tube()
    said = set()
    for step in shown.steps[1:-1]:
        if not hasattr(step.move, "i") or step.move.taken == step.move.wanted:
            continue
        moved, rule = shown.caption(step.index).split("\n")[1].split(". ", 1)
        curves = [shown.curve(now) / shown.units.spread[1] for now in (step.index - 1, step.index)]
        far = number(float(np.abs(curves[1] - curves[0]).max()))
        assert moved.startswith(f"The curve moves by at most {far} sd of y")
        pair = step.duals[[step.move.i, step.move.j]]
        assert rule.startswith(
            f"Both pulls β change by {number(step.move.taken)}, then one of them"
        )
        assert ("reaches C = 1;" in rule) == (pair >= 1).any()
        assert "one of them is 0;" not in rule or (pair == 0).any()
        said.add(rule.split(";")[0].rsplit("them ")[1])
    assert "reaches C = 1" in said


def test_objectives_are_those_of_the_steps_and_meet() -> None:
    shown = tube()
    primal, dual = shown.views()[2].draw(3)["data"][:2]
    costs = [step.primal_objective for step in shown.steps]
    assert len(primal["x"]) == len(costs) and np.any(np.diff(costs) > 0), "P jumps"
    for x, p, d in zip(primal["x"], primal["y"], dual["y"], strict=True):
        assert (p, d) == (min(costs[: int(x) + 1]), shown.steps[int(x)].dual_objective)
    for now in (0, 3, 5, len(costs) - 1):
        *_, mark = shown.views()[2].draw(now)["data"]
        assert (mark["x"], mark["y"]) == ([now], [min(costs[: now + 1])])
    assert primal["y"][-1] == pytest.approx(dual["y"][-1], rel=1e-4)


def test_every_point_is_on_the_loss() -> None:
    shown = tube("line with outliers", linear())
    for now in (0, len(shown.steps) - 1):
        absolute, squared, _, dots = shown.losses(now)["data"]
        x, y = (unpacked(absolute[axis]) for axis in "xy")
        np.testing.assert_allclose(y, np.abs(x))
        x, y = (unpacked(squared[axis]) for axis in "xy")
        np.testing.assert_allclose(y, x**2, atol=1e-4)
        r, cost = (unpacked(dots[axis]) for axis in "xy")
        residuals = shown.steps[now].residuals
        np.testing.assert_allclose(r, residuals, atol=1e-5)
        np.testing.assert_allclose(cost, np.maximum(np.abs(residuals) - 0.3, 0), atol=1e-5)


def test_the_caption_counts_and_gives_the_numbers_of_the_move() -> None:
    shown = tube()
    left = Tube(Run("", shown.steps), replace(shown.data, X=shown.data.X - 1), 0.5)
    assert "+ 0.9681) / 1.78" in left.note and "+ 0.8265) / 1.468" in left.note
    assert 60 in numbers(shown.caption(0))
    for now in (1, 7):
        step = shown.steps[now]
        first, rule, read = shown.caption(now).split("\n")
        held, at_C = len(step.support), int((step.duals >= 1).sum())
        move = step.move
        pair = [move.i + 1, move.j + 1]
        assert numbers(first) == [*pair, held, 60, *[at_C] * (at_C < held or held == 1)]
        old = shown.steps[now - 1].coefficients[[move.i, move.j]]
        up = "down less" if old[0] < 0 else "up more"
        down = "up less" if old[1] > 0 else "down more"
        assert first.startswith(f"Point {pair[0]} pulls the curve {up}, point {pair[1]} {down}: ")
        assert f"D = {number(step.dual_objective)}" in rule
        assert f"P = {number(step.primal_objective)}." in rule
        names = [trace for trace in shown.picture(now)["data"] if "↑" in str(trace.get("text"))]
        assert names[0]["text"] == [f"{pair[0]} ↑"]
        at = [unpacked(names[0][axis]).item() for axis in "xy"]
        wide, high = np.ptp(np.reshape(shown.data.bounds, (2, 2)), axis=1)
        assert np.all(np.abs(at - shown.data.X[move.i]) < 0.02 * np.array([wide, high]))
    for each in shown.steps[1:-1]:
        if hasattr(each.move, "i"):
            rule = shown.caption(each.index).split("\n")[1]
            slope, eta, wanted = numbers(rule.split("curvature = ")[1])[:3]
            assert slope == pytest.approx(each.move.slope, rel=1e-3)
            assert eta == pytest.approx(each.move.eta, rel=1e-3)
            assert number(slope / eta) == number(each.move.wanted) == number(wanted)
        assert number(shown.predicted(now, 0.5)) in read
    dear = tube(C=100.0)
    together = next(s.index for s in dear.steps if s.index and not hasattr(s.move, "i"))
    assert f"All {len(dear.steps[together].move.members)} " in dear.caption(together)
