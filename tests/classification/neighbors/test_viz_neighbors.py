"""The pictures and captions of k nearest neighbours, recomputed from the data."""

import json

import numpy as np
import pytest
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.classification.neighbors.distances_in_cube import distances_in_cube
from algorithms.classification.neighbors.k_nearest_neighbors import k_nearest_neighbors
from algorithms.classification.neighbors.leave_one_out import leave_one_out
from algorithms.classification.neighbors.nearest_neighbors import METRICS, SCIPY
from algorithms.data.presets import DATASETS
from tests.core.figures import accepted_by_plotly, drawn, line, places, unpacked
from viz.classification.neighbors import choosing_k as draw_choosing
from viz.classification.neighbors import many_features as draw_cube
from viz.classification.neighbors import neighbors as draw
from viz.core import plane
from viz.core.scene import Plane, Run, Scene
from viz.core.words import decimal, number

MOONS = DATASETS["moons"].make(80, noise=0.3, rng=np.random.default_rng(0))
X, Y = MOONS.X, MOONS.labels
QUERY = np.array([0.2, -0.1])
CLASSES = ("one", "two", "three")


def board(X: ndarray = X, y: ndarray = Y) -> Plane:
    return Plane(X, y, CLASSES, ("x", "y"), plane.bounds(X))


def grown(**how) -> tuple[Scene, list]:
    steps = list(k_nearest_neighbors(X, Y, **{"k": 7, "query": QUERY} | how))
    return draw.neighbours(Run("", steps), board()), steps


def chosen(**how) -> tuple[Scene, list]:
    steps = list(leave_one_out(X, Y, **how))
    return draw_choosing.choosing(Run("", steps), board(), QUERY), steps


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("weights", ["equal", "by distance"])
def test_every_step_has_the_same_traces(metric: str, weights: str, standardize: bool) -> None:
    how = {"metric": metric, "weights": weights, "standardize": standardize}
    for scene, steps in (grown(**how), chosen(**how, most=6)):
        for now in range(len(steps)):
            for figure in drawn(scene, now):
                json.dumps(figure, allow_nan=False)
                accepted_by_plotly(figure)
            caption = scene.caption(now)
            assert "nan" not in caption and caption.count("\n") == 2
            assert max(map(len, caption.split("\n"))) <= 140


def test_three_classes_two_of_them_there_and_all_at_one_place() -> None:
    for points, y in ((X[:6], np.array([0, 2, 0, 2, 2, 0])), (np.ones((4, 2)), [0, 2, 2, 0])):
        y = np.array(y)
        data = board(points, y)
        grows = list(k_nearest_neighbors(points, y, k=4, query=points[0], weights="by distance"))
        leaves = list(leave_one_out(points, y))
        scenes = [
            (draw.neighbours(Run("", grows), data), grows),
            (draw_choosing.choosing(Run("", leaves), data, points[0]), leaves),
        ]
        for scene, steps in scenes:
            for now in range(len(steps)):
                for figure in drawn(scene, now):
                    json.dumps(figure, allow_nan=False)
                assert "two" not in scene.caption(now)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("units", [(1.0, 1.0), (1.0, 0.1)])
def test_the_ball_has_the_shape_of_the_metric(metric: str, units: tuple) -> None:
    scene, steps = grown(metric=metric, units=np.array(units))
    for now, step in enumerate(steps):
        figure = scene.views[0].draw(now)
        outline = line(figure["data"][1])
        name = SCIPY[metric]
        far = cdist(outline / units, [QUERY / units], name)
        np.testing.assert_allclose(far, step.radius, rtol=1e-5)
        inside = cdist(X / units, [QUERY / units], name)[:, 0] <= step.radius
        np.testing.assert_array_equal(unpacked(figure["marks"]["kind"]) > 0, inside)
        ends = unpacked(figure["edges"]["places"]).reshape(-1, 4)
        np.testing.assert_allclose(ends[:, :2], np.tile(QUERY, (now + 1, 1)), rtol=1e-6)
        np.testing.assert_allclose(ends[:, 2:], X[step.order[: now + 1]], rtol=1e-5)


