import re
from base64 import b64decode

import numpy as np
import pytest

from algorithms.data.presets import DATASETS
from algorithms.ensembles.gradient_boosting import best_round, gradient_boosting
from algorithms.ensembles.tree_on_one_feature import StepFunction
from tests.core.figures import read_png, unpacked
from viz.core import plane
from viz.core.scene import Plane, Run
from viz.core.words import added, alike, counted, number
from viz.ensembles.gradient_boosting.one_feature import OneFeature
from viz.ensembles.gradient_boosting.rounds import _sum_that_comes_out
from viz.ensembles.gradient_boosting.step_curve import corners, step_curve
from viz.ensembles.gradient_boosting.two_features import TwoFeatures


def boosted(n: int = 60, **how) -> OneFeature:
    p = DATASETS["sine"]
    data = p.make(n, noise=p.noise, rng=np.random.default_rng(0))
    shown = Plane(data.X, data.labels, data.classes, ("x", "y"), plane.bounds(data.X))
    held = np.arange(n) % 3 == 0
    steps = gradient_boosting(
        data.X[:, :1], data.X[:, 1], held_out=held, rng=np.random.default_rng(0),
        **{"rounds": 30} | how,
    )  # fmt: skip
    steps = best_round(list(steps))
    return OneFeature(Run("", list(steps)), shown, how.get("loss", "squared"), held, 1.0)


def on_two_features(**how) -> TwoFeatures:
    p = DATASETS["penguins"]
    data = p.make(90, noise=0.0, rng=np.random.default_rng(0))
    shown = Plane(data.X, data.labels, data.classes, ("a", "b"), plane.bounds(data.X))
    held = np.arange(90) % 3 == 0
    steps = gradient_boosting(
        data.X, data.table[:, 2], held_out=held, rng=np.random.default_rng(0),
        **{"rounds": 12} | how,
    )  # fmt: skip
    steps = best_round(list(steps))
    loss, at = how.get("loss", "squared"), np.array([45.0, 16.0])
    return TwoFeatures(Run("", list(steps)), shown, loss, held, at, data.columns[2])


def heights(trace: dict, x: np.ndarray) -> np.ndarray:
    """Read a line off between its corners."""
    corners = unpacked(trace["x"])
    assert (np.diff(corners) >= 0).all()
    return np.interp(x, corners, unpacked(trace["y"]))


@pytest.mark.parametrize("now", [0, 1, 17, 30])
def test_the_curve_is_the_model(now: int) -> None:
    shown = boosted()
    x = np.linspace(-2.9, 2.9, 97)[:, None]
    _, dashed, thick, read, *_ = shown.picture(now)["data"]
    np.testing.assert_allclose(heights(thick, x[:, 0]), shown.steps[now].predict(x), atol=1e-5)
    path = shown.found(now).path
    np.testing.assert_allclose(path, np.column_stack([unpacked(thick[a]) for a in "xy"]), atol=1e-5)
    before = shown.steps[max(now - 1, 0)]
    np.testing.assert_allclose(heights(dashed, x[:, 0]), before.predict(x), atol=1e-5)
    ends = [unpacked(read[axis])[1] for axis in "xy"]
    assert ends == pytest.approx([1.0, shown.steps[now].predict(np.array([[1.0]]))[0]])
    assert (unpacked(shown.picture(now)["points"]["held"]) == shown.held).all()


def test_residuals_are_those_of_the_round_before_and_crosses_wait() -> None:
    shown = boosted(subsample=0.5)
    X, y = shown.data.X[~shown.held, :1], shown.data.X[~shown.held, 1]
    for now in (1, 20):
        step = shown.steps[now]
        _, dots, tree, added = shown.residuals(now)["data"]
        np.testing.assert_allclose(unpacked(dots["x"]), X[:, 0], atol=1e-5)
        np.testing.assert_allclose(
            unpacked(dots["y"]), y - shown.steps[now - 1].predict(X), atol=1e-5
        )
        assert [s == 0 for s in dots["marker"]["symbol"]] == step.drawn[~shown.held].tolist()
        np.testing.assert_allclose(heights(tree, X[:, 0]), step.tree(X[:, 0]), atol=1e-5)
        np.testing.assert_allclose(heights(added, X[:, 0]), 0.1 * step.tree(X[:, 0]), atol=1e-5)
    assert "cross" in shown.note
    assert "cross" not in boosted().note


