import json
import re
from base64 import b64decode
from io import BytesIO

import numpy as np
import pytest
from numpy import ndarray
from PIL import Image

from algorithms.core.splits import held_out
from algorithms.data.presets import DATASETS
from algorithms.ensembles.ada_boost.ada_boost import ada_boost
from algorithms.ensembles.ada_boost.summary import boosting_summary
from tests.core.figures import drawn, line, places, unpacked
from viz.core import plane, theme
from viz.core.frames import first_figures, frame
from viz.core.plane import SHADES
from viz.core.scene import Figure, Plane, Run, Scene
from viz.ensembles.ada_boost.ada_boost import Boosting
from viz.ensembles.ada_boost.marks import layers

Lot = tuple[Scene, Boosting]


def made(
    name: str = "circles",
    *,
    sample: int = 0,
    noise: float = 0.25,
    n: int = 200,
    share: float = 30,
    rounds: int = 50,
    depth: int = 1,
    **knob: int,
) -> Lot:
    """Return the page's scene with these parameters."""
    rng = np.random.default_rng(sample)
    data = DATASETS[name].make(n, noise=noise, rng=rng, **knob)
    return shown(data.X, data.labels, share, rounds=rounds, max_depth=depth)


def shown(X: ndarray, y: ndarray, share: float = 30, **how: int) -> Lot:
    held = held_out(len(X), share / 100, rng=np.random.default_rng([0, 1]), codes=y)
    steps = list(ada_boost(X[~held], y[~held], **how))
    summary = boosting_summary(steps, X[held], y[held])
    board = Plane(X, y, ("inner", "outer", "third"), ("x", "y"), plane.bounds(X))
    mode = Boosting(Run("", steps), board, held, summary, QUERY)
    return mode.scene(), mode


QUERY = np.array([0.4, 1.3])
SCENE, LOT = made()
NOW = 6
TURNED = layers("stump")[1]


# Pictures


X, Y = LOT.data.X, LOT.data.labels


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_regions_are_the_votes(depth: int) -> None:
    scene, lot = made(depth=depth)
    box, step = lot.data.bounds, lot.steps[NOW]
    regions = drawn(scene, NOW)[0]["data"][0]
    picture = Image.open(BytesIO(b64decode(regions["source"].partition(",")[2])))
    pixels = np.asarray(picture)
    rng = np.random.default_rng(0)
    for column, row in rng.integers(200, size=(60, 2)):
        x, y = box[0] + (column + 0.5) * regions["dx"], box[2] + (row + 0.5) * regions["dy"]
        vote = float(step.decision_function(np.array([[x, y]]))[0])
        assert pixels[row, column] // SHADES == (vote > 0)


def test_the_area_of_a_point_is_its_weight() -> None:
    figure = drawn(SCENE, NOW)[0]
    step, held = LOT.steps[NOW], LOT.held
    points = figure["points"]
    np.testing.assert_allclose(places(figure), X, rtol=1e-6)
    np.testing.assert_array_equal(unpacked(points["group"]), Y)
    size = unpacked(points["size"]) / plane.SIZES
    area = (len(step.weights) * step.weights).clip(0.4**2, 3.0**2)
    np.testing.assert_allclose(size[~held], np.sqrt(area), atol=0.5 / plane.SIZES + 1e-9)
    assert len(set(size[held])) == 1
    assert (size[held] < 1).all()
    np.testing.assert_array_equal(unpacked(points["held"]) > 0, held)
    first = unpacked(drawn(SCENE, 0)[0]["points"]["size"]) / plane.SIZES
    assert (first[~held] == 1).all()


def fill(figure: Figure) -> tuple[ndarray, ndarray]:
    """Return the class and the shade of every cell of the vote's regions."""
    png = figure["data"][0]["source"].partition(",")[2]
    pixels = np.asarray(Image.open(BytesIO(b64decode(png))))
    return pixels // SHADES, pixels % SHADES


def test_full_colour_is_the_trees_mistakes_and_the_fill_under_a_point_shows_the_votes() -> None:
    figure = drawn(SCENE, NOW)[0]
    points, box = figure["points"], LOT.data.bounds
    step, held = LOT.steps[NOW], LOT.held
    full = unpacked(points["strength"]) == 255
    np.testing.assert_array_equal(full[~held], step.wrong)
    assert not full[held].any()
    missed = step.predict(X) != Y
    np.testing.assert_array_equal(unpacked(points["wrong"]), missed)
    assert 0 < missed[~held].sum() < step.wrong.sum() and missed[held].any()
    winner, _ = fill(figure)
    where = (X - [box[0], box[2]]) / [box[1] - box[0], box[3] - box[2]] * winner.shape[::-1]
    column, row = where.astype(int).T
    corners = [
        step.surface(*(np.sort(ends) for ends in zip(low, high, strict=True)))
        for low, high in zip(*(_cell(box, winner.shape, column, row)), strict=True)
    ]
    inside = np.array([len(np.unique(F > 0)) == 1 for F in corners])  # no border in the cell
    assert inside.mean() > 0.9
    missed = winner[row, column] != Y
    np.testing.assert_array_equal(missed[inside], (step.predict(X) != Y)[inside])


