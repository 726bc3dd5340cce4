"""What the mode "merging" shows and writes, recomputed from the data."""

from base64 import b64decode
from io import BytesIO

import numpy as np
import pytest
from numpy import ndarray
from PIL import Image
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist

from algorithms.clustering.hierarchical_clustering.dendrogram import LINKAGES
from algorithms.clustering.hierarchical_clustering.gap_by_chance import gap_by_chance
from algorithms.clustering.hierarchical_clustering.hierarchical_clustering import (
    hierarchical_clustering,
)
from algorithms.clustering.hierarchical_clustering.hierarchical_step import HierarchicalStep
from tests.core.figures import drawn, line, places, unpacked
from tests.core.samples import board
from tests.core.told import numbers
from viz.clustering.hierarchical_clustering import merging
from viz.clustering.hierarchical_clustering.dendrogram import MOST_COLORED, MOST_MERGES
from viz.clustering.hierarchical_clustering.merging import MOST_PAIRS, Merging
from viz.core.scene import Run, Scene
from viz.core.theme import GREY, PALETTE, SYMBOLS, color, symbol
from viz.core.words import decimal, rounded, vector

each_linkage = pytest.mark.parametrize("linkage", LINKAGES)


def blobs(n: int, seed: int = 0) -> ndarray:
    rng = np.random.default_rng(seed)
    return 2 * rng.integers(-1, 2, size=(n, 2)) + 0.5 * rng.normal(size=(n, 2))


def made(X: ndarray, linkage: str) -> tuple[list[HierarchicalStep], Scene]:
    steps = list(hierarchical_clustering(X, linkage=linkage))
    chance = gap_by_chance(X, linkage, rng=np.random.default_rng(0))
    return steps, Merging(Run("", steps), board(X), chance).scene()


X = blobs(50)
RUNS = {linkage: made(X, linkage) for linkage in LINKAGES}
MANY = {linkage: made(blobs(320, 1), linkage) for linkage in ("single", "ward")}


def pieces(trace: dict) -> list[ndarray]:
    """Return the (m, 2) lines of a trace."""
    path = line(trace)
    gaps = np.isnan(path[:, 0])
    starts = np.flatnonzero(~gaps & np.concatenate([[True], gaps[:-1]]))
    return [path[i : i + int(np.argmax(gaps[i:])) if gaps[i:].any() else None] for i in starts]


# The picture


@each_linkage
@pytest.mark.parametrize("now", [0, 1, 20, 46, 49])
def test_points_have_the_colours_of_their_clusters(linkage: str, now: int) -> None:
    steps, scene = RUNS[linkage]
    points = drawn(scene, now)[0]["points"]
    look, labels = unpacked(points["group"]), steps[now].labels
    np.testing.assert_allclose(places({"points": points}), X, rtol=1e-6)
    for group in range(steps[now].clusters):
        mine = labels == group
        newest = steps[now].parts and mine[steps[now].parts[0][0]]
        if mine.sum() == 1 or (steps[now].clusters > MOST_COLORED and not newest):
            assert {points["fills"][i] for i in look[mine]} == {GREY}
        else:
            assert {points["fills"][i] for i in look[mine]} == {color(group)}
            assert {points["symbols"][i] for i in look[mine]} == {symbol(group)}
    assert len(points["fills"]) == len(points["symbols"]) == len(PALETTE) * len(SYMBOLS) + 1


@each_linkage
@pytest.mark.parametrize("now", [0, 1, 30, 47, 49])
def test_lines_join_what_has_been_merged(linkage: str, now: int) -> None:
    steps, scene = RUNS[linkage]
    edges, labels = drawn(scene, now)[0]["edges"], steps[now].labels
    ends = unpacked(edges["places"]).reshape(-1, 2, 2)
    width = unpacked(edges["width"])
    if linkage != "single":
        lines_lead_to_the_means(steps[now], steps[max(now - 1, 0)].labels, ends, width)
        return
    assert len(width) == len(X) - 1
    assert np.count_nonzero(width) == max(now - 1, 0), "not what is merged now"
    a, b = (cdist(side, X).argmin(axis=1) for side in (ends[width > 0, 0], ends[width > 0, 1]))
    graph = coo_array((np.ones(len(a)), (a, b)), shape=(len(X), len(X)))
    _, joined = connected_components(graph, directed=False)
    parts = steps[now].parts or ()
    assert len(set(joined.tolist())) == steps[now].clusters + (now > 0)
    assert len(set(zip(labels.tolist(), joined.tolist(), strict=True))) == len(set(joined.tolist()))
    assert [len(set(joined[part].tolist())) for part in parts] == [1] * len(parts)
    shown = width[width > 0]
    thick = {int(i) for i in np.concatenate([a[shown == 2.0], b[shown == 2.0]])}
    assert thick == {int(i) for part in parts if len(part) > 1 for i in part}
    assert shown.max(initial=0) <= 2.0


