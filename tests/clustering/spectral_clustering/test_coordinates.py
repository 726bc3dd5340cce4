"""What the mode of spectral clustering shows and writes, recomputed from the data."""

import re

import numpy as np
import pytest
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.clustering.spectral_clustering import Event, SpectralStep, spectral_clustering
from algorithms.core import similarity_graph as module
from tests.core.figures import drawn, line, places, unpacked
from tests.core.samples import board, points_of
from tests.house.check_steps import event_names
from viz.clustering.spectral_clustering.coordinates import Coordinates
from viz.clustering.spectral_clustering.linked_views import INWARDS
from viz.core.plane import SIZES
from viz.core.scene import Run, Scene
from viz.core.words import number

X = points_of("blobs")
QUERY = np.array([0.3, -0.2])
POINT = int(np.square(X - QUERY).sum(axis=1).argmin())
GAMMA = 5.0


def run(X: ndarray, k: int, gamma: float = GAMMA) -> list[SpectralStep]:
    return list(spectral_clustering(X, k, gamma=gamma, rng=np.random.default_rng(1)))


def show(X: ndarray, steps: list[SpectralStep]) -> Scene:
    return Coordinates(Run("", steps), board(X), QUERY).scene()


STEPS = run(X, 4)
SCENE = show(X, STEPS)
W = np.exp(-GAMMA * cdist(X, X, "sqeuclidean")) * (1 - np.eye(200))


def test_the_edges_go_to_the_nearest_points_and_are_as_wide_as_they_weigh() -> None:
    edges = drawn(SCENE, 0)[0]["edges"]
    ends, width = unpacked(edges["places"]).reshape(-1, 4), unpacked(edges["width"])
    a, b = (cdist(ends[:, part], X).argmin(axis=1) for part in (slice(0, 2), slice(2, 4)))
    np.testing.assert_allclose(width, 3 * W[a, b], rtol=1e-4)
    pairs = {frozenset(pair) for pair in zip(a.tolist(), b.tolist(), strict=True)}
    nearest = cdist(X, X).argsort(axis=1)[:, 1:5]
    assert pairs == {frozenset((i, j)) for i in range(200) for j in nearest[i].tolist()}
    assert "of every point to its 4 nearest ones" in SCENE.note


def sized(values: ndarray) -> ndarray:
    return 0.35 + 0.9 * values / values.max()


def test_what_the_points_look_like() -> None:
    for now, step in enumerate(STEPS):
        figure = drawn(SCENE, now)[0]
        np.testing.assert_allclose(places(figure), X, rtol=1e-6)
        group, size = (unpacked(figure["points"][name]) for name in ("group", "size"))
        if step.phase == "graph":
            degrees = W.sum(axis=1)
            np.testing.assert_allclose(size / SIZES, sized(degrees), atol=0.5 / SIZES)
        else:
            assert (size == SIZES).all()
        if step.phase == "k-means":
            np.testing.assert_array_equal(group, step.labels)
        else:
            same = (group == (step.embedding[:, 1] < 0)).mean()
            assert same in (0, 1), "one colour for each sign"
        if step.phase == "eigenvectors":
            assert (group == STEPS[-1].labels).sum() >= (1 - group == STEPS[-1].labels).sum()


def test_it_opens_when_the_colours_are_those_of_the_end() -> None:
    (end,) = (now for now, step in enumerate(STEPS) if step.phase == "eigenvectors")
    colours = [unpacked(drawn(SCENE, now)[0]["points"]["group"]) for now in range(end + 1)]
    assert 0 < SCENE.opens < end
    assert (colours[SCENE.opens] == colours[end]).all()
    assert all((colours[now] != colours[end]).any() for now in range(SCENE.opens))


def test_the_circle_is_where_an_edge_weighs_one_half() -> None:
    circle, _ = drawn(SCENE, 0)[0]["data"]
    far = np.hypot(*(line(circle) - X[POINT]).T)
    np.testing.assert_allclose(np.exp(-GAMMA * far**2), 0.5, rtol=1e-4)
    (layer,) = SCENE.views[0].layers
    assert layer.marks == (circle["name"],) and not layer.on