def _cell(
    box: tuple[float, float, float, float], shape: tuple[int, ...], column: ndarray, row: ndarray
) -> tuple[ndarray, ndarray]:
    """Return the lower left and the upper right corners of cells."""
    low, span = np.array([box[0], box[2]]), np.array([box[1] - box[0], box[3] - box[2]])
    steps = span / shape[::-1]
    corner = low + np.column_stack([column, row]) * steps
    return corner, corner + steps


def rgba(image: dict) -> ndarray:
    """Return the colours and the opacities of an image's cells."""
    png = image["source"].partition(",")[2]
    return np.asarray(Image.open(BytesIO(b64decode(png))).convert("RGBA")).astype(int)


@pytest.mark.parametrize("depth", [1, 3])
def test_a_layer_is_drawn_exactly_where_the_round_turns_the_vote(depth: int) -> None:
    scene, lot = made(depth=depth)
    x, y, _ = plane.grid(lot.data.bounds, 200)
    turns = 0
    for now in range(9):
        figure = drawn(scene, now)[0]
        _, shade = fill(figure)
        assert len(set(shade.ravel())) == 1
        base = rgba(figure["data"][0])[..., 3]
        [layer] = [trace for trace in figure["data"] if trace.get("name") in TURNED.marks]
        pixels = rgba(layer)
        F = lot.steps[now].surface(x, y)
        before = lot.steps[now - 1].surface(x, y) if now else F
        turned = (F > 0) != (before > 0)
        turns += int(turned.any())
        np.testing.assert_array_equal(pixels[..., 3] > 0, turned)
        for k, hue in enumerate(theme.PALETTE[:2]):
            filled = pixels[turned & ((F > 0) == k)]
            assert (filled[:, :3] == theme.rgb(hue)).all() and len(set(filled[:, 3])) <= 1
            assert (filled[:, 3] > 2 * base[turned & ((F > 0) == k)]).all()
    assert turns > 3
    assert not TURNED.on, "it opens without this layer"


def test_the_caption_counts_the_points_on_which_the_round_turns_the_vote() -> None:
    assert "turns the vote" not in SCENE.caption(0)
    for now in range(1, 20):
        before, after = (step.predict(X[~LOT.held]) for step in LOT.steps[now - 1 : now + 1])
        turned = np.count_nonzero(before != after) or "none"
        told = f"This stump turns the vote on {turned} of the 145 points. The picked point: "
        plain, _, picked = SCENE.caption(now).split("\n")
        assert picked.startswith(told)
        wrong = [np.count_nonzero(said != Y[~LOT.held]) or "none" for said in (before, after)]
        since = "as before" if wrong[0] == wrong[1] else f"{wrong[0]} before"
        if LOT.steps[now].event is None:
            held = np.count_nonzero(LOT.steps[now].predict(X[LOT.held]) != Y[LOT.held])
            tested = f"(held out: {held or 'none'} of 55)"
            assert plain.endswith(f" gets {wrong[1]} of 145 wrong, {since} {tested}.")


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_dashed_line_is_where_the_rounds_tree_changes_its_mind(depth: int) -> None:
    scene, lot = made(depth=depth)
    left, right, bottom, top = lot.data.bounds
    for now in (0, 3, 9):
        step = lot.steps[now]
        low, high, *border = drawn(scene, now)[0]["data"][2:6]
        assert [trace["line"]["color"] for trace in (low, high)] == list(theme.PALETTE[:2])
        parts = [path[~np.isnan(path[:, 0])].reshape(-1, 2, 2) for path in map(line, border)]
        ends = np.concatenate(parts)
        for i, (start, end) in enumerate(ends):
            upright = i < len(parts[0])
            assert (start == end).tolist() == [upright, not upright]
            across = np.array([right - left, 0]) if upright else np.array([0, top - bottom])
            beside = (start + end) / 2 + np.outer([-1e-4, 1e-4], across)
            assert np.prod(step.tree.predict(beside)) == -1
        # The colours stand on the sides where the tree says so.
        for side, trace in ((-1, low), (1, high)):
            colored = line(trace)
            middles = colored[~np.isnan(colored[:, 0])].reshape(-1, 2, 2).mean(axis=1)
            assert len(middles) == len(ends)
            says = step.tree.predict(middles) == side
            assert says.sum() >= 0.8 * len(says), "few boxes are thinner than the colours are apart"