def test_errors_and_the_best_round() -> None:
    shown = boosted()
    figure = shown.errors(7)
    training, _, held, mark, names = figure["data"]
    assert [name.strip() for name in names["text"]] == ["training", "held out"]
    np.testing.assert_allclose(
        unpacked(training["y"]), [step.training_error for step in shown.steps], rtol=1e-5
    )
    found = unpacked(held["y"])
    assert (mark["x"], mark["y"]) == ([7], [pytest.approx(found[7])])
    assert figure["layout"]["shapes"][0]["x0"] == found.argmin() == shown.best


def test_very_many_parts_are_drawn_at_as_many_places_as_there_is_room_for() -> None:
    shown = boosted()
    f = StepFunction(np.linspace(-2.9, 2.9, 5000), np.arange(5001.0))
    curve = step_curve(f, *shown.data.bounds[:2], width=1)
    assert len(unpacked(curve["x"])) == 800
    x = np.linspace(-2.8, 2.8, 50)
    np.testing.assert_allclose(heights(curve, x), f(x), atol=20)


@pytest.mark.parametrize(
    ("loss", "what", "target"),
    [
        ("squared", "fits 40 residuals. ", "on the residuals y − F."),
        ("absolute", "is grown on the signs of 40 residuals. ", "on the signs of the residuals"),
    ],
)
def test_the_caption_has_the_numbers_of_the_round(loss: str, what: str, target: str) -> None:
    shown = boosted(loss=loss, learning_rate=0.5)
    middle, error = (np.mean, np.square) if loss == "squared" else (np.median, np.abs)
    X, y, learned = shown.data.X[:, :1], shown.data.X[:, 1], ~shown.held
    start = middle(y[learned])
    assert f"F is the {middle.__name__} of 40 points everywhere, {number(start)}." in (
        shown.caption(0)
    )
    assert target in shown.caption(0)
    worse = next(now for now in range(1, 30) if shown.held_out[now] > shown.held_out[now - 1])
    for now in (1, worse, 11):
        before, step = shown.steps[now - 1], shown.steps[now]
        first, rule, read = shown.caption(now).split("\n")
        assert rule.startswith(f"A tree with {len(step.tree.values)} leaves {what}")
        held = [error(y - s.predict(X))[~learned].mean() for s in shown.steps[: now + 1]]
        best = int(np.argmin(held))
        lowest, here = alike(held[best], held[now])
        r, leaf = (y - before.predict(X))[learned], step.tree.cuts.searchsorted(X[learned, 0])
        most = max(np.unique(leaf), key=lambda j: abs(middle(r[leaf == j])))
        largest = middle(r[leaf == most])
        few = counted(int((leaf == most).sum()), "point")
        told = {
            now: f"a tree fits what is missing; the held-out error falls to {here}",
            now - 1: "the training error falls, but the held-out error rises from "
            f"{lowest} to {here}",
        }.get(
            best,
            f"the tree moves F most at {few}; the held-out error is {here}, and was {lowest} in "
            f"round {best}",
        )
        assert first == f"Round {now}: {told}."
        assert f"residuals = {number(largest)}; there F" in rule.replace(
            "residual =", "residuals ="
        )
        found = float(read.replace("−", "-").rstrip(".").rsplit("= ", 1)[1])
        assert found == pytest.approx(step.predict(np.array([[1.0]]))[0], rel=5e-3)
    one = boosted(n=2, loss=loss)
    assert "No tree can be grown" in one.caption(0) and len(one.steps) == 1
    told = [now for now in range(len(shown.steps)) if "No other round" in shown.answer(now)]
    assert told == [shown.best]