def test_the_votes_and_the_distances_are_drawn() -> None:
    scene, _ = grown()
    far = np.sqrt(np.square(X - QUERY).sum(axis=1))
    order = np.argsort(far)
    for now in range(7):
        (bars,) = scene.views[1].draw(now)["data"]
        assert bars["y"] == np.bincount(Y[order[: now + 1]], minlength=2).tolist()
        figure = scene.views[2].draw(now)
        curve, ring = figure["data"]
        np.testing.assert_allclose(unpacked(curve["y"]), np.sort(far)[: len(curve["x"])], rtol=1e-5)
        assert len(curve["x"]) == 27
        assert (ring["x"], ring["y"]) == ([now + 1], [pytest.approx(np.sort(far)[now])])
        assert figure["layout"]["shapes"][0]["x0"] == 7
    np.testing.assert_allclose(places(scene.views[0].draw(3)), X, rtol=1e-5)


def standing(votes: ndarray) -> str:
    high, low = int(votes.max()), int(votes.min())
    if high == low:
        return "classes one and two are level"
    leader = CLASSES[votes.argmax()]
    return (
        f"class {leader} leads by {high} to {low}" if low else f"all votes are for class {leader}"
    )


def test_the_caption_of_a_neighbour() -> None:
    scene, _ = grown()
    apart = np.abs(X - QUERY)
    far = np.sqrt(np.square(apart).sum(axis=1))
    order = np.argsort(far)
    for now in range(7):
        near = order[now]
        votes = np.bincount(Y[order[: now + 1]], minlength=2)
        first, rule, picked = scene.caption(now).split("\n")
        assert first == (
            f"Neighbour {now + 1} of 7: class {CLASSES[Y[near]]}, at a distance of "
            f"{number(far[near])}; {standing(votes)}."
        )
        across, up = map(number, apart[near])
        assert (
            rule
            == f"r = √({across}² + {up}²) = {number(far[near])}, from the differences in x and y."
        )
        when = f"if k were {now + 1}, it would be" if now < 6 else "with k = 7 it is"
        place = f"({decimal(QUERY[0])}, {decimal(QUERY[1])})"
        said = f"Picked point {place}: {when} class {CLASSES[votes.argmax()]}, with "
        assert picked.startswith(f"{said}{votes.max()} of {now + 1} votes")
        assert ("a tie, which goes to the class" in picked) == (votes.max() == votes.min())


def test_the_rule_of_other_metrics_units_and_weights() -> None:
    spread = X.std(axis=0)
    across, up = map(number, spread.tolist())
    for metric, size in (("manhattan", sum), ("chebyshev", max)):
        scene, _ = grown(metric=metric, standardize=True, weights="by distance")
        apart = np.abs(X - QUERY) / spread
        far = np.array([size(row) for row in apart])
        order = np.argsort(far)
        parts = list(map(number, apart[order[4]].tolist()))
        rule = scene.caption(4).split("\n")[1]
        written = f"{parts[0]} + {parts[1]}" if size is sum else f"max({parts[0]}, {parts[1]})"
        assert rule.startswith(
            f"r = {written} = {number(float(far[order[4]]))}, after dividing x by "
        )
        assert f"x by {across} and y by {up}." in rule
        first, fifth = float(far[order[0]]), float(far[order[4]])
        assert rule.endswith(f"r₁/r = {number(first)}/{number(fifth)} = {number(first / fifth)}.")
        assert f"x by {across} and y by {up}" in scene.note


