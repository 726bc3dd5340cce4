import json
import re
from base64 import b64decode
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from numpy import ndarray
from PIL import Image

from algorithms.core.splits import held_out
from algorithms.data.presets import DATASETS
from algorithms.ensembles.random_forest import RandomForestStep, account, random_forest
from tests.core.figures import drawn, line, places, unpacked
from viz.core import frames, plane, theme
from viz.core.frames import first_figures, frame
from viz.core.plane import SHADES
from viz.core.scene import Figure, Plane, Run, Scene
from viz.ensembles.random_forest.random_forest import Growing

Lot = tuple[Scene, Growing]
QUERY = np.array([0.4, 1.3])
NAMES = ("inner", "outer", "third", "fourth", "fifth", "sixth")


def made(
    name: str = "moons",
    *,
    n: int = 200,
    noise: float = 0.3,
    share: float = 30,
    query: ndarray = QUERY,
    **how: int,
) -> Lot:
    """Return the page's scene with these parameters."""
    knob = {"classes": how.pop("classes")} if "classes" in how else {}
    data = DATASETS[name].make(n, noise=noise, rng=np.random.default_rng(0), **knob)
    return shown(data.X, data.labels, share, query, **how)


def shown(X: ndarray, y: ndarray, share: float = 30, query: ndarray = QUERY, **how: int) -> Lot:
    held = held_out(len(X), share / 100, rng=np.random.default_rng([0, 1]), codes=y)
    rng = np.random.default_rng([0, 2])
    steps = list(random_forest(X[~held], y[~held], rng=rng, **how))
    sums = account(steps, X, y, held)
    board = Plane(X, y, NAMES, ("x", "y"), plane.bounds(X))
    mode = Growing(Run("", steps), board, held, sums, query)
    return mode.scene(), mode


def with_steps(steps: list[RandomForestStep]) -> Growing:
    """Return the mode on other steps."""
    return Growing(Run("", steps), LOT.data, LOT.held, LOT.sums, QUERY)


SCENE, LOT = made()
X, Y = LOT.data.X, LOT.data.labels
NOW = 9


# Pictures


@pytest.mark.parametrize("depth", [2, 20])
def test_the_regions_are_the_vote_and_pale_where_it_is_divided(depth: int) -> None:
    scene, lot = made("blobs", noise=0.9, classes=4, max_depth=depth)
    box, step = lot.data.bounds, lot.steps[NOW]
    regions = drawn(scene, NOW)[0]["data"][0]
    classes = lot.found(NOW).classes
    pixels = np.asarray(Image.open(BytesIO(b64decode(regions["source"].partition(",")[2]))))
    for column, row in np.random.default_rng(0).integers(len(pixels), size=(60, 2)):
        place = [box[0] + (column + 0.5) * regions["dx"], box[2] + (row + 0.5) * regions["dy"]]
        P = step.predict_proba(np.array([place]))[0]
        winner, shade = divmod(int(pixels[row, column]), SHADES)
        assert winner == classes[row, column] == step.predict(np.array([place]))[0]
        assert shade == pytest.approx((SHADES - 1) * (P.max() - 1 / 4) / (3 / 4), abs=0.51)


def test_the_points_are_drawn_by_their_bag() -> None:
    figure = drawn(SCENE, NOW)[0]
    step, held, points = LOT.steps[NOW], LOT.held, figure["points"]
    np.testing.assert_allclose(places(figure), X, rtol=1e-6)
    size, strength = unpacked(points["size"]) / plane.SIZES, unpacked(points["strength"]) / 255
    area = np.maximum(step.drawn, 1)
    np.testing.assert_allclose(size[~held] ** 2, area, rtol=0.06)
    np.testing.assert_array_equal(strength[~held] < 0.5, step.drawn == 0)
    assert (size[held] < size[~held].min()).all()
    assert 0.3 < np.mean(step.drawn == 0) < 0.45


