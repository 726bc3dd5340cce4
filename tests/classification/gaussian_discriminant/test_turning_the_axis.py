import numpy as np
import pytest

from algorithms.classification.gaussian_discriminant.fisher_axis import fisher_axis
from tests.core.figures import line, unpacked
from tests.core.samples import board_of, dataset
from viz.classification.gaussian_discriminant.fisher_axis import FisherAxis
from viz.core.scene import Run

DATA = dataset("moons", 60, noise=0.2)
STEPS = list(fisher_axis(DATA.X, DATA.labels))
FLAT = DATA.X * [1.0, 0.0]  # within the classes the points vary in one direction
SCENE = FisherAxis(Run("", STEPS), board_of(DATA)).scene()
SOME = [i for i, step in enumerate(STEPS) if step.event or i % 20 == 0]


def test_the_handles_are_on_the_axis() -> None:
    track = SCENE.views[0].track
    assert track is not None
    for step, ends in zip(STEPS, track.places, strict=True):
        across = np.array([-step.direction[1], step.direction[0]])
        np.testing.assert_allclose((ends - step.center) @ across, 0, atol=1e-9)


def test_points_are_dropped_onto_the_axis_and_wrong_ones_are_outlined() -> None:
    for now in SOME:
        step, figure = STEPS[now], SCENE.views[0].draw(now)
        sticks = line(figure["data"][1])
        np.testing.assert_allclose(sticks[::3], DATA.X, atol=1e-5)
        lost = sticks[1::3] - sticks[::3]
        np.testing.assert_allclose(lost @ step.direction, 0, atol=1e-5)
        wrong = unpacked(figure["points"]["wrong"]).astype(bool)
        np.testing.assert_array_equal(wrong, step.predict(DATA.X) != DATA.labels)


def test_the_strips_hold_every_point_once() -> None:
    for now in SOME:
        first, second, *_ = SCENE.views[1].draw(now)["data"]
        edges = unpacked(first["x"])
        z = STEPS[now].transform(DATA.X)[:, 0]
        for bars, sign, k in ((first, 1, 0), (second, -1, 1)):
            counts = sign * unpacked(bars["y"])
            assert counts.sum() == (DATA.labels == k).sum()
            middle = (counts * edges).sum() / counts.sum()
            assert abs(middle - z[DATA.labels == k].mean()) < first["width"] / 2


def test_a_caption_puts_the_numbers_into_j() -> None:
    for now in SOME:
        step, said = STEPS[now], SCENE.caption(now).replace("−", "-")
        z, y = step.transform(DATA.X)[:, 0], DATA.labels
        wrong = int((step.predict(DATA.X) != y).sum())
        fall = step.event == "means fall together"
        assert f"; {wrong} of 60 points " in said
        scatters = [np.square(z[y == k] - z[y == k].mean()).sum() for k in (0, 1)]
        assert (
            f"({scatters[0]:.3g} + {scatters[1]:.3g}) = {0 if fall else step.ratio:.3g}.\n" in said
        )
    best = next(i for i, step in enumerate(STEPS) if step.event == "most separation")
    assert "no axis has a larger J" in SCENE.caption(best)
    assert "varies" not in SCENE.note and "billionth" not in SCENE.note


def test_a_class_draws_axes_that_j_judges() -> None:
    drawing = FisherAxis(Run("", STEPS), board_of(DATA)).to_draw()
    assert drawing is not None
    most = max(step.ratio for step in STEPS)
    assert drawing.judge(drawing.best) == pytest.approx(1 / most)
    for step in STEPS[::30]:
        drawn = np.array([[5.0, -3.0], step.direction * 4 + [5.0, -3.0]])
        assert drawing.judge(drawn) == pytest.approx(1 / step.ratio)
    assert drawing.judge(drawing.start[[0, 0]]) is None, "no direction"
    assert (
        FisherAxis(Run("", list(fisher_axis(FLAT, DATA.labels))), board_of(DATA)).to_draw() is None
    )
