from dataclasses import replace

import numpy as np
import pytest

from algorithms.core.kernels import linear, rbf
from algorithms.core.scaling import standard
from algorithms.data.presets import DATASETS
from algorithms.regression.tube_on_plane import tube_on_plane
from tests.core.figures import unpacked
from viz.core import plane
from viz.core.scene import Plane
from viz.core.words import number
from viz.regression import support_vector_regression as draw
from viz.regression import support_vector_regression_words as words


def tube(name: str = "sine", kernel=None, **how: float) -> draw.Tube:
    p = DATASETS[name]
    data = p.make(p.n, noise=p.noise, rng=np.random.default_rng(0))
    shown = Plane(data.X, data.labels, data.classes, ("x", "y"), plane.bounds(data.X))
    steps = list(tube_on_plane(data.X, kernel=kernel or rbf(1.0), **{"epsilon": 0.3, **how}))
    return draw.Tube(shown, 0.5, steps)


def test_the_curve_and_its_tube_are_those_of_the_model() -> None:
    shown = tube()
    units = standard(shown.data.X)
    for now in (0, 5, len(shown.steps) - 1):
        edges, curve, read = draw.picture(shown, now)["data"][1:4]
        x, y = unpacked(curve["x"]), unpacked(curve["y"])
        u = (x - units.center[0]) / units.spread[0]
        f = shown.steps[now].predict(u[:, None])
        np.testing.assert_allclose(y, units.center[1] + units.spread[1] * f, atol=1e-4)
        up = unpacked(edges["y"])[: len(x)]
        np.testing.assert_allclose(up - y, 0.3 * units.spread[1], atol=1e-4)
        assert unpacked(read["y"])[1] == pytest.approx(shown.predicted(now, 0.5), abs=1e-5)


def test_marks_tell_of_the_duals_and_the_pair_is_large() -> None:
    shown = tube()
    for now in (1, 9, len(shown.steps) - 1):
        step, figure = shown.steps[now], draw.picture(shown, now)
        kind = unpacked(figure["marks"]["kind"])
        assert ((kind == draw.IN) == (step.duals == 0)).all()
        assert ((kind == draw.OUT) == (step.duals >= 1.0)).all()
        large = np.flatnonzero(unpacked(figure["points"]["size"]) > plane.SIZES)
        assert set(large) == set(step.log.moved(now))


def test_objectives_are_those_of_the_steps_and_meet() -> None:
    shown = tube()
    primal, dual = draw.objectives(shown, 3)["data"][:2]
    for x, p, d in zip(primal["x"], primal["y"], dual["y"], strict=True):
        step = shown.steps[int(x)]
        assert (p, d) == (step.primal_objective, step.dual_objective)
    assert primal["y"][-1] == pytest.approx(dual["y"][-1], rel=1e-4)


def test_every_point_is_on_the_loss() -> None:
    shown = tube("line with outliers", linear())
    for now in (0, len(shown.steps) - 1):
        r, cost = (unpacked(draw.losses(shown, now)["data"][1][axis]) for axis in "xy")
        residuals = shown.steps[now].residuals
        np.testing.assert_allclose(r, residuals, atol=1e-5)
        np.testing.assert_allclose(cost, np.maximum(np.abs(residuals) - 0.3, 0), atol=1e-5)


def test_the_caption_counts_and_gives_the_numbers_of_the_move() -> None:
    shown = tube()
    left = replace(shown, data=replace(shown.data, X=shown.data.X - 1))
    assert "(x + 0.9681) / 1.78 and (y + 0.8265) / 1.468:" in words.note(left)
    assert words.caption(shown, 0).startswith("Start: β = 0 for all 60 points")
    for now in (1, 7):
        step = shown.steps[now]
        first, rule, read = words.caption(shown, now).split("\n")
        held, at_C = len(step.support), int((step.duals >= 1).sum())
        assert first.startswith(f"{held} points of 60 hold the curve, {at_C} of them at C.")
        move = step.move
        assert f"{number(move.slope)} / {number(move.curvature)} = {number(move.wanted)}" in rule
        assert f"point {move.i + 1} rises" in rule and f"point {move.j + 1} falls" in rule
        assert f"D = {number(step.dual_objective, 4)}" in rule
        assert number(shown.predicted(now, 0.5)) in read
    dear = tube(C=100.0)
    together = next(s.index for s in dear.steps if s.index and not hasattr(s.move, "i"))
    assert "free duals move to their common best place" in words.caption(dear, together)