def ring_of(figure: Figure) -> dict:
    """Return the trace that rings the point about which the trees disagree most."""
    (ring,) = [trace for trace in figure["data"] if trace.get("name", "").endswith("most here")]
    return ring


@pytest.mark.parametrize("share", [0, 30])
def test_a_thick_outline_is_what_the_first_line_counts(share: int) -> None:
    scene, lot = made(share=share)
    wrong = unpacked(drawn(scene, NOW)[0]["points"]["wrong"]).astype(bool)
    judged = lot.held if lot.held.any() else ~lot.held
    np.testing.assert_array_equal(wrong, lot.sums.missed[NOW] & judged)
    assert f" gets {wrong.sum()} of " in scene.caption(NOW).replace(" get ", " gets ")


def test_the_ring() -> None:
    figure = drawn(SCENE, NOW)[0]
    said = np.array([step.tree.predict(X) for step in LOT.steps[: NOW + 1]])
    share = said.mean(axis=0)
    (at,) = line(ring_of(figure))
    ring = np.flatnonzero(np.isclose(X, at, rtol=1e-6).all(axis=1))
    assert len(ring) == 1
    assert np.abs(share - 0.5).min() == abs(share[ring[0]] - 0.5)


def test_the_dotted_line_is_this_trees_border() -> None:
    tree = LOT.steps[NOW].tree
    dotted = drawn(SCENE, NOW)[0]["data"][2]
    assert dotted["line"]["dash"] == "dot"
    ends = line(dotted)
    starts, stops = ends[0::3], ends[1::3]
    middle, along = (starts + stops) / 2, stops - starts
    across = 1e-4 * np.sign(np.abs(along[:, ::-1]))
    assert len(middle) > 3
    assert (tree.predict(middle - across) != tree.predict(middle + across)).all()


def test_the_errors_are_drawn_in_percent_and_marked_at_the_tree() -> None:
    dots, alone, out, here, held, there, names = drawn(SCENE, NOW)[2]["data"]
    curves = (dots, alone, out, held)
    assert [curve["name"] for curve in curves] == [
        "one tree",
        "mean of the single trees",
        "out of bag",
        "held out",
    ]
    sums = LOT.sums
    assert sums.tree_error is not None and sums.held_out_error is not None
    for trace, shares in (
        (dots, sums.tree_error),
        (alone, [sums.tree_error[: b + 1].mean() for b in range(30)]),
        (out, sums.out_of_bag_error),
        (held, sums.held_out_error),
    ):
        np.testing.assert_allclose(unpacked(trace["y"]), 100 * np.array(shares), rtol=1e-6)
        assert unpacked(trace["x"]).tolist() == list(range(1, 31))
    for mark, shares in ((here, sums.out_of_bag_error), (there, sums.held_out_error)):
        assert (mark["x"], mark["y"]) == ([NOW + 1], [pytest.approx(100 * shares[NOW])])
    order = [name.strip() for name in names["text"]]
    assert order == ["single trees", "out of bag", "vote, held out"]
    ends = np.array([unpacked(curve["y"])[-1] for curve in (alone, out, held)])
    np.testing.assert_array_equal(np.argsort(names["y"]), np.argsort(ends, kind="stable"))


def test_the_note_counts_the_held_out_points() -> None:
    scene, _ = made(n_trees=4)
    counted = re.search(r" (\d+) of (\d+) points are held out, ([\d.]+) %: each was", scene.note)
    assert counted
    out, all_points, percent = map(float, counted.groups())
    assert percent == pytest.approx(100 * out / all_points, rel=5e-3)
    held = scene.caption(3).split("\n")[0]
    assert f"{int(out)} held-out points" in held


def test_without_held_out_points_only_the_out_of_bag_error_is_left() -> None:
    scene, _ = made(share=0, n_trees=4)
    assert [trace.get("name") for trace in drawn(scene, 0)[2]["data"]] == [
        "out of bag",
        None,
        None,
    ]
    assert "held out" not in (scene.note + scene.caption(3)).lower()