def test_the_second_picture_has_the_rows() -> None:
    for now, step in enumerate(STEPS):
        figure = drawn(SCENE, now)[1]
        np.testing.assert_allclose(places(figure), step.embedding[:, 1:3], atol=1e-6)
        _, ring, cross, names = figure["data"]
        np.testing.assert_allclose(line(ring)[0], step.embedding[POINT, 1:3], atol=1e-6)
        if step.half_step:
            np.testing.assert_allclose(line(cross), step.half_step.centers[:, 1:3], rtol=1e-5)
        told = []
        if step.half_step:
            told = [f"cluster {j + 1}: {n}" for j, n in enumerate(np.bincount(step.labels))]
        assert sorted(name for name in names["text"] if name) == sorted(told)
    assert "numbers 2 and 3" in SCENE.views[1].title
    two = show(X, run(X, 2))
    np.testing.assert_allclose(places(drawn(two, 2)[1]), run(X, 2)[2].embedding, atol=1e-6)
    assert "numbers 1 and 2" in two.views[1].title


def test_the_bars_are_what_is_left_of_the_eigenvectors() -> None:
    """Of random numbers, the part along an eigenvector shrinks by 1 − λ/2 in every round."""
    for now, step in enumerate(STEPS):
        (bars,) = drawn(SCENE, now)[3]["data"]
        wanted = np.arange(12) < 4 if step.t is None else (1 - STEPS[0].eigenvalues / 2) ** step.t
        np.testing.assert_allclose(bars["y"], wanted, atol=1e-6)


@pytest.mark.parametrize("gamma", [GAMMA, 50.0])
def test_a_count_is_written_at_the_points_that_it_counts(gamma: float) -> None:
    steps = run(X, 2, gamma)
    scene = show(X, steps)
    for now, step in enumerate(steps):
        if step.phase == "k-means":
            continue
        figure = drawn(scene, now)[1]
        names = figure["data"][3]
        group, rows = unpacked(figure["points"]["group"]), places(figure)
        assert sum(map(bool, names["text"])) == (2 if len(np.unique(group)) == 2 else 0)
        for at, name in zip(line(names), names["text"], strict=True):
            if name:
                middles = INWARDS * np.array([rows[group == k].mean(axis=0) for k in (0, 1)])
                own = group == np.hypot(*(middles - at).T).argmin()
                assert name == f"{own.sum()} points"


def test_the_eigenvalues_and_their_widest_gap() -> None:
    values = STEPS[0].eigenvalues
    assert int(np.diff(values).argmax()) + 1 == 3, "not at k, and so not named"
    for now in range(len(STEPS)):
        bar, dots = drawn(SCENE, now)[2]["data"]
        np.testing.assert_allclose(line(dots)[:, 1], values, rtol=1e-4, atol=1e-9)
        assert dots["marker"]["symbol"] == [0] * 4 + [100] * 8
        assert np.isnan(line(bar)).all()


def test_a_widest_gap_at_k_is_named() -> None:
    figure = drawn(show(X, run(X, 3)), 0)[2]
    values, bar = STEPS[0].eigenvalues, line(figure["data"][0])
    np.testing.assert_allclose(bar, [[3.5, values[2]], [3.5, values[3]]], rtol=1e-4)
    assert [note["text"] for note in figure["layout"]["annotations"]] == ["k used: 3", "widest gap"]


def test_a_largest_factor_at_k_is_told_where_the_widest_gap_is_elsewhere() -> None:
    rings = points_of("circles", 300, noise=0.12, sample=1)
    steps = run(rings, 2, 17.0)
    values = steps[0].eigenvalues
    assert int(np.diff(values).argmax()) + 1 > 2
    assert int((values[2:] / values[1:-1]).argmax()) == 0, "from λ₂ to λ₃"
    rule = show(rings, steps).caption(len(steps) - 1).split("\n")[1]
    assert f"is {number(values[2] / values[1])} times λ₂" in rule
    gap = int(np.diff(values).argmax()) + 1
    wide = f"As a difference, the gap after {gap} is the widest among 12"
    factor = number(values[gap] / values[gap - 1])
    assert "suggests 2 clusters" in rule
    assert rule.endswith(f" {wide}, but there λ grows only by the factor {factor}.")
    # The factor is seen on a logarithmic axis, on which 0 has a place below all others.
    figure = drawn(show(rings, steps), 0)[2]
    bar, dots = figure["data"]
    at = line(dots)[:, 1]
    np.testing.assert_allclose(at[1:], values[1:], rtol=1e-4)
    assert values[0] < 1e-9 and at[0] < values[1] / 10
    axis = figure["layout"]["yaxis"]
    assert axis["type"] == "log" and "log axis" in axis["title"]["text"]
    assert axis["ticktext"][0] == "≈ 0" and at[0] == pytest.approx(axis["tickvals"][0])
    np.testing.assert_allclose(line(bar), [[2.5, values[1]], [2.5, values[2]]], rtol=1e-4)
    notes = [note["text"] for note in figure["layout"]["annotations"]]
    assert notes == ["k used: 2", f"λ₃ = {number(values[2] / values[1])} λ₂"]


