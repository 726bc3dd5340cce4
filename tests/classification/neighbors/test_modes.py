"""The pictures and captions of k nearest neighbours, recomputed from the data."""

import re

import numpy as np
import pytest
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.classification.neighbors.distances_in_cube import distances_in_cube
from algorithms.classification.neighbors.k_nearest_neighbors import k_nearest_neighbors
from algorithms.classification.neighbors.leave_one_out import leave_one_out
from algorithms.classification.neighbors.nearest_neighbors import METRICS, SCIPY
from tests.core.figures import drawn, line, places, unpacked
from tests.core.samples import dataset
from tests.core.told import numbers
from viz.classification.neighbors.distances_in_cube import DistancesInCube
from viz.classification.neighbors.k_nearest_neighbors import GrowingBall
from viz.classification.neighbors.leave_one_out import LeaveOneOut
from viz.core import plane
from viz.core.scene import Plane, Run, Scene
from viz.core.words import alike, number

MOONS = dataset("moons", 80, noise=0.3)
X, Y = MOONS.X, MOONS.labels
QUERY = np.array([0.2, -0.1])
CLASSES = ("one", "two", "three")


def board(X: ndarray = X, y: ndarray = Y) -> Plane:
    return Plane(X, y, CLASSES, ("x", "y"), plane.bounds(X))


def grown(**how) -> tuple[Scene, list]:
    steps = list(k_nearest_neighbors(X, Y, **{"k": 7, "query": QUERY} | how))
    return GrowingBall(Run("", steps), board()).scene(), steps


def chosen(**how) -> tuple[Scene, list]:
    steps = list(leave_one_out(X, Y, **how))
    return LeaveOneOut(Run("", steps), board(), QUERY).scene(), steps


def test_a_class_without_points_is_not_named() -> None:
    points, y = X[:6], np.array([0, 2, 0, 2, 2, 0])
    grows = list(k_nearest_neighbors(points, y, k=4, query=points[0], weights="by distance"))
    leaves = list(leave_one_out(points, y))
    data = board(points, y)
    modes = GrowingBall(Run("", grows), data), LeaveOneOut(Run("", leaves), data, points[0])
    for mode in modes:
        for now in range(len(mode.steps)):
            assert "two" not in mode.caption(now)
            assert set(np.unique(mode.found(now).classes)) <= {0, 2}


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
        np.testing.assert_allclose(ends[:, 2:], X[step.order[: now + 1]], rtol=1e-5)
        starts, ways = ends[:, :2] - QUERY, ends[:, 2:] - QUERY
        assert (np.linalg.norm(starts, axis=1) <= np.linalg.norm(ways, axis=1) + 1e-6).all()
        turned = starts[:, 0] * ways[:, 1] - starts[:, 1] * ways[:, 0]
        np.testing.assert_allclose(turned, 0, atol=1e-5)


def test_a_line_is_where_the_winner_of_the_vote_changes() -> None:
    scene, steps = grown()
    across, up = np.ptp(board().bounds[:2]), np.ptp(board().bounds[2:])
    around = np.array([[i, j] for i in (-1, 0, 1) for j in (-1, 0, 1)]) * [across, up] / 100
    (border,) = [
        line(each)
        for each in scene.views[0].draw(0)["data"]
        if each.get("name") == "line: the winner of the vote changes here"
    ]
    border = border[np.isfinite(border[:, 0])]
    assert len(border) > 5
    for place in border:
        assert len(np.unique(steps[-1].model.predict(place + around))) > 1


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


def test_the_caption_of_a_neighbour() -> None:
    scene, _ = grown()
    apart = np.abs(X - QUERY)
    far = np.sqrt(np.square(apart).sum(axis=1))
    order = np.argsort(far)
    for now in range(7):
        near = order[now]
        votes = np.bincount(Y[order[: now + 1]], minlength=2)
        high, low = votes.max(), votes.min()
        first, rule, picked = scene.caption(now).split("\n")
        found = [now + 1, 7, float(number(far[near]))]
        assert numbers(first) == found + ([high, low] if high > low > 0 else [])
        assert f"class {CLASSES[Y[near]]}" in first
        assert f"class {CLASSES[votes.argmax()]}" in first or high == low
        across, up = map(number, apart[near])
        assert rule.startswith(f"Its distance is r = √({across}² + {up}²) = {alike(far[near])[0]},")
        when = [now + 1] if now < 6 else [7]
        assert numbers(picked.partition("):")[2]) == [*when, high, now + 1]
        assert f"class {CLASSES[votes.argmax()]}" in picked
        assert ("a tie" in picked) == (high == low)


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
            f"Its distance is r = {written} = {alike(far[order[4]])[0]}, after dividing x by "
        )
        assert f"x by {across} and y by {up}." in rule
        first, fifth = float(far[order[0]]), float(far[order[4]])
        assert rule.endswith(
            f"r₁/r = {number(first, 4)}/{number(fifth, 4)} = {number(first / fifth)}."
        )
        assert f"x by {across} and y by {up}" in scene.note