def test_what_was_added_since_the_best_round_is_filled() -> None:
    shown = boosted(learning_rate=0.5)
    best, last = shown.best, len(shown.steps) - 1
    filled, *_, said = shown.picture(last)["data"][:5]
    assert 0 < best < last and said["text"] == [f"grey: added since round {best}"]
    path = np.column_stack([unpacked(filled[axis]) for axis in "xy"])
    sums = [corners(shown.steps[i].total, *shown.data.bounds[:2]) for i in (last, best)]
    np.testing.assert_allclose(path, np.concatenate([sums[0], sums[1][::-1]]), atol=1e-5)
    assert shown.picture(best)["data"][4]["text"] == [""]


def test_the_axis_of_the_residuals_comes_closer_but_holds_them_all() -> None:
    shown = boosted(rounds=100)
    for now, step in enumerate(shown.steps):
        low, high = shown.residuals(now)["layout"]["yaxis"]["range"]
        assert low <= step.residuals[~shown.held].min()
        assert high >= step.residuals[~shown.held].max()
    first, last = (shown.residuals(now)["layout"]["yaxis"] for now in (0, 100))
    assert np.ptp(first["range"]) == pytest.approx(4 * np.ptp(last["range"]))
    assert last["title"]["text"] == "residual (4 × closer)"


def test_a_surface_is_deep_where_the_sum_is_large() -> None:
    shown = on_two_features()
    low, high = shown.levels
    assert f"from {number(low)} to {number(high)}" in shown.note
    for now in (0, 3, 12):
        image = shown.picture(now)["data"][0]
        cells, _ = read_png(b64decode(image["source"].partition(",")[2]))
        size = len(cells)
        x = image["x0"] + image["dx"] * np.arange(size)
        y = image["y0"] + image["dy"] * np.arange(size)
        for i, j in ((0, 0), (70, 100), (100, 60)):
            at = np.array([[x[j], y[i]]])
            share = (shown.steps[now].predict(at)[0] - low) / (high - low)
            assert cells[i, j] == np.floor(np.clip(14 * share, 0, 13))


def test_cuts_part_the_leaves_and_tips_tell_the_side() -> None:
    shown = on_two_features(max_depth=2)
    for now in (1, 7):
        step, figure = shown.steps[now], shown.picture(now)
        _, cuts, numbers = figure["data"][:3]
        ends = np.column_stack([unpacked(cuts[axis]) for axis in "xy"])
        lines = ends[~np.isnan(ends[:, 0])].reshape(-1, 2, 2)
        assert len(lines) == len(step.tree.parts().values) - 1 == len(numbers["text"]) - 1
        apart = 1e-3
        for a, b in lines:
            across = np.array([apart, 0]) if abs(a[0] - b[0]) < 1e-9 else np.array([0, apart])
            middle = (a + b) / 2
            sides = step.tree(np.array([middle - across, middle + across]))
            assert sides[0] != sides[1]
        places = np.column_stack([unpacked(numbers[axis]) for axis in "xy"])
        np.testing.assert_allclose(step.tree(places), step.tree.parts().values)
        groups, r = unpacked(figure["points"]["group"]), step.residuals
        assert (groups[r > 0] == 3).all() and (groups[r < 0] == 4).all()
        sizes = unpacked(figure["points"]["size"])
        assert (np.diff(sizes[np.abs(r).argsort()]) >= 0).all() and np.ptp(sizes) > 0


def test_leaf_by_leaf_every_point_stands_below_its_number() -> None:
    shown = on_two_features(max_depth=2, subsample=0.5)
    for now in (0, 1, 9):
        step, rows = shown.steps[now], shown.shown
        _, dots, tree, _, numbers = shown.leaf_by_leaf(now)["data"]
        leaves = len(step.tree.parts().values)
        x = unpacked(dots["x"])
        np.testing.assert_allclose(unpacked(dots["y"]), step.residuals[rows], rtol=1e-5)
        np.testing.assert_allclose(heights(tree, x), step.tree(shown.features[rows]), atol=1e-4)
        np.testing.assert_allclose(
            np.floor(leaves * unpacked(numbers["x"])), np.arange(leaves), atol=1e-9
        )
        assert len(set(x.round(6))) == len(rows)