def test_a_widest_gap_that_begins_at_0_has_no_factor() -> None:
    apart = np.concatenate([X[::3], X[1::3] + 50])
    values = run(apart, 2, 0.3)[0].eigenvalues
    k = int((values[3:] / values[2:-1]).argmax()) + 3
    steps = run(apart, k, 0.3)
    assert steps[0].graph.pieces == int(np.diff(values).argmax()) + 1 == 2
    rule = show(apart, steps).caption(len(steps) - 1).split("\n")[1]
    assert rule.endswith("after 2 is the widest among 12, but it begins at 0 and has no factor.")


def test_the_captions() -> None:
    degrees, values = W.sum(axis=1), STEPS[0].eigenvalues
    for now, step in enumerate(STEPS):
        first, rule, *_, mine = SCENE.caption(now).split("\n")
        if step.phase == "graph":
            assert first.endswith("Every point begins with 4 random numbers.")
            told = f"the points, from {number(degrees.min())} to {number(degrees.max())}."
            assert "Degrees Σ w, the sizes of the points" in rule
            assert rule.endswith(told) and "½ at a distance of 0.372" in rule
            assert f"its edges weigh {number(degrees[POINT])} together (its degree), " in mine
            assert f"the heaviest {number(W[POINT].max())}" in mine
            continue
        row = ", ".join(number(value, 2) for value in step.embedding[POINT])
        assert f"are ({row})" in mine
        assert (f"it is in cluster {step.labels[POINT] + 1};" in mine) == (step.phase == "k-means")
        if step.phase == "smoothing":
            assert step.t
            left = (1 - values / 2) ** step.t
            count = int((left > 0.1).sum())
            assert f"a tenth is left of {count} eigenvector" in rule or count == 12
            assert ("as many as clusters" in rule) == (count == 4)
            assert first.startswith(f"After {step.t} round")
            edges = drawn(SCENE, now)[0]["edges"]
            ends = unpacked(edges["places"]).reshape(-1, 4)
            a, b = (cdist(ends[:, part], X).argmin(axis=1) for part in (slice(0, 2), slice(2, 4)))
            negative = step.embedding[:, 1] < 0
            mixed = int((negative[a] != negative[b]).sum())
            if mixed and count != 4:
                assert f"{mixed} of the {len(a)} edges drawn still join" in first
                assert "two colours (the signs of number 2)" in first
            assert count == 4 or not ("no edge drawn" in first and mixed)
            assert f"{number(left[3])} of u₄ and {number(left[4])} of u₅" in rule
            assert ("; those after u₁₂ fade first." in rule) == (count == 12)
        elif step.phase == "eigenvectors":
            assert f"here λ₄ = {number(values[3])}, and the next is λ₅" in rule
        else:
            half = step.half_step
            assert half
            if now == len(STEPS) - 1 and step.graph.widest_gap != 4:
                assert rule.startswith("The widest gap")
            else:
                assert f"add up to {number(half.inertia)}." in rule
            if STEPS[now - 1].half_step is None:
                assert first == (
                    "k-means on the map, start: every point joins the nearest of 4 centres ×."
                )
            elif half.phase == "move":
                assert first.startswith("k-means on the map, move: ")
            elif step.event:
                assert "assign: no point changes its cluster: converged." in first
            else:
                changed = np.count_nonzero(step.labels != STEPS[now - 1].labels)
                assert first.startswith(f"k-means on the map, assign: {changed} point")
            told = (first if step.event else rule).lower().split("clusters of")[1]
            sizes = [int(size) for size in re.findall(r"\d+", told)]
            assert sizes == np.bincount(step.labels).tolist()


def test_the_first_eigenvector_of_a_graph_in_one_piece_has_the_degrees() -> None:
    u = STEPS[0].graph.coordinates[:, 0]
    np.testing.assert_allclose(u, np.sqrt(W.sum(axis=1) / W.sum()))