def lines_lead_to_the_means(
    step: HierarchicalStep, before: ndarray, ends: ndarray, width: ndarray
) -> None:
    """Check that every point is joined to the mean of its cluster before the merge."""
    np.testing.assert_allclose(ends[:, 0], X, rtol=1e-6)
    sizes = np.bincount(before)[before]
    means = np.array([X[before == c].mean(axis=0) for c in before])
    np.testing.assert_allclose(ends[:, 1], means, rtol=1e-5, atol=1e-6)
    merged = np.isin(np.arange(len(X)), np.concatenate([*(step.parts or ()), []]))
    np.testing.assert_array_equal(width, np.where(merged, 1.0, 0.5) * (sizes > 1))


def test_the_lines_of_single_linkage_are_the_distances_it_measures() -> None:
    steps, scene = RUNS["single"]
    ends = unpacked(drawn(scene, 9)[0]["edges"]["places"]).reshape(-1, 2, 2)
    lengths = np.hypot(*(ends[:, 0] - ends[:, 1]).T)
    np.testing.assert_allclose(lengths, steps[0].dendrogram.heights, rtol=1e-5)


@each_linkage
@pytest.mark.parametrize("now", [1, 25, 49])
def test_what_is_measured_is_drawn(linkage: str, now: int) -> None:
    steps, scene = RUNS[linkage]
    A, B = (X[part] for part in steps[now].parts)
    measured, letters, _, _ = drawn(scene, now)[0]["data"]
    found = pieces(measured)
    if linkage == "average":
        assert len(found) == min(len(A), MOST_PAIRS) * min(len(B), MOST_PAIRS)
        for a, b in found:
            assert cdist([a], A).min() == pytest.approx(0, abs=1e-6)
            assert cdist([b], B).min() == pytest.approx(0, abs=1e-6)
    else:
        expected = {
            "single": cdist(A, B).min(),
            "complete": cdist(A, B).max(),
            "ward": np.hypot(*(A.mean(axis=0) - B.mean(axis=0))),
        }
        [(a, b)] = found
        assert np.hypot(*(a - b)) == pytest.approx(expected[linkage], rel=1e-5)
    assert letters["text"][0].startswith("<b>A</b>")
    left, right, bottom, top = board(X).bounds
    size = np.array([right - left, top - bottom])
    for part, letter in zip((A, B), line(letters), strict=True):
        assert cdist(part / size, [letter / size]).min() < 0.12, "beside its cluster"
        assert cdist(X / size, [letter / size]).min() > 0.025, "on no point"


def test_what_is_merged_is_ringed_if_it_is_small() -> None:
    steps, scene = RUNS["average"]
    left, right, bottom, top = board(X).bounds
    ringed = []
    for now, step in enumerate(steps):
        ring = line(drawn(scene, now)[0]["data"][3])
        if step.parts is None:
            assert np.isnan(ring).all()
            continue
        both = X[np.concatenate(step.parts)]
        size = (np.ptp(both, axis=0) / [right - left, top - bottom]).max()
        ringed.append(not np.isnan(ring).any())
        [key] = drawn(scene, now)[0]["data"][2]["text"]
        assert key.startswith("ring: A and B") == ringed[-1], "a key of lines, if they are seen"
        if ringed[-1]:
            assert size < 0.07
            np.testing.assert_allclose(ring[0], (both.min(axis=0) + both.max(axis=0)) / 2, 1e-6)
        else:
            assert size > 0.07 / 2**0.5 - 1e-9
    assert ringed[0] and not ringed[-1]


