"""A changed step: how a run goes on from it, and how it is shown."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from algorithms.clustering.k_means.k_means import advance, by_hand, k_means
from algorithms.core.iterate import moved, resumed
from tests.core.figures import accepted_by_plotly, line
from tests.core.samples import rng
from tests.house.check_steps import check_steps, same
from viz.core import plane, what_if
from viz.core.question import Option, question
from viz.core.scene import Figure, Plane, Scene, View

RANDOM = np.random.default_rng(4)
X = RANDOM.normal(size=(40, 2)) + np.repeat([[-0.5, 0.0], [0.5, 0.3]], 20, axis=0)
Y = np.repeat([0, 1], 20)
PLACES = np.array([[0.0, 2.0], [0.5, -1.0]])
LATER = plane.figure([plane.line(PLACES)], (0.0, 9.0, 0.0, 1.0))


def resumed_k_means(was: list, at: int, X: np.ndarray, centers: np.ndarray) -> list:
    change = partial(by_hand, X, centers)
    return check_steps(resumed(was, at, change, partial(advance, X), most=200))


def test_k_means_goes_on_from_places_given_by_hand() -> None:
    was = list(k_means(X, 2, rng=rng(1)))
    for at in (1, 2, len(was)):
        steps = resumed_k_means(was, at, X, PLACES)
        again = list(k_means(X, 2, rng=rng(1), init=PLACES))
        assert all(same(a, b) for a, b in zip(was[:at], steps[:at], strict=True))
        assert steps[at].event == "moved by hand" and (steps[at].centers == PLACES).all()
        assert [step.inertia for step in steps[at:]] == [step.inertia for step in again]
    with pytest.raises(ValueError, match=r"centers must have shape \(k, d\) = \(2, 2\)"):
        resumed_k_means(was, 1, X, PLACES[:1])
    for at in (0, len(was) + 1):
        with pytest.raises(ValueError, match="at must be between 1 and the number of steps"):
            resumed_k_means(was, at, X, PLACES)


# A point of the first class, well away from its like, and where it goes.
ROWS, THERE = np.array([7]), np.array([[2.5, -1.5]])
MOVED = X.copy()
MOVED[ROWS] = THERE


def test_k_means_goes_on_from_its_centres_with_the_point_elsewhere() -> None:
    was = list(k_means(X, 2, rng=rng(1)))
    assert (moved(X, ROWS, THERE) == MOVED).all()
    for at in (1, 2, len(was)):
        steps = resumed_k_means(was, at, MOVED, was[at - 1].centers)
        again = list(k_means(MOVED, 2, rng=rng(1), init=was[at - 1].centers))
        for a, b in zip(steps[at:], again, strict=True):
            np.testing.assert_array_equal(a.centers, b.centers)
            assert a.inertia == b.inertia


@pytest.mark.parametrize(
    ("rows", "places", "sentence"),
    [
        ([99], [[0.0, 0.0]], "rows must be different rows from 0 to 39"),
        ([7, 7], [[0.0, 0.0], [1.0, 1.0]], "rows must be different rows"),
        ([7], [[0.0]], "places must have d=2 columns"),
        ([7], [[0.0, np.inf]], "places must be finite"),
    ],
)
def test_points_cannot_be_moved_to_no_place(rows: list, places: list, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        moved(X, np.array(rows), np.array(places))


def scene(name: str) -> Scene:
    def draw(now: int) -> Figure:
        path = np.array([[0.0, 0.0], [now, 1.0]])
        return plane.figure([plane.line(path)], (0.0, 9.0, 0.0, 1.0))

    def ghost(since: int, now: int) -> list[list[dict]]:
        return [[what_if.path(np.array([[since, 0.0], [now, 1.0]]))], [what_if.curve([1, 2], 1)]]

    def ask(now: int) -> Any:
        return question(f"{name} {now}?", Option("yes"), [Option("no")], "so")

    views = [View(title, draw) for title in ("picture", "curve", "other")]
    return Scene(
        views, lambda now: f"{name} {now}.\nThe rule.\nMore.", "Note.", ask=ask, ghost=ghost
    )


def test_the_ghost_is_seen_from_the_step_on_and_waits_at_its_end() -> None:
    shown = what_if.what_if(scene("new"), scene("old"), 4, 3)
    for now, visible, end in (
        (0, False, 3),
        (2, False, 3),
        (3, True, 3),
        (4, True, 4),
        (7, True, 4),
    ):
        picture, curve, other = (view.draw(now) for view in shown.views)
        for figure in (picture, curve, other):
            accepted_by_plotly(figure)
        assert [len(figure["data"]) for figure in (picture, curve, other)] == [2, 2, 1]
        assert picture["data"][1]["visible"] == curve["data"][1]["visible"] == visible
        expected = what_if.path(np.array([[3.0, 0.0], [end, 1.0]]))
        assert picture["data"][1] == expected | {"visible": visible}
        assert picture["layout"]["annotations"] == [what_if.KEY]
        assert "annotations" not in curve["layout"]


def test_where_a_point_was_moved_its_old_place_is_marked_and_the_old_scene_shown_before() -> None:
    old, new = np.array([[0.5, 0.5], [2.0, 1.0]]), np.array([[8.0, 0.25], [3.0, 1.0]])
    before, after = scene("old"), scene("new")
    then = replace(after, views=[replace(view, draw=lambda _: LATER) for view in after.views])
    shown = what_if.what_if(then, before, 4, 3, (old, new))
    for now in range(6):
        picture, curve, other = (view.draw(now) for view in shown.views)
        accepted_by_plotly(picture)
        assert [len(each["data"]) for each in (picture, curve, other)] == [3, 2, 1]
        ways = picture["data"][2]
        assert ways["visible"] == (now >= 3)
        np.testing.assert_allclose(line(ways)[[0, 1, 3, 4]], np.stack([old, new], 1).reshape(4, 2))
        assert ways["marker"]["size"] == [18, 0, 0, 18, 0, 0]  # a ring at each old place
        drawn = LATER if now >= 3 else before.views[2].draw(now)
        assert other["data"] == drawn["data"]
    assert shown.caption(2).startswith("old 2.\nSo far as it was")
    said = "the point at (0.500, 0.500) {0} (8.000, 0.250), the point at (2.000, 1.000) {0} (3"
    assert shown.caption(3).startswith(f"T{said.format('goes to')[1:]}")
    assert shown.caption(3).split("\n")[0].endswith(", by hand. new 3.")
    assert shown.caption(4).startswith("new 4.\n")
    assert f"From step 3 on {said.format('is at')}" in shown.note
    many = np.zeros((3, 2))
    assert "3 points have been moved" in what_if.what_if(then, before, 4, 3, (many, many)).note


def test_a_plane_knows_where_its_points_were() -> None:
    data = Plane(MOVED, Y, ("a", "b"), ("x", "y"), (0.0, 1.0, 0.0, 1.0), (3, X))
    assert data.before is X and replace(data, moved=None).before is MOVED
    places = data.by_step(np.copy)
    assert [bool((places(now) == X).all()) for now in range(5)] == [True] * 3 + [False] * 2
    assert places(0) is places(1)


def test_a_run_of_one_step_has_a_ghost_too() -> None:
    """Step 1 is after its end; there is no step before its last one."""
    assert line(what_if.curve([5.0], 0)).tolist() == [[0, 5]]
    ways = line(what_if.paths([PLACES], 0))
    np.testing.assert_allclose(ways[[0, 2]], PLACES, atol=1e-6)
    assert np.isnan(ways[[1, 3]]).all()  # the gaps


def test_the_caption_has_both_runs_and_no_question_is_about_the_step_by_hand() -> None:
    shown = what_if.what_if(scene("new"), scene("old"), 4, 3)
    before = "So far as it was; step 3 is changed."
    assert shown.caption(2) == f"new 2.\n{before}\nThe rule."
    assert shown.caption(3) == "new 3.\nAs it was, dash-dotted: old 3.\nThe rule."
    assert shown.caption(6) == "new 6.\nAs it was, dash-dotted (at its end): old 4.\nThe rule."
    assert shown.note.startswith("Dash-dotted: ") and shown.note.endswith("Note.")
    assert shown.ask(2) is None
    asked = shown.ask(3)
    assert asked and asked.text == "new 3?"