def test_the_shares_at_the_picked_point_and_their_mean() -> None:
    one, zero, mean, mark = drawn(SCENE, NOW)[3]["data"]
    p = np.array([step.tree.predict_proba(QUERY[None])[0] for step in LOT.steps])
    np.testing.assert_allclose(unpacked(one["y"]), 100 * p[:, 1], atol=1e-5)
    np.testing.assert_allclose(unpacked(zero["y"]), 100 * p[:, 0], atol=1e-5)
    assert [bar["marker"]["color"] for bar in (one, zero)] == [theme.PALETTE[1], theme.PALETTE[0]]
    P = [step.predict_proba(QUERY[None])[0, 1] for step in LOT.steps]
    np.testing.assert_allclose(unpacked(mean["y"]), 100 * np.array(P), rtol=1e-5)
    assert mark["y"] == [pytest.approx(100 * P[NOW])]


def test_of_several_classes_each_has_its_line_and_the_winner_is_marked() -> None:
    scene, lot = made("blobs", noise=0.9, classes=4, max_depth=2)
    *traces, mark = drawn(scene, NOW)[3]["data"]
    lines = traces[4:]
    assert [trace["name"] for trace in lines] == [f"{name}: mean so far" for name in NAMES[:4]]
    P = lot.steps[NOW].predict_proba(QUERY[None])[0]
    for k, trace in enumerate(lines):
        assert unpacked(trace["y"])[NOW] == pytest.approx(100 * P[k], rel=1e-4)
    assert mark["y"] == [pytest.approx(100 * P.max())]


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("moons", {"n": 200, "noise": 0.3}),
        ("moons", {"n": 1000, "noise": 0.7, "n_trees": 100}),
        ("blobs", {"n": 200, "noise": 0.9, "classes": 6}),
    ],
)
def test_little_is_sent(name: str, how: dict) -> None:
    scene, lot = made(name, **how)
    first = first_figures(scene)
    asked = [frame(scene, first, now) for now in frames.key_steps(len(lot.steps), 9)]
    assert len(json.dumps([first, asked])) < 150_000


def test_on_the_wall_of_the_latest_eight_trees_the_newest_is_the_last() -> None:
    _, picked, frame_, numbers = drawn(SCENE, 10)[1]["data"]
    assert list(map(int, numbers["text"])) == [*range(4, 12)]
    before = drawn(SCENE, 9)[1]["data"][3]["text"]
    assert list(map(int, before)) == [*range(3, 11)]
    corner = {int(n): at for n, at in zip(numbers["text"], line(numbers), strict=True)}
    assert line(frame_)[0] == pytest.approx(np.floor(corner[11]), abs=1e-6)
    x, y = line(numbers).T
    assert (np.lexsort((x, -y)) == np.arange(8)).all(), "row by row"
    assert len(line(picked)) == 8
    assert len(line(drawn(SCENE, 2)[1]["data"][1])) == 3, "places of trees to come are empty"


# Words


def test_the_caption_of_the_first_tree() -> None:
    plain, tree, query = SCENE.caption(0).split("\n")
    step = LOT.steps[0]
    unseen = step.drawn == 0
    points, labels = X[~LOT.held][unseen], Y[~LOT.held][unseen]
    wrong = np.count_nonzero(step.tree.predict(points) != labels)
    assert tree == (
        f"Tree 1 has not seen {unseen.sum()} of 145 points and gets {wrong} of them wrong. "
        "A bag: 145 draws from the 145 points, with replacement; a point is missing with "
        f"probability (1 − 1/145)^145 = {100 * (1 - 1 / 145) ** 145:.3g} %."
    )
    wrong = np.count_nonzero(step.tree.predict(X[LOT.held]) != Y[LOT.held])
    assert plain == f"One tree gets {wrong} of 55 held-out points wrong, {100 * wrong / 55:.3g} %."
    assert query.startswith("The picked point: 1 tree votes for “")