def test_the_events_have_their_words() -> None:
    scene, steps = grown(k=40)
    seen = {step.event for step in steps}
    assert "another class leads" in seen
    for now, step in enumerate(steps):
        if step.event == "another class leads":
            # a class that comes level and is listed first leads, too
            assert "leads by" in scene.caption(now) or "are level" in scene.caption(now)
    points = np.array([[0.0, 1], [0, -2]])
    tie = list(k_nearest_neighbors(points, np.array([1, 0]), k=2, query=np.zeros(2)))
    tied = draw.neighbours(Run("", tie), board(points, np.array([1, 0])))
    assert tie[-1].event == "tied vote"
    assert tied.caption(1).endswith("a tie, which goes to the class that is listed first.")
    assert "it is class one" in tied.caption(1)


def test_choosing_k_counts_what_is_left_out() -> None:
    scene, steps = chosen()
    far = cdist(X, X)
    np.fill_diagonal(far, np.inf)
    order = far.argsort(axis=1)
    counts = np.array([(Y[order[:, :k]] == 1).sum(axis=1) for k in range(1, 51)])
    ks = np.arange(1, 51)[:, None]
    wrong = ((2 * counts > ks) != Y).sum(axis=1)
    tied = (2 * counts == ks).sum(axis=1)
    best = int(wrong.argmin())
    left_out, training, now_mark, best_mark = scene.views[1].draw(9)["data"]
    assert left_out["y"] == wrong.tolist()
    assert training["y"][0] == 0
    assert now_mark["x"] == [10] and best_mark["x"] == [best + 1]
    assert scene.views[2].draw(9)["data"][0]["y"] == tied.tolist()
    for now in (0, 1, best, 49):
        first, rule, _ = scene.caption(now).split("\n")
        assert first.startswith(f"k = {now + 1}: {wrong[now]} of 80 points are wrong when each")
        against = f"the fewest are {wrong[best]}, at k = {best + 1}."
        assert first.endswith("no smaller one as few." if now == best else against)
        assert f"Leave-one-out error {wrong[now]}/80 = {number(100 * wrong[now] / 80)} %" in rule
        assert ("No vote is tied." in rule) == (tied[now] == 0)
        assert tied[now] < 2 or f"{tied[now]} votes are tied: the class listed" in rule
    rings = line(scene.views[0].draw(best)["data"][1])
    np.testing.assert_allclose(rings, X[steps[best].wrong], rtol=1e-5)


def test_the_picked_point_under_every_k() -> None:
    scene, _ = chosen(most=9)
    order = np.square(X - QUERY).sum(axis=1).argsort()
    for now in range(9):
        votes = np.bincount(Y[order[: now + 1]], minlength=2)
        named = [f"{n} for class {CLASSES[j]}" for j, n in enumerate(votes) if n]
        tie = ", which is listed first" if votes[0] == votes[1] else ""
        winner = f"class {CLASSES[votes.argmax()]}{tie}"
        said = f"Picked point: votes {' and '.join(named)}, so it is {winner}."
        assert scene.caption(now).split("\n")[2] == said


def test_the_cube_is_drawn_and_told() -> None:
    steps = list(distances_in_cube(50, rng=np.random.default_rng(0)))
    scene = draw_cube.concentration(Run("", steps), 50)
    for now, step in enumerate(steps):
        histogram, ratio, cube = drawn(scene, now)
        bars, lines, _ = histogram["data"]
        assert sum(bars["y"]) == pytest.approx(100)
        assert lines["x"][0] == step.nearest / step.mean
        assert lines["x"][3] == step.farthest / step.mean
        assert max(bars["y"]) < histogram["layout"]["yaxis"]["range"][1]
        assert ratio["data"][1]["x"] == [step.d]
        assert cube["data"][3]["y"] == [100 * step.side]
        first, rule, shares = scene.caption(now).split("\n")
        times = f"{number(step.farthest / step.nearest)} times as far from a query as the nearest."
        assert first.endswith(times) and "the farthest of 50 points" in first
        assert f"{number(step.mean)} ± {number(step.spread)}" in rule
        assert f"has sides of {number(step.side)}." in shares
    assert "With 1 feature the" in scene.caption(0)
    assert "less than 0.001 %" in scene.caption(7)