def test_the_newest_merge_has_a_dot_in_the_dendrogram() -> None:
    steps, scene = RUNS["average"]
    for now in (0, 1, 25, 49):
        dot = line(drawn(scene, now)[1]["data"][-1])
        if now == 0:
            assert np.isnan(dot).all()
        else:
            assert dot[0, 1] == pytest.approx(steps[now].height, rel=1e-6)


def test_single_points_that_are_merged_are_marked() -> None:
    steps, scene = RUNS["average"]
    for now in range(len(steps)):
        marks = drawn(scene, now)[0]["marks"]
        kind = unpacked(marks["kind"])
        expected = np.zeros(len(X))
        for number, part in enumerate(steps[now].parts or (), 1):
            if len(part) == 1 and np.isnan(line(drawn(scene, now)[0]["data"][3])).any():
                expected[part] = number  # a ring around both is enough
        np.testing.assert_array_equal(kind, expected)
    assert (marks["symbols"][1:], marks["sizes"][0]) == ([100, 101], 0)


def test_many_points_are_marked_instead_of_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merging, "MOST_BRIDGES", 40)
    monkeypatch.setattr(merging, "MOST_MARKED", 7)
    steps, scene = made(X, "average")
    for now in (1, 30, 49):
        figure = drawn(scene, now)[0]
        assert "edges" not in figure
        kind = unpacked(figure["marks"]["kind"])
        for number, part in enumerate(steps[now].parts, 1):
            assert (kind[part] == (number if len(part) <= 7 else 0)).all()
    assert "squares (B)" in scene.note


# The dendrogram


def tree_traces(scene: Scene, now: int) -> tuple[dict, list[dict], dict, dict]:
    whole, *colored, newest, cut, _ = drawn(scene, now)[1]["data"]
    assert [trace["line"]["color"] for trace in colored[:-1]] == list(PALETTE)
    assert "color" not in colored[-1]["line"], "in ink"
    assert whole["line"]["color"] == GREY
    return whole, colored, newest, cut


@each_linkage
def test_the_dendrogram_has_a_bracket_for_every_merge(linkage: str) -> None:
    steps, scene = RUNS[linkage]
    tree = steps[0].dendrogram
    brackets = pieces(tree_traces(scene, 0)[0])
    assert len(brackets) == len(tree.merged)
    x = dict(enumerate(tree.layout.starts[: len(X)].astype(float)))
    heights = [0.0] * len(X) + tree.heights.tolist()
    for made, bracket in enumerate(brackets, len(X)):
        a, b = tree.parts(made - len(X))
        expected = [
            [x[a], heights[a]],
            [x[a], heights[made]],
            [x[b], heights[made]],
            [x[b], heights[b]],
        ]
        np.testing.assert_allclose(bracket, expected, rtol=1e-6, atol=1e-6)
        assert x[a] < x[b]
        inside = tree.layout.starts[made], tree.layout.starts[made] + tree.sizes[made] - 1
        assert inside[0] <= x[a] < x[b] <= inside[1], "within its own points: nothing crosses"
        x[made] = (x[a] + x[b]) / 2


@each_linkage
@pytest.mark.parametrize("now", [0, 1, 30, 47, 49])
def test_below_the_cut_the_dendrogram_has_the_colours_of_the_picture(
    linkage: str, now: int
) -> None:
    steps, scene = RUNS[linkage]
    tree, labels = steps[0].dendrogram, steps[now].labels
    whole, colored, newest, cut = tree_traces(scene, now)
    (left, low), (right, high) = line(cut)
    assert left < 0 < len(X) < right
    assert low == high
    brackets = [[piece.tolist() for piece in pieces(trace)] for trace in colored]
    assert sum(map(len, brackets)) == now
    for made, bracket in enumerate(pieces(whole)):
        members = tree.members(len(X) + made)
        group = labels[members[0]] % len(PALETTE)
        latest = labels[members[0]] == labels[steps[now].parts[0][0]] if now else False
        if steps[now].clusters > MOST_COLORED and not latest:
            group = len(PALETTE)
        below = bracket[:, 1].max() < low
        assert below == (made < now)
        assert (bracket.tolist() in brackets[group]) == below
        if below:
            assert len(set(labels[members].tolist())) == 1
    if now:
        [latest] = pieces(newest)
        assert latest.tolist() == pieces(whole)[now - 1].tolist()
    else:
        assert pieces(newest) == []
    note, *gaps = drawn(scene, now)[1]["layout"]["annotations"]
    assert note["text"].split()[2] == str(steps[now].clusters)
    at, bars = tree.largest_gap, drawn(scene, now)[1]["layout"]["shapes"]
    assert [gap["text"] for gap in gaps] == ["largest gap"] * bool(at)
    assert len(bars) == 3 * bool(at)
    if at:
        ends = tree.heights[[at - 1, at]].tolist()
        assert [bars[0]["y0"], bars[0]["y1"]] == ends and gaps[0]["y"] == ends[1]
        assert np.diff(ends) == np.diff(tree.heights).max() and bars[0]["x0"] < 0