def test_pieces_are_told() -> None:
    two = np.concatenate([X[::3], X[1::3] + 50])
    assert "for the computer there are 2 pieces" in show(two, run(two, 2)).caption(0)
    apart = show(X, run(X, 2, 1e6))
    assert "at least 12 pieces, more than the 2 clusters wanted" in apart.caption(0)


def test_rounding_has_no_sign() -> None:
    piles = np.repeat([[0.0, 0.0], [9.0, 0.0]], 5, axis=0)
    steps = run(piles, 2)
    numbers = next(step for step in steps if step.phase == "eigenvectors").numbers
    assert (numbers == 0).sum() == 5
    assert (np.abs(numbers[numbers != 0]) > 0.9).all()


def test_of_many_points_it_is_told_which_make_the_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 100)
    scene = show(X, run(X, 2))
    assert "The graph has 100 of the 200 points, evenly chosen" in scene.note
    assert "evenly chosen" not in SCENE.note


def test_every_event_has_its_words() -> None:
    wanted = {
        "more pieces than clusters": "more than the 4 clusters wanted",
        "all coordinates": "In the end the numbers are those of 4 eigenvectors",
        "converged": "no point changes its cluster: converged",
    }
    assert set(event_names(Event)) - {"stopped at max_iter"} == set(wanted)
    steps = run(X, 4, 1e6)
    for event, words in wanted.items():
        (now,) = (i for i, step in enumerate(steps) if step.event == event)
        assert words in show(X, steps).caption(now)


@pytest.mark.parametrize("k", [3, 4, 5])
def test_the_caption_says_whether_the_widest_gap_is_after_k(k: int) -> None:
    steps = run(X, k)
    gap = STEPS[0].graph.widest_gap
    (end,) = (now for now, step in enumerate(steps) if step.phase == "eigenvectors")
    caption = show(X, steps).caption(end if k == gap else len(steps) - 1)
    assert f"The widest gap among 12 is after {gap}, " in caption
    assert (f"not after k = {k}" in caption) == (k != gap)
    assert ("as many as k" in caption) == (k == gap)
    values = STEPS[0].eigenvalues
    factors = values[2:] / values[1:-1]  # of a graph in one piece
    best = int(factors.argmax()) + 2
    told = f"The largest factor from one λ above 0 to the next, {number(factors.max())}, is after"
    assert (f"{told} {best}." in caption) == (k not in (gap, best))


@pytest.mark.parametrize(("k", "before"), [(1, ""), (2, "sign of number 2"), (3, "not clusters")])
def test_the_picture_says_what_its_colours_are(k: int, before: str) -> None:
    steps = run(X, k)
    for now, step in enumerate(steps):
        key = drawn(show(X, steps), now)[0]["data"][1]["text"][0]
        if step.phase == "k-means":
            assert key == "colours: clusters"
        else:
            assert before in key and bool(before) == bool(key)
            assert ("not clusters yet" in key) == (k > 2)


@pytest.mark.parametrize("width", [3.0, 30.0])
def test_tied_points_are_said_to_be_together_only_if_no_edge_joins_two_colours(
    width: float,
) -> None:
    moons = points_of("moons", 200, noise=0.1)
    box = board(moons).bounds
    steps = run(moons, 2, 0.5 / (width / 100 * (box[1] - box[0])) ** 2)
    scene = show(moons, steps)
    (end,) = (now for now, step in enumerate(steps) if step.phase == "eigenvectors")
    figure = drawn(scene, end)[0]
    ends = unpacked(figure["edges"]["places"]).reshape(-1, 4)
    a, b = (cdist(ends[:, part], moons).argmin(axis=1) for part in (slice(0, 2), slice(2, 4)))
    negative = steps[end].embedding[:, 1] < 0
    apart = bool((negative[a] != negative[b]).any())
    assert apart == (width > 10)
    assert ("tied are together" in scene.caption(end)) == (not apart)


def test_compared_are_the_clusters() -> None:
    found = Coordinates(Run("", STEPS), board(X), QUERY).found(len(STEPS) - 1)
    np.testing.assert_array_equal(found.labels, STEPS[-1].labels)


def test_the_heaviest_edges_go_to_the_nearest_points() -> None:
    pairs = STEPS[0].graph.heaviest_edges(3)
    assert (pairs[:, 0] < pairs[:, 1]).all()
    nearest = cdist(X, X).argsort(axis=1)[:, 1:4]
    wanted = {frozenset((i, j)) for i in range(200) for j in nearest[i].tolist()}
    assert {frozenset(pair) for pair in pairs.tolist()} == wanted