def test_every_change_along_a_line_crosses_the_dashed_line() -> None:
    scene, lot = made(depth=3)
    left, right, bottom, _ = lot.data.bounds
    x = np.linspace(left, right, 3000)
    for now in range(8):
        path = line(drawn(scene, now)[0]["data"][4])
        starts, ends = path[0::3], path[1::3]
        for y in np.linspace(bottom + 0.1, 2, 7) + 1e-3:
            says = lot.steps[now].tree.predict(np.column_stack([x, np.full(len(x), y)]))
            crossed = (starts[:, 0] == ends[:, 0]) & (starts[:, 1] < y) & (ends[:, 1] > y)
            assert np.count_nonzero(np.diff(says)) == crossed.sum()


def test_the_errors_are_drawn_in_percent_and_marked_at_the_round() -> None:
    summary = LOT.summary
    for view, name, other in ((1, "held out", summary.held_out_error), (4, "bound", summary.bound)):
        *data, names = drawn(SCENE, NOW)[view]["data"]
        curves, marks = data[0::2], data[1::2]
        assert [curve["name"] for curve in curves] == ["training", name]
        for curve, mark, shares in zip(curves, marks, (summary.training_error, other), strict=True):
            assert shares is not None
            np.testing.assert_array_equal(unpacked(curve["x"]), np.arange(1, 51))
            np.testing.assert_allclose(unpacked(curve["y"]), 100 * shares, rtol=1e-6)
            assert (mark["x"], mark["y"]) == ([NOW + 1], [pytest.approx(100 * shares[NOW])])
        assert [name.strip() for name in names["text"]] == ["training", name]


def test_without_held_out_points_there_is_no_such_curve_and_no_such_words() -> None:
    scene, _ = made(share=0)
    names = [curve["name"] for curve in drawn(scene, 0)[1]["data"][:-1:2]]
    assert names == ["training"]
    assert "held out" not in scene.note + scene.caption(3)


def test_the_weighted_errors_and_the_margins() -> None:
    chance, curve, mark, zero, margins = drawn(SCENE, NOW)[3]["data"]
    assert chance["y"] == [50, 50]
    np.testing.assert_allclose(unpacked(curve["y"]), [100 * s.error for s in LOT.steps], rtol=1e-6)
    assert (mark["x"], mark["y"]) == ([NOW + 1], [pytest.approx(100 * LOT.steps[NOW].error)])
    assert zero["x"] == [0, 0]
    step = LOT.steps[NOW]
    sign = np.where(Y[~LOT.held] == 1, 1, -1)
    by_hand = sign * step.decision_function(X[~LOT.held]) / sum(step.alphas)
    x, y = unpacked(margins["x"]), unpacked(margins["y"])
    assert (x[0], x[-1]) == (pytest.approx(by_hand.min()), pytest.approx(by_hand.max()))
    for margin, share in zip(x[5:-5:10], y[5:-5:10], strict=True):
        below, up_to = np.mean(by_hand < margin - 1e-6), np.mean(by_hand <= margin + 1e-6)
        assert 100 * below - 1 <= share <= 100 * up_to + 1, "many margins are the same"


def test_the_votes_at_the_picked_point_are_bars_and_add_up() -> None:
    for now in (0, NOW, 49):
        bars, _, total, mark = drawn(SCENE, now)[2]["data"]
        last = LOT.steps[-1]
        by_hand = np.array(
            [
                a * tree.predict(QUERY[None])[0]
                for a, tree in zip(last.alphas, last.trees, strict=True)
            ]
        )
        np.testing.assert_allclose(unpacked(bars["y"]), by_hand, rtol=1e-6)
        assert bars["marker"]["color"] == [theme.PALETTE[int(vote > 0)] for vote in by_hand]
        sums = unpacked(total["y"])
        np.testing.assert_allclose(sums[: now + 1], by_hand.cumsum()[: now + 1], rtol=1e-5)
        assert np.isnan(sums[now + 1 :]).all(), "the sum is drawn as far as the round"
        pale = np.array(bars["marker"]["opacity"]) < 1
        np.testing.assert_array_equal(pale, np.arange(50) > now, "later votes are pale")
        F = LOT.steps[now].decision_function(QUERY[None])[0]
        assert (mark["x"], mark["y"]) == ([now + 1], [pytest.approx(F)])
        for label, votes in (("outer", by_hand[: now + 1] > 0), ("inner", by_hand[: now + 1] < 0)):
            alphas = np.abs(by_hand[: now + 1][votes]).sum()
            count = rf"{alphas:.3f} \({votes.sum()}( votes?)? for “{label}”\)"
            assert re.search(count, SCENE.caption(now))
        side, says = (">", "outer") if F > 0 else ("≤", "inner")
        told = f"= {F:.3f} {side} 0: the vote says “{says}”.".replace("-", "−")
        assert SCENE.caption(now).endswith(told)