@each_linkage
def test_the_cut_is_a_handle_that_goes_with_the_steps(linkage: str) -> None:
    steps, scene = RUNS[linkage]
    track = scene.views[1].track
    assert track is not None
    assert track.along == "y"
    assert track.places.shape == (len(steps), 1, 2)
    for now, ((_, y),) in enumerate(track.places):
        assert y == pytest.approx(line(tree_traces(scene, now)[3])[0, 1], rel=1e-6)
        assert steps[now].height < y
        assert steps[now].next_height is None or y < steps[now].next_height
        assert (steps[now].dendrogram.heights <= y).sum() == now
    low, high = drawn(scene, 0)[1]["layout"]["yaxis"]["range"]
    assert low < track.places[:, :, 1].min() < track.places[:, :, 1].max() < high


@pytest.mark.parametrize("linkage", MANY)
def test_of_many_merges_the_last_are_drawn_and_bundles(linkage: str) -> None:
    steps, scene = MANY[linkage]
    n, tree = len(steps), steps[0].dendrogram
    before = n - 1 - MOST_MERGES
    clusters = [c for c in tree.alive(before).tolist() if tree.sizes[c] > 1]
    shapes = pieces(tree_traces(scene, 0)[0])
    bundles, brackets = shapes[: len(clusters)], shapes[len(clusters) :]
    assert len(brackets) == MOST_MERGES
    top = [bracket[:, 1].max() for bracket in brackets]
    np.testing.assert_allclose(top, tree.heights[before:], rtol=1e-5)
    for c, bundle in zip(clusters, bundles, strict=True):
        assert bundle[:, 1].max() == pytest.approx(tree.heights[c - n], rel=1e-5)
        assert np.ptp(bundle[:, 0]) == pytest.approx(tree.sizes[c] - 0.4, abs=1e-4)
    for now in (0, 1, before - 1, before, before + 1, 300, n - 1):
        _, colored, newest, _ = tree_traces(scene, now)
        shown = sum(len(pieces(trace)) for trace in colored)
        there = sum(c - n < now for c in clusters) + max(0, now - before)
        assert shown == there
        assert len(pieces(newest)) == (now > before)
    assert f"last {MOST_MERGES} of {n - 1} merges" in scene.note
    assert "120 points, evenly spaced" in scene.note
    small = RUNS[linkage][1].note
    assert "merges;" not in small
    assert "120 points" not in small


# Distances and heights


def pixels(trace: dict) -> ndarray:
    """Return the opacity of every cell of an image trace; row 0 is at the bottom."""
    image = Image.open(BytesIO(b64decode(trace["source"].partition(",")[2]))).convert("RGBA")
    return np.asarray(image)[::1, :, 3]


@each_linkage
def test_near_points_have_strong_cells(linkage: str) -> None:
    steps, scene = RUNS[linkage]
    image = drawn(scene, 3)[3]["data"][0]
    order = steps[0].dendrogram.layout.order
    distances = cdist(X[order], X[order])
    expected = np.rint(255 - 255 * distances / distances.max())
    np.testing.assert_allclose(pixels(image), expected, atol=1)
    assert (image["x0"], image["dx"], image["y0"], image["dy"]) == (0, 1, 0, 1)


def test_of_many_points_some_are_compared() -> None:
    steps, scene = MANY["ward"]
    image = drawn(scene, 3)[3]["data"][0]
    chosen = np.linspace(0, 319, 120).round().astype(int)
    shown = blobs(320, 1)[steps[0].dendrogram.layout.order[chosen]]
    distances = cdist(shown, shown)
    np.testing.assert_allclose(pixels(image), 255 - 255 * distances / distances.max(), atol=1)
    assert image["dx"] == pytest.approx(320 / 120)