def test_many_leaves_have_no_numbers() -> None:
    shown = on_two_features(max_depth=6, rounds=1)
    assert len(shown.steps[1].tree.parts().values) > 8
    assert shown.picture(1)["data"][2]["text"] == []


def test_a_caption_on_two_features_names_both() -> None:
    shown = on_two_features()
    for now in (0, 1, 12):
        told = shown.caption(now)
        found = float(told.replace("−", "-").rstrip(".").rsplit("= ", 1)[1])
        assert found == pytest.approx(shown.steps[now].predict(shown.at)[0], rel=5e-3)
    first = shown.steps[1].tree.parts()
    leaf = np.abs(first.values).argmax()
    below, above = (number(float(side[leaf].max())) for side in (first.low, first.high))
    rule = shown.caption(1).split("\n")[1]
    assert f"{below} < a and b ≤" in rule or f"≤ {above} and" in rule


def test_a_caption_of_the_huber_loss_adds_up() -> None:
    shown = boosted(loss="Huber")
    for now in (1, 9):
        step = shown.steps[now]
        _, rule, read = shown.caption(now).split("\n")
        x, r = shown.data.X[:, :1], step.residuals
        leaf = int(np.abs(step.tree.values).argmax())
        inside = step.tree.parts().holding(x)[leaf] & ~shown.held
        first = float(np.median(r[inside]))
        rest = float((r[inside] - first).clip(-step.delta, step.delta).mean())
        assert f"h = {number(first)} (median of {counted(int(inside.sum()), 'residual')}) " in rule
        assert f"{added(rest)} (mean of the differences from it, each clipped to ±δ) = " in rule
        assert f"= {number(first + rest)}; there F" in rule
        assert f"δ = {number(step.delta)}." in read
        dotted = shown.residuals(now)["data"][-1]["y"]
        assert dotted == [step.delta, step.delta, None, -step.delta, -step.delta]


def test_the_sum_at_the_picked_place_shows_every_change() -> None:
    small = 0
    for shown in (boosted(), on_two_features(rounds=40)):
        for now in range(1, len(shown.steps)):
            read = shown.caption(now).split("\n")[2].replace("−", "-")
            found = re.search(r"F \+ η h = (\S+) \+ (\S+) · \(?([^ )]+)\)? = ([\d.-]+?)\.?$", read)
            if found is None:  # a number with a power of ten
                continue
            before, rate, h, after = map(float, found.groups())
            wanted = shown.read[now - 1 : now + 1]
            np.testing.assert_allclose([before, after], wanted, rtol=5e-3)
            if 1e-5 < abs(rate * h) < 1e-2:
                small += 1
                assert after - before == pytest.approx(rate * h, rel=0.02)
    assert small > 2


def test_the_written_sum_at_the_picked_place_comes_out() -> None:
    rng = np.random.default_rng(0)
    for _ in range(300):
        before, h = rng.normal(size=2) * 10 ** rng.uniform(-1, 3, 2)
        rate = float(rng.choice([0.01, 0.05, 0.1, 0.3, 1]))
        said = _sum_that_comes_out(before, rate, h)
        old, says, new = (float(text.replace("−", "-")) for text in said)
        decimals = len(said[2].partition(".")[2])
        assert round(old + rate * says, decimals) == pytest.approx(new, abs=1e-9), said
        assert old == pytest.approx(before, abs=0.6 * 10**-decimals)
        assert new == pytest.approx(before + rate * h, abs=0.6 * 10**-decimals)
        assert says == pytest.approx(h, rel=5e-3)
        assert said[0] != said[2], "the change is seen"