def test_the_side_of_the_sum_names_and_colours_the_class_that_wins() -> None:
    layout = drawn(SCENE, NOW)[2]["layout"]
    bottom, top = layout["yaxis"]["range"]
    below, above = layout["shapes"]
    assert (below["y0"], below["y1"], above["y0"], above["y1"]) == (0, bottom, 0, top)
    for k, shape in enumerate((below, above)):
        assert shape["fillcolor"].startswith(f"rgba{theme.RGB[k]}"[:-1])
    low, high = layout["annotations"]
    assert (low["text"], low["y"]) == ("“inner” wins", 0)
    assert (high["text"], high["y"]) == ("“outer” wins", 1)
    assert low["x"] > 1 and high["x"] > 1, "clear of the sum"


@pytest.mark.parametrize("depth", [1, 3])
def test_little_is_sent(depth: int) -> None:
    scene, _ = made("moons", n=1000, noise=0.4, rounds=200, depth=depth)
    first = first_figures(scene)
    frames = [frame(scene, first, now) for now in (0, 1, 2, 40, 80, 120, 160, 199)]
    assert len(json.dumps([first, frames])) < 150_000


# Words


def test_the_caption_of_the_first_round() -> None:
    plain, rule, _ = SCENE.caption(0).split("\n")
    step = LOT.steps[0]
    wrong, n = int(step.wrong.sum()), 145
    test = f"x ≤ {step.tree.threshold[0]:.3g}"
    assert f"all {n} points" in plain and f"the first stump misses {wrong} of them" in plain
    assert rule.startswith("The stump that says “") and f"where {test}" in rule
    error = wrong / n
    assert f"ε = {error:.4f} of the weight" in rule
    assert f"α = ½ ln((1 − ε)/ε) = ½ ln({1 - error:.4f}/{error:.4f})" in rule
    assert f"= {0.5 * np.log((1 - error) / error):.3f}." in rule
    assert f" misses ε = {error:.4f} of the weight: α" in rule
    assert f"missed × {0.5 / error:.3f}," in rule
    assert f"rest × {0.5 / (1 - error):.3f}." in rule


def test_the_printed_numbers_of_every_round_give_the_printed_results() -> None:
    for now in range(len(LOT.steps)):
        rule = SCENE.caption(now).split("\n")[1]
        found = re.search(
            r"ln\((\S+)/(\S+)\) = (\S+)\. Weights next: missed × (\S+), rest × (\S+)\.",
            rule,
        )
        assert found
        right, wrong, alpha, grow, shrink = map(float, found.groups())
        results = 0.5 * np.log(right / wrong), 0.5 / wrong, 0.5 / right
        assert [f"{each:.3f}" for each in results] == [
            f"{each:.3f}" for each in (alpha, grow, shrink)
        ]


def test_every_point_is_on_the_loss_whose_share_is_its_next_weight() -> None:
    now = 3
    step, following = LOT.steps[now : now + 2]
    counted, curve, dots = drawn(SCENE, now)[5]["data"]
    score, loss = line(dots).T
    scores = (step.signs * step.scores).clip(-2, 3)
    np.testing.assert_allclose(loss, np.exp(-score), rtol=1e-5)
    nearest = np.abs(scores[:, None] - score).argmin(axis=1)
    assert np.abs(scores - score[nearest]).max() < 0.011
    assert set(nearest) == set(range(len(score)))
    share = loss[nearest] / loss[nearest].sum()
    np.testing.assert_allclose(share, following.weights, rtol=0.05)
    assert loss[nearest].mean() == pytest.approx(step.bound, rel=0.02)
    m, height = line(curve).T
    np.testing.assert_allclose(height, np.exp(-m), rtol=1e-5)
    assert line(counted).tolist() == [[-2, 1], [0, 1], [0, 0], [3, 0]]