@each_linkage
@pytest.mark.parametrize("now", [0, 1, 30, 49])
def test_the_block_between_a_and_b_is_framed(linkage: str, now: int) -> None:
    steps, scene = RUNS[linkage]
    step, order = steps[now], steps[now].dendrogram.layout.order
    _, frames, block, link = drawn(scene, now)[3]["data"]
    framed = {frozenset(order[cells(frame)[0]].tolist()) for frame in pieces(frames)}
    labels = step.labels
    clusters = [np.flatnonzero(labels == c) for c in range(step.clusters)]
    assert framed == {frozenset(c.tolist()) for c in clusters if len(c) > 1}
    if now == 0:
        assert pieces(block) == pieces(link) == []
        return
    across, up = cells(pieces(block)[0])
    assert sorted(order[across]) == sorted(step.parts[0])
    assert sorted(order[up]) == sorted(step.parts[1])
    distances = cdist(X[order[across]], X[order[up]])
    if linkage in ("single", "complete"):
        [[i, j]] = line(link)
        assert i in across
        assert j in up
        least = linkage == "single"
        at = cdist(X[order[[int(i)]]], X[order[[int(j)]]])[0, 0]
        assert at == pytest.approx(distances.min() if least else distances.max())
    else:
        assert pieces(link) == []
    if linkage == "average":
        assert distances.mean() == pytest.approx(step.height)


def cells(frame: ndarray) -> tuple[ndarray, ndarray]:
    """Return the columns and the rows of cells within a frame."""
    (left, low), (right, high) = frame.min(axis=0) + 0.5, frame.max(axis=0) - 0.5
    return np.arange(round(left), round(right) + 1), np.arange(round(low), round(high) + 1)


@each_linkage
def test_the_last_heights_and_their_largest_gap(linkage: str) -> None:
    steps, scene = RUNS[linkage]
    heights = steps[0].dendrogram.heights
    for now in (0, 5, 19, 20, 21, 40, 49):
        gap, chance, curve, ring = drawn(scene, now)[2]["data"][:4]
        left, shown = line(curve).T
        np.testing.assert_array_equal(left, np.arange(30, 0, -1))
        np.testing.assert_allclose(shown, heights[-30:], rtol=1e-6)
        np.testing.assert_allclose(line(chance)[:, 0], left)
        assert line(chance)[-1, 1] == pytest.approx(heights[-1], rel=1e-6)
        at = line(ring)
        if now > 19:
            np.testing.assert_allclose(at, [[50 - now, heights[now - 1]]], rtol=1e-6)
        else:
            assert np.isnan(at).all()
    clusters = 50 - (1 + int(np.diff(heights).argmax()))
    assert line(gap)[:, 0].tolist() == [clusters, clusters]
    assert scene.views[2].title.endswith(f"largest gap at {clusters}")
    assert drawn(scene, 0)[2]["layout"]["xaxis"]["range"][0] > 30


# Words


def by_hand(linkage: str, now: int) -> tuple[ndarray, ndarray, float]:
    """Return the points of A and of B and their distance, by plain NumPy, merge after merge."""
    clusters = [[i] for i in range(len(X))]

    def apart(a: list[int], b: list[int]) -> float:
        between = cdist(X[a], X[b])
        if linkage == "ward":
            mean = X[a].mean(axis=0) - X[b].mean(axis=0)
            return float(np.sqrt(2 * len(a) * len(b) / (len(a) + len(b))) * np.hypot(*mean))
        return float({"single": np.min, "complete": np.max, "average": np.mean}[linkage](between))

    for _ in range(now):
        pairs = [(a, b) for i, a in enumerate(clusters) for b in clusters[:i]]
        a, b = min(pairs, key=lambda pair: apart(*pair))
        found = a, b, apart(a, b)
        clusters = [c for c in clusters if c is not a and c is not b] + [a + b]
    a, b, height = found
    left, right = sorted([a, b], key=lambda part: X[part, 0].mean())
    return X[left], X[right], height


