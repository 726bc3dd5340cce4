import numpy as np
import pytest

from algorithms.evaluation.rotating_folds import RotatingFoldsStep, rotating_folds
from tests.core.figures import drawn, unpacked
from tests.core.samples import dataset
from tests.core.told import numbers
from viz.core import plane
from viz.core.scene import Plane, Run, Scene
from viz.evaluation.thresholds.rotating_folds import Folds


def made(name: str, *, folds: int = 5, deals: int = 3, classifier: str = "LDA", n: int = 60):
    """Return the page's scene with these parameters."""
    data = dataset(name, n, noise=0.6)
    steps = list(
        rotating_folds(
            data.X, data.labels, rng=np.random.default_rng(0), folds=folds, repeats=deals,
            stratified=folds < 10, classifier=classifier,
        )
    )  # fmt: skip
    board = Plane(data.X, data.labels, ("a", "b", "c"), ("x", "y"), plane.bounds(data.X))
    mode = Folds(Run("", steps), board, classifier, folds < 10)
    return mode.scene(), steps, data.labels


SCENE: Scene
STEPS: list[RotatingFoldsStep]
SCENE, STEPS, LABELS = made("moons")


def test_a_fold_that_takes_a_whole_class_leaves_a_model_of_the_others() -> None:
    X = np.random.default_rng(0).normal(size=(9, 2))
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1, 2])
    steps = list(rotating_folds(X, y, rng=np.random.default_rng(0), folds=3))
    board = Plane(X, y, ("a", "b", "c"), ("x", "y"), plane.bounds(X))
    scene = Folds(Run("", steps), board, "LDA", True).scene()
    for now in range(3):
        drawn(scene, now)


def test_the_fold_is_held_out_and_thick_outlines_on_its_wrong_points() -> None:
    for now, step in enumerate(STEPS):
        figure = SCENE.views[0].draw(now)
        assert unpacked(figure["points"]["held"]).astype(bool).tolist() == step.held_out.tolist()
        assert unpacked(figure["points"]["wrong"]).astype(bool).tolist() == step.wrong.tolist()


def test_bars_are_the_errors_so_far() -> None:
    for now, step in enumerate(STEPS):
        before, here, low, high, mean, _ = SCENE.views[1].draw(now)["data"]
        heights = unpacked(before["y"]) + unpacked(here["y"])
        np.testing.assert_allclose(heights[: step.fold + 1], 100 * step.errors, rtol=1e-6)
        assert not heights[step.fold + 1 :].any()
        assert mean["y"][0] == pytest.approx(100 * step.errors.mean())
        assert low["y"][0] <= mean["y"][0] <= high["y"][0] + 1e-9


def test_the_estimates_are_those_of_the_deals_that_are_finished() -> None:
    for now, step in enumerate(STEPS):
        dots = unpacked(SCENE.views[2].draw(now)["data"][3]["y"])
        assert np.isfinite(dots).sum() == len(step.estimates)
        np.testing.assert_allclose(dots[: len(step.estimates)], 100 * step.estimates, rtol=1e-6)


def test_a_caption_holds_this_step_s_numbers() -> None:
    errors: list[float] = []
    means: list[float] = []
    for now, step in enumerate(STEPS):
        if step.fold == 0:
            errors = []
        errors.append(step.wrong.sum() / step.held_out.sum())
        lines = SCENE.caption(now).split("\n")
        if step is STEPS[-1]:  # the last headline is about all deals
            lines = [*lines[1:], lines[0]]
        first, rule, *estimates = lines
        counts = [step.wrong.sum()] if step.wrong.any() else []
        assert numbers(first)[:-1] == [step.deal + 1, 3, step.fold + 1, 5, *counts, 12]
        if step.fold > 0:
            assert f"/{step.fold + 1} = {100 * np.mean(errors):.3g} %" in rule
            assert f"s = {100 * np.std(errors, ddof=1):.3g} percentage points" in rule
        a, b = (int((LABELS[step.held_out] == k).sum()) for k in (0, 1))
        assert f"{a} of class a and {b} of class b" in rule
        if step.fold == 4:
            means.append(float(np.mean(errors)))
        assert len(estimates) == (len(means) > 1)
        if len(means) > 1:
            found = np.array([min(means), max(means), np.mean(means), np.std(means, ddof=1)])
            np.testing.assert_allclose(numbers(estimates[0])[1:], 100 * found, rtol=6e-3)


def test_the_note_says_how_the_points_are_dealt() -> None:
    assert numbers(SCENE.note)[:2] == [60, 5]
    assert "class by class" in SCENE.note
    assert "only one deal" in made("moons", folds=60, deals=1)[0].note
    assert "at random" in made("moons", folds=12, deals=1)[0].note