def test_the_caption_of_a_later_tree_is_recomputed_from_the_data() -> None:
    plain, tree, query = SCENE.caption(NOW).split("\n")
    held, steps = LOT.held, LOT.steps[: NOW + 1]
    judges, right = np.zeros(145, int), np.zeros(145)
    for step in steps:
        out = step.drawn == 0
        judges += out
        right += out * (step.tree.predict(X[~held]) == Y[~held])  # all leaves are pure
    judged = judges > 0
    missed = judged & ((2 * right < judges) | ((2 * right == judges) & (Y[~held] == 1)))
    unseen = steps[-1].drawn == 0
    wrong = np.count_nonzero(steps[-1].tree.predict(X[~held][unseen]) != Y[~held][unseen])
    error = 100 * missed.sum() / judged.sum()
    assert tree == (
        f"Tree {NOW + 1} has not seen {unseen.sum()} of 145 points and gets {wrong} of them wrong. "
        f"Out of bag, a point is judged only by the trees that have not seen it: {missed.sum()} of "
        f"{judged.sum()} wrong, {error:.3g} %."
    )
    alone = 100 * np.mean([step.tree.predict(X[held]) != Y[held] for step in steps])
    vote = np.count_nonzero(steps[-1].predict(X[held]) != Y[held])
    assert plain == (
        f"The vote of {NOW + 1} trees gets {vote} of 55 held-out points wrong, "
        f"{100 * vote / 55:.3g} %; single trees get {alone:.3g} % wrong on average."
    )
    P = steps[-1].predict_proba(QUERY[None])[0]
    k = int(P.argmax())
    said = [int(step.tree.predict(QUERY[None])[0]) for step in steps]
    assert f"{said.count(k)} trees vote for “{NAMES[k]}”" in query
    assert query.endswith(
        f"“{NAMES[k]}” wins with share {P[k] * len(steps):.4g}/{len(steps)} = {P[k]:.3f}."
    )


def test_the_event_has_its_words() -> None:
    (now,) = (i for i, step in enumerate(LOT.steps) if step.event)
    telling = "Every point has been out of a bag now."
    assert [i for i in range(len(LOT.steps)) if telling in SCENE.caption(i)] == [now]
    steps = [replace(step, event=None) for step in LOT.steps]
    assert telling not in with_steps(steps).caption(now)


def test_as_long_as_no_point_was_out_of_a_bag_there_is_no_error() -> None:
    steps = [replace(step, out_of_bag_error=None, drawn=np.ones(145, int)) for step in LOT.steps]
    said = with_steps(steps).caption(1)
    assert "\nTree 2 has not seen 0 of 145 points. No point has been out of a bag" in said


def test_of_many_classes_the_first_are_named() -> None:
    query = np.zeros(2)
    scene, lot = made("blobs", noise=1.0, classes=6, query=query)
    said = [int(step.tree.predict(query[None])[0]) for step in lot.steps]
    votes = sorted(((said.count(k), k) for k in range(6)), key=lambda vote: (-vote[0], vote[1]))
    (a, first), (b, second), (c, third), *others = votes
    rest = sum(count for count, _ in others)
    assert min(b, c, rest) > 1
    told = scene.caption(len(lot.steps) - 1).split("The picked point: ")[1].partition(";")[0]
    assert [*map(int, re.findall(r"\d+", told))] == [a, b, c, rest]
    assert re.findall("“(.+?)”", told) == [NAMES[first], NAMES[second], NAMES[third]]


def test_the_corner_says_who_wins_a_tie_where_there_is_one() -> None:
    told = {}
    for now, step in enumerate(LOT.steps[:4]):
        _, share = step.surface(*plane.grid(LOT.data.bounds, 150)[:2])
        said = str(LOT.picture(now)["data"])
        told[now] = "a tie, “inner” is taken" in said
        assert told[now] == bool(np.isclose(share, 0.5).any())
        x, y = plane.grid(LOT.data.bounds, 150)[:2]
        winner = step.surface(x, y)[0]
        assert (winner[np.isclose(share, 0.5)] == 0).all()
    assert told[1] and not told[2]