@each_linkage
@pytest.mark.parametrize("now", [1, 12, 41])
def test_captions_say_what_is_so(linkage: str, now: int) -> None:
    A, B, height = by_hand(linkage, now)
    _, _, following = by_hand(linkage, now + 1)
    steps, scene = RUNS[linkage]
    plain, rule = scene.caption(now).split("\n")
    sizes = sorted([len(A), len(B)])
    kinds = {
        sizes == [1, 1]: "Two points merge",
        sizes[0] == 1 < sizes[1]: f"A point joins a cluster of {sizes[1]}",
        sizes[0] > 1: f"Clusters of {len(A)} and {len(B)} points merge",
    }
    assert plain == f"{kinds[True]} at height {rounded(height)}; {50 - now} clusters left."
    assert f"= {decimal(height)}" in rule
    assert rule.endswith(f"No two clusters were nearer; next: {decimal(following)}.")
    a, b = len(A), len(B)
    if linkage == "ward":
        ends = f"‖{vector(A.mean(axis=0))} − {vector(B.mean(axis=0))}‖"
        assert f"√(2 · {a} · {b} / ({a} + {b})) {ends} = {decimal(height)}" in rule
        parts = [X[steps[now].labels == c] for c in range(50 - now)]
        inertia = sum(((part - part.mean(axis=0)) ** 2).sum() for part in parts)
        assert f"rises by d² / 2 = {decimal(height**2 / 2)} to {decimal(inertia)}." in rule
    elif a == b == 1:
        assert f"The height is the distance ‖{vector(A[0])} − {vector(B[0])}‖ = " in rule
    elif linkage == "average":
        assert f"{a * b} distances between a point of A and one of B" in rule
        assert (f"{a} · {b} = " in rule) == (min(a, b) > 1)
    else:
        between = cdist(A, B)
        flat = between.argmin() if linkage == "single" else between.argmax()
        i, j = np.unravel_index(flat, between.shape)
        which = {"single": "least", "complete": "largest"}[linkage]
        length = f"‖{vector(A[i])} − {vector(B[j])}‖ = "
        assert f"the {which} distance between a point of A and one of B: {length}" in rule


@each_linkage
def test_the_start_the_gap_and_the_end_are_said(linkage: str) -> None:
    steps, scene = RUNS[linkage]
    heights = steps[0].dendrogram.heights
    start = scene.caption(0)
    assert start.startswith("Start: each of the 50 points is a cluster of its own.\n")
    assert f"nearest two are {decimal(heights[0])} apart" in start
    for now, step in enumerate(steps):
        said = f"The next merge is only at height {rounded(heights[min(now, 48)])}: the largest gap"
        assert (said in scene.caption(now)) == (step.event == "largest gap")
    assert "; all points are one cluster." in scene.caption(49)
    assert "next" not in scene.caption(49)


@each_linkage
@pytest.mark.parametrize("clustered", [True, False])
def test_the_caption_recommends_a_cut_only_beyond_chance(linkage: str, clustered: bool) -> None:
    """On every sample the largest gap is shown beside what random points have."""
    for sample in range(20, 30):
        rng = np.random.default_rng(sample)
        X = 9 * rng.integers(2, size=(60, 1)) * clustered + rng.random((60, 2))
        steps, scene = made(X, linkage)
        chance = gap_by_chance(X, linkage, rng=np.random.default_rng(0))
        gap, most = steps[0].dendrogram.gap, float(chance.gaps.max())
        (now,) = (now for now, step in enumerate(steps) if step.event == "largest gap")
        caption = scene.caption(now)
        assert ("a place to cut" in caption) == (gap > most)
        assert not clustered or gap > most
        assert ("may be chance" in caption) == (gap <= most)
        said = numbers(caption.partition("the largest gap. ")[2])
        assert said == [chance.as_large(gap), len(chance.gaps)] * (gap <= most)
        assert numbers(scene.note.partition("Random points are")[2]) == [len(chance.gaps), 60]


def test_one_point_has_nothing_to_merge() -> None:
    _, scene = made(X[:1], "single")
    assert scene.caption(0) == "The only point is a cluster: there is nothing to merge."
    assert "gap" not in scene.views[2].title


def test_complete_linkage_keeps_clusters_within_the_height_of_the_cut() -> None:
    steps, _ = RUNS["complete"]
    for step in steps[1:]:
        for c in range(step.clusters):
            mine = X[step.labels == c]
            assert cdist(mine, mine).max() <= step.height * (1 + 1e-12)