def test_the_caption_of_a_later_round_is_recomputed_from_the_data() -> None:
    plain, rule, _ = SCENE.caption(NOW).split("\n")
    sign = np.where(Y[~LOT.held] == 1, 1, -1)
    points, others = X[~LOT.held], X[LOT.held]
    weights, F = np.full(len(points), 1 / len(points)), np.zeros(len(points))
    for step in LOT.steps[: NOW + 1]:
        said = step.tree.predict(points)
        error = weights[said != sign].sum()
        alpha = 0.5 * np.log((1 - error) / error)
        F += alpha * said
        weights = weights * np.exp(-alpha * sign * said)
        weights /= weights.sum()
    missed, wrong = np.count_nonzero(said != sign), np.count_nonzero(sign * F <= 0)
    earlier = np.count_nonzero(sign * (F - alpha * said) <= 0)
    assert earlier != wrong
    assert plain == (
        f"Round {NOW + 1}: the {missed} points that this stump misses gain weight; "
        f"the vote of all {NOW + 1} gets {wrong} of 145 wrong, {earlier} before "
        f"(held out: {np.count_nonzero(LOT.steps[NOW].predict(others) != Y[LOT.held])} of 55)."
    )
    assert f"ε = {error:.3f}" in rule and f"= {alpha:.3f}." in rule
    assert f" misses ε = {error:.3f}" in rule


def test_the_last_caption_says_when_fewer_held_out_points_were_wrong() -> None:
    scene, lot = made("moons", noise=0.3)
    wrong, last = lot.summary.held_out_wrong, len(lot.steps) - 1
    assert wrong is not None and wrong.min() < wrong[last]
    told = (
        f"(held out: {wrong[last]} of 55; it was {wrong.min()} after round {wrong.argmin() + 1})."
    )
    assert scene.caption(last).split("\n")[0].endswith(told)
    assert "it was" not in scene.caption(last - 1)


def test_the_named_ends() -> None:
    perfect, _ = made("gates", noise=0.0, n=40, share=0, depth=2)
    plain, rule, _ = perfect.caption(0).split("\n")
    assert plain == (
        "Round 1: a tree of 3 tests gets none of 40 points wrong: it alone decides, and the run "
        "ends."
    )
    assert rule.startswith("ε = 0: ") and "together, 1.000" in rule
    helpless, lot = made("gates", noise=0.0, n=40, share=0)
    plain, rule, query = helpless.caption(0).split("\n")
    assert query.endswith("(0 for “inner”) = 0.000 ≤ 0: the vote says “inner”.")
    assert "gets 20 of 40 points wrong, half of the weight, which is no better than chance" in plain
    assert lot.steps[0].error == pytest.approx(0.5)
    assert rule.startswith("ε = ½: α = ½ ln((1 − ε)/ε) = ½ ln 1 = 0")
    assert line(drawn(helpless, 0)[0]["data"][4]).shape == (1, 2), "a tie has no border"
    assert lot.steps[0].tree.constant


def test_a_stump_that_says_one_class_is_called_so() -> None:
    now = next(i for i, step in enumerate(LOT.steps) if step.tree.constant)
    said = "outer" if LOT.steps[now].tree.says[1] == 1 else "inner"
    assert f"(“{said}” either way)" in SCENE.caption(now)
    assert line(drawn(SCENE, now)[0]["data"][4]).shape == (1, 2)


def test_the_vote_is_written_tree_by_tree() -> None:
    scene, lot = made(depth=2, rounds=9)
    ((title, text),) = scene.details
    assert "tree by tree" in title
    lines = text.split("\n")
    assert len(lines) == 9
    for t, (said, tree) in enumerate(zip(lines, lot.steps[-1].trees, strict=True), 1):
        number, _, alpha, rules = said.split(maxsplit=3)
        assert (int(number), float(alpha)) == (
            t,
            pytest.approx(lot.steps[-1].alphas[t - 1], abs=1e-3),
        )
        assert rules.count("otherwise") == len(tree.tests)
        assert rules.count("“") == len(tree.tests) + 1
        assert f"{'xy'[tree.feature[0]]} ≤ " in rules
        x, y = X[t]
        code = re.sub(r"“(\w+)”", r"'\1'", rules).replace("≤", "<=").replace("−", "-")
        assert follow(code, x, y) == ("outer" if tree.predict(X[t : t + 1])[0] == 1 else "inner")


def follow(rules: str, x: float, y: float) -> str:
    """Read rules such as "x <= 1: 'a', otherwise (y <= 2: 'b', otherwise 'a')"."""
    pattern = r"\(?([xy]) <= (-?[\d.e-]+): ('\w+'), otherwise ('\w+')\)?"
    while not re.fullmatch(r"'\w+'", rules):
        rules = re.sub(
            pattern,
            lambda m: m[3] if (x if m[1] == "x" else y) <= float(m[2]) else m[4],
            rules,
        )
    return rules.strip("'")