def test_a_column_that_is_multiplied_is_named() -> None:
    scene, _ = grown(units=np.array([1, 1e-3]))
    assert scene.caption(4).split("\n")[1].endswith(", after multiplying y by 1000.")
    assert "Distances are taken after multiplying y by 1000." in scene.note


def test_the_events_have_their_words() -> None:
    scene, steps = grown(k=40)
    seen = {step.event for step in steps}
    assert "another class leads" in seen
    for now, step in enumerate(steps):
        if step.event == "another class leads":
            # a class that comes level and is listed first leads, too
            assert re.search(" (leads|wins) by |are level", scene.caption(now))
    points = np.array([[0.0, 1], [0, -2]])
    tie = list(k_nearest_neighbors(points, np.array([1, 0]), k=2, query=np.zeros(2)))
    tied = GrowingBall(Run("", tie), board(points, np.array([1, 0])))
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
    best, every_best = int(wrong.argmin()), np.flatnonzero(wrong == wrong.min()) + 1
    left_out, training, now_mark, best_mark = scene.views[1].draw(9)["data"]
    assert left_out["y"] == wrong.tolist()
    assert training["y"][0] == 0
    assert now_mark["x"] == [10] and best_mark["x"] == every_best.tolist()
    assert best_mark["y"] == [wrong[best]] * len(every_best)
    assert scene.views[2].draw(9)["data"][0]["y"] == tied.tolist()
    for now in (0, 1, best, 49):
        first, rule, _ = scene.caption(now).split("\n")
        least = int(wrong[: now + 1].argmin())
        against = [] if now == least else [wrong[least], least + 1]
        assert numbers(first) == [now + 1, wrong[now], 80, *against]
        share = f"{wrong[now]}/80 = {number(100 * wrong[now] / 80)} %"
        assert share in rule
        assert numbers(rule)[6:] == ([tied[now]] if tied[now] else [])
    wrong = unpacked(scene.views[0].draw(best)["points"]["wrong"])
    np.testing.assert_array_equal(wrong, steps[best].wrong)


def test_the_picked_point_under_every_k() -> None:
    scene, _ = chosen(most=9)
    order = np.square(X - QUERY).sum(axis=1).argsort()
    for now in range(9):
        votes = np.bincount(Y[order[: now + 1]], minlength=2)
        picked = scene.caption(now).split("\n")[2]
        assert numbers(picked) == [n for n in votes.tolist() if n]
        assert picked.partition("so it is ")[2].startswith(f"class {CLASSES[votes.argmax()]}")
        assert ("listed first" in picked) == (votes[0] == votes[1])


def test_the_cube_is_drawn_and_told() -> None:
    steps = list(distances_in_cube(50, rng=np.random.default_rng(0)))
    scene = DistancesInCube(Run("", steps), 50).scene()
    for now, step in enumerate(steps):
        histogram, ratio, cube = drawn(scene, now)
        bars, lines, _, first = histogram["data"]
        assert first["y"][:-1] == (100 * steps[0].heights).tolist()
        assert sum(bars["y"]) == pytest.approx(100)
        assert lines["x"][0] == step.nearest / step.mean
        assert lines["x"][3] == step.farthest / step.mean
        assert max(bars["y"]) < histogram["layout"]["yaxis"]["range"][1]
        assert ratio["data"][1]["x"] == [step.d]
        assert cube["data"][3]["y"] == [100 * step.side]
        first, rule, shares = scene.caption(now).split("\n")
        said = [number(step.farthest / step.nearest), number(step.mean), number(step.spread)]
        assert numbers(first) == [step.d, 50, float(said[0])]
        assert f"{said[1]} ± {said[2]}" in rule
        assert numbers(shares)[-1] == float(number(step.side))
