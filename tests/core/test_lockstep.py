from dataclasses import replace

import numpy as np

from algorithms.classification.gaussian_discriminant.gaussian_discriminant import (
    gaussian_discriminant,
)
from algorithms.clustering.k_means.k_means import k_means
from tests.core.figures import accepted_by_plotly, unpacked
from viz.core import plane
from viz.core.found import Groups, Regions
from viz.core.lockstep import Pane, both_runs, side_by_side
from viz.core.scene import Plane, Run, Scene, View

RNG = np.random.default_rng(0)
X = np.concatenate([RNG.normal([-1, 0], 1, (40, 2)), RNG.normal([1, 0], [0.3, 1], (40, 2))])
DATA = Plane(X, np.repeat([0, 1], 40), ("a", "b"), ("x", "y"), plane.bounds(X))
CELLS = plane.grid(DATA.bounds, 50)[2]


def classes(title: str, models: list) -> Pane:
    """Return a side whose picture fills the plane with a model's classes."""

    def draw(now: int) -> dict:
        winner = models[now].predict(CELLS).reshape(50, 50)
        points = plane.points(X, DATA.labels)
        return plane.figure([plane.regions(winner, None, DATA.bounds)], DATA.bounds, points=points)

    def found(now: int) -> Regions:
        return Regions(models[now].predict(CELLS).reshape(50, 50))

    scene = Scene(
        [View("picture", draw)], lambda now: f"At {now}.\nMore.", note="Words.", found=found
    )
    return Pane(title, Run(title, tuple(models)), scene)


def groups(title: str, steps: list) -> Pane:
    def draw(now: int) -> dict:
        points = plane.points(X, steps[now].labels)
        return plane.figure([], DATA.bounds, points=points)

    def found(now: int) -> Groups:
        return Groups(steps[now].labels)

    scene = Scene([View("p", draw)], lambda now: f"At {now}.", found=found)
    return Pane(title, Run(title, tuple(steps)), scene)


def models(covariance: str) -> list:
    return list(gaussian_discriminant(X, DATA.labels, covariance=covariance))


def test_where_two_classifiers_differ_is_hatched_and_measured() -> None:
    left, right = classes("LDA", models("shared")), classes("QDA", models("separate"))
    scene = side_by_side(left, right, DATA)
    assert [view.title for view in scene.views] == ["LDA", "QDA"] and scene.equal
    last = len(left.run.steps) - 1
    part = left.run.steps[-1].predict(CELLS) != right.run.steps[-1].predict(CELLS)
    assert part.any()
    first, *others = scene.caption(last).split("\n")
    assert f"{100 * part.mean():.3g}" in first and "Hatched" in first
    assert others == [f"LDA: At {last}.", f"QDA: At {last}."]
    for view in scene.views:
        figure = view.draw(last)
        accepted_by_plotly(figure)
        assert len(figure["data"]) == len(view.draw(0)["data"]) == 3
    assert scene.note == "LDA: Words. QDA: Words."
    same = side_by_side(left, left, DATA)
    assert same.caption(last).startswith("They predict the same class everywhere.")


def test_clusters_are_compared_whatever_their_numbers() -> None:
    steps = list(k_means(X, 3, rng=np.random.default_rng(0)))
    turned = [type(s)(**{**vars(s), "labels": (s.labels + 1) % 3}) for s in steps]
    scene = side_by_side(groups("one", steps), groups("two", turned), DATA)
    assert scene.caption(0).startswith("They put the same points together.")
    fewer = list(k_means(X, 2, rng=np.random.default_rng(0)))
    scene = side_by_side(groups("three", steps), groups("two", fewer), DATA)
    now = len(steps) - 1
    rings = scene.views[1].draw(now)["data"][-1]
    assert len(unpacked(rings["x"])) > 0
    assert f"Ringed: the {len(unpacked(rings['x']))} of 80 points" in scene.caption(now)


def test_what_cannot_be_compared_is_shown_side_by_side() -> None:
    left = classes("one", models("separate"))
    right = Pane("two", left.run, replace(left.scene, found=None))
    scene = side_by_side(left, right, DATA)
    assert scene.caption(0) == "one: At 0. More.\ntwo: At 0. More."
    assert len(scene.views[0].draw(0)["data"]) == 2


def test_the_shorter_run_waits_at_its_end_and_events_say_whose_they_are() -> None:
    steps = list(k_means(X, 3, rng=np.random.default_rng(0)))
    left, right = groups("long", steps), groups("short", steps[:2])
    run = both_runs([left, right])
    assert len(run.steps) == len(steps)
    assert run.steps[-1].steps == (steps[-1], steps[1])
    assert run.steps[-1].event == f"long: {steps[-1].event}"
    scene = side_by_side(left, right, DATA)
    assert "short (at its end): At 1." in scene.caption(len(steps) - 1)


def test_the_sentence_of_a_side_that_failed_is_that_of_both() -> None:
    failed = Pane("no", Run("no", (), "There is nothing."), Scene([], lambda _: ""))
    assert both_runs([classes("yes", models("separate")), failed]).error == "There is nothing."
