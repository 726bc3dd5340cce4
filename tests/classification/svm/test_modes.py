"""What the modes on support vector machines draw, say and send."""

from itertools import pairwise
from typing import ClassVar

import numpy as np
import pytest

from algorithms.classification.svm.kernel_matrix import kernel_matrix
from algorithms.classification.svm.street_by_hand import street_by_hand
from algorithms.classification.svm.svm import svm
from algorithms.classification.svm.svm_multiclass import REST
from algorithms.classification.svm.svm_multiclass import svm_multiclass as several
from algorithms.classification.svm.svm_qp import svm_qp
from algorithms.core.features import polynomial_features
from algorithms.core.kernels import linear, polynomial, rbf, sigmoid
from tests.core.figures import answer, drawn, line, places, unpacked
from tests.core.samples import board_of, dataset
from tests.core.told import numbers
from tests.house.check_steps import AsInTheApp
from viz.classification.svm import kernel_matrix as matrix_views
from viz.classification.svm.street_by_hand import Street
from viz.classification.svm.svm import Pairs
from viz.classification.svm.svm_multiclass import SeveralClasses
from viz.classification.svm.svm_qp import AllAtOnce
from viz.core import plane
from viz.core.scene import Plane, Run, Scene
from viz.core.words import number

KERNELS = {"linear": linear(), "cubic": polynomial(3, 1.0), "RBF": rbf(1.0), "tanh": sigmoid(0.3)}
MODES = {svm: Pairs, svm_qp: AllAtOnce, several: SeveralClasses}
PICTURE, SECOND, OBJECTIVES = 0, 1, 2  # views


def board(name: str, n: int) -> Plane:
    return board_of(dataset(name, n))


def lab(name="moons", kernel=None, solve=svm, n=200, **how) -> tuple[Plane, tuple, Scene]:
    """Return data, steps and scene of a mode."""
    return shown(board(name, n), kernel or rbf(1.0), solve, **how)


def shown(data, kernel, solve, *, hatch=True, wrap=tuple, **how) -> tuple[Plane, tuple, Scene]:
    features = polynomial_features(data.X, 1)
    F, second = features(data.X), data.labels == data.labels.max()
    with AsInTheApp():
        y = data.labels if solve is several else second.astype(int)
        steps = wrap(solve(F, y, kernel=kernel, **how))
    choice = hatch if solve is several else (REST, int(data.labels.max()))
    matrix = kernel_matrix(kernel, F, data.labels)
    place = [] if solve is several else [np.array([0.5, -0.5])]
    crossed = [True] if solve is svm else []
    extra = [] if solve is several else [None]
    mode = MODES[solve](Run("", steps), data, choice, features, *place, matrix, *extra, *crossed)
    return data, steps, mode.scene()


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
@pytest.mark.parametrize("solve", [svm, svm_qp])
def test_the_answer_to_a_move_is_small(kernel, solve) -> None:
    if solve is svm_qp and not kernel.definite:
        return
    _, steps, scene = lab("moons", kernel, solve)
    assert len(answer(scene, steps)) < 75_000


class Counted(tuple):
    """Steps that count how often each was looked at."""

    looked_at: ClassVar[set[int]] = set()

    def __getitem__(self, i):
        Counted.looked_at.add(i)
        return super().__getitem__(i)


def test_every_step_of_a_long_run_can_be_drawn_by_itself() -> None:
    long = {"max_iter": 30_000, "pairs": 20_000}
    _, steps, scene = lab("moons", linear(), C=1000.0, wrap=Counted, **long)
    last = len(steps) - 1
    assert 20_000 < last < 21_000
    assert "Converged." in scene.caption(last)
    assert len(answer(scene, steps)) < 75_000
    for now in (1, *range(777, last, 777), last):
        Counted.looked_at.clear()
        for view in scene.views:
            view.draw(now)
        assert ("Converged." if now == last else f"Move {now}: ") in scene.caption(now)
        assert Counted.looked_at <= {now - 1, now}
        drawn(scene, now)


def test_the_objectives_of_a_long_run_are_thinned_and_say_so() -> None:
    _, steps, scene = lab("moons", linear(), C=1000.0, max_iter=3000, pairs=3000)
    assert scene.views[OBJECTIVES].title.endswith("(lines: one move in 16)")
    last = len(steps) - 1
    for now in (0, 1, 1001, last):
        primal, dual, *marks = scene.views[OBJECTIVES].draw(now)["data"]
        shown = unpacked(primal["x"])
        np.testing.assert_array_equal(shown, [*range(0, last, 16), last])
        np.testing.assert_array_equal(shown, unpacked(dual["x"]))
        for row in (0, 50, len(shown) - 1):
            step = steps[int(shown[row])]
            assert unpacked(primal["y"])[row] == pytest.approx(step.primal_objective)
            expected = step.dual_objective if step.dual_objective > 0 else np.nan
            assert unpacked(dual["y"])[row] == pytest.approx(expected, nan_ok=True)
        # The marks are the step's own values, whether the lines pass through them or not.
        assert [mark["x"] for mark in marks] == [[now], [now]]
        own = [[steps[now].primal_objective], [steps[now].dual_objective]]
        assert [mark["y"] for mark in marks] == own
    _, _, short = lab("moons")
    assert short.views[OBJECTIVES].title == "Primal and dual objective"


def test_pair_caption_recomputed_from_the_data() -> None:
    data, steps, scene = lab("moons", C=2.0, pairs=40)
    signs = 2.0 * data.labels - 1
    X = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=-1))
    for now, (before, after) in enumerate(pairwise(steps), 1):
        plainly, rule, _ = scene.caption(now).split("\n")
        new, C = after.duals, 2.0
        f = K @ (new * signs) + after.bias
        D = new.sum() - (new * signs) @ K @ (new * signs) / 2
        P = new.sum() - D + C * np.maximum(1 - signs * f, 0).sum()
        if now == len(steps) - 1:
            right = int((f * signs > 0).sum())
            assert numbers(plainly) == [(new > 0).sum(), 200 - right, 200]
            assert numbers(rule)[:2] == pytest.approx([D, P], rel=1e-3)
            continue
        told = numbers(plainly)
        gain = after.dual_objective - before.dual_objective
        at_once = after.pair is None
        if at_once:
            assert told[:2] == [now, len(after.moved)]
            told = [now, *told[2:]]
        assert told[1:3] == [len(after.violators), 200]
        risen, _, rule = rule.partition(": " if at_once else ". ")
        assert numbers(risen) == [
            pytest.approx(gain, rel=1e-2, abs=1e-9), pytest.approx(D, rel=5e-3)
        ]  # fmt: skip
        free, full = numbers(rule)[-2:]
        assert (free, full) == (((new > 0) & (new < C)).sum(), (new == C).sum())
        if at_once:
            assert numbers(rule)[-3] == pytest.approx(abs(after.violation), rel=1e-2)
            assert f"for these {len(after.moved)}" in rule
            continue
        i, j = after.pair
        alpha = before.duals
        g = signs - K @ (alpha * signs)
        slope, curvature = g[i] - g[j], 2 - 2 * K[i, j]
        cut = "cut to" in rule
        expected = [slope, curvature, slope / curvature]
        step = abs(new[i] - alpha[i])
        expected += [step] * cut
        expected += [alpha[i], step, new[i], alpha[j], step, new[j]]
        # Each is rounded to four digits.
        np.testing.assert_allclose(numbers(rule)[: len(expected)], expected, rtol=6e-4, atol=1e-6)
    assert any(step.pair is None for step in steps[1:])
    assert "200 of 200 points break" in scene.caption(0)
    assert "Converged." in scene.caption(len(steps) - 1)


def test_newton_caption_says_what_the_steps_hold() -> None:
    _, steps, scene = lab("moons", solve=svm_qp)
    for now, (before, after) in enumerate(pairwise(steps), 1):
        plainly, rule, _ = scene.caption(now).split("\n")
        if now == len(steps) - 1:
            assert numbers(plainly)[0] == len(after.support)
        else:
            gaps = [200, before.gap, after.gap]
            np.testing.assert_allclose(numbers(plainly)[:3], gaps, rtol=6e-3)
        told = [after.step_length, before.mu, after.mu]
        np.testing.assert_allclose(numbers(rule)[:3], told, rtol=6e-2)
        primal, dual = numbers(rule)[3:5]
        assert (primal, dual) == (
            pytest.approx(after.primal_objective, rel=1e-5),
            pytest.approx(after.dual_objective, rel=1e-5),
        )
    assert "Converged." in scene.caption(len(steps) - 1)


def test_points_states_and_pair_are_drawn() -> None:
    data, steps, scene = lab("moons")
    for now in (0, len(steps) // 2, len(steps) - 1):
        step, figure = steps[now], scene.views[PICTURE].draw(now)
        np.testing.assert_allclose(places(figure), data.X, rtol=1e-6)
        wrong = unpacked(figure["points"]["wrong"]) > 0
        np.testing.assert_array_equal(wrong, step.predict(step.points) != data.labels)
        marks = figure["marks"]
        kind = unpacked(marks["kind"])
        symbol, size = (np.array(marks[name])[kind] for name in ("symbols", "sizes"))
        broken = np.isin(np.arange(200), step.violators)
        np.testing.assert_array_equal(size == 0, (step.duals == 0) & ~broken)
        np.testing.assert_array_equal(np.isin(symbol, [101, 130]), step.duals == 1)
        np.testing.assert_array_equal(np.isin(symbol, [134, 128, 130]), broken)
        expected = data.X[list(step.pair)] if step.pair else np.empty((0, 2))
        np.testing.assert_allclose(line(figure["data"][3]), expected, rtol=1e-6)


def test_the_pair_is_ringed_in_any_unit() -> None:
    data = board("moons", 40)
    X = data.X * [1e-9, 1e9]
    tiny = Plane(X, data.labels, data.classes, data.names, plane.bounds(X))
    _, steps, scene = shown(tiny, rbf(1.0), svm)
    ringed = line(scene.views[PICTURE].draw(3)["data"][3])
    np.testing.assert_allclose(ringed, X[list(steps[3].pair)], rtol=1e-6)


@pytest.mark.parametrize("kernel", [linear(), rbf(1.0), polynomial(3, 1.0)], ids=str)
def test_lines_stay_close_to_the_contours(kernel) -> None:
    data, steps, scene = lab("moons", kernel)
    features = polynomial_features(data.X, 1)
    figure = scene.views[PICTURE].draw(len(steps) - 1)
    for trace, values in ((1, [0.0]), (2, [-1.0, 1.0])):
        path = line(figure["data"][trace])
        path = path[np.isfinite(path[:, 0])].astype(float)
        f = steps[-1].decision_function(features(path))
        assert np.abs(f[:, None] - values).min(axis=1).max() < 0.05
        assert 2 <= len(path) < 150


def test_the_box_shows_the_move() -> None:
    _, steps, scene = lab("moons", C=1.0, pairs=1000)
    for now in range(1, len(steps)):
        step, move = steps[now], steps[now].move
        _, inside, _, moved, *_ = scene.views[SECOND].draw(now)["data"]
        before, wanted, after = line(moved)
        np.testing.assert_allclose(before, np.abs(step.before[step.moved]), atol=1e-4)
        np.testing.assert_allclose(after, step.duals[step.moved], atol=1e-4)
        if move.taken == move.wanted:
            np.testing.assert_allclose(wanted, after, atol=1e-4)
        ends = line(inside)
        assert ends.min() >= -1e-9
        assert ends.max() <= 1 + 1e-9


def test_all_duals_are_drawn_class_by_class() -> None:
    data, steps, scene = lab("moons", solve=svm_qp)
    for now in (0, 5, len(steps) - 1):
        first, second, nobody = map(line, scene.views[SECOND].draw(now)["data"])
        assert len(nobody) == 0
        np.testing.assert_array_equal(np.concatenate([first, second])[:, 0], np.arange(200))
        for drawn_duals, side in ((first, 0), (second, 1)):
            expected = steps[now].duals[data.labels == side] / steps[now].C
            np.testing.assert_allclose(drawn_duals[:, 1], expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["moons", "blobs"])
def test_the_duals_that_moved_are_drawn_where_they_stood_and_stand(name: str) -> None:
    _, steps, scene = lab(name, linear(), C=10.0, n=80, pairs=20)
    assert any(step.pair is None for step in steps[1:])
    for before, after in pairwise(steps):
        first, second, ways = map(line, scene.views[SECOND].draw(after.index)["data"][-3:])
        place = np.concatenate([first, second])
        starts, ends = ways[0::3], ways[1::3]
        members = np.array(after.moved)
        assert len(ends) == len(members)
        order = np.argsort(after.signs, kind="stable")
        at = np.array([int(np.flatnonzero(order == i)[0]) for i in members])
        np.testing.assert_allclose(ends[:, 0], at)
        np.testing.assert_allclose(starts[:, 1], before.duals[members] / 10, atol=1e-6)
        np.testing.assert_allclose(ends[:, 1], place[at, 1], atol=1e-6)


def street(**how) -> tuple[Plane, tuple, Scene]:
    data = board("moons", 60)
    places = np.array([[-1.0, 0.2], [1.5, 0.4], [0.5, -0.6]])
    steps = tuple(street_by_hand(data.X, data.labels, places, **how))
    features = polynomial_features(data.X, 1, standardize=how.get("standardize", False))
    return data, steps, Street(Run("", steps), data, (0, 1), features).scene()


@pytest.mark.parametrize("standardize", [False, True])
def test_ways_lead_from_the_points_with_a_loss_to_their_own_edge(standardize: bool) -> None:
    data, steps, scene = street(standardize=standardize)
    features = polynomial_features(data.X, 1, standardize=standardize)
    for now, step in enumerate(steps):
        figure = drawn(scene, now)[PICTURE]
        straight = line(figure["data"][2]).astype(float)[:2]
        for trace, sign in ((5, -1), (6, 1)):
            ways = (
                line(figure["data"][trace]).reshape(-1, 6)[:, :4].astype(float)
            )  # a gap after each
            short = np.flatnonzero((step.hinges > 0) & (step.task.signs == sign))
            np.testing.assert_allclose(ways[:, :2], data.X[short], rtol=1e-5)
            at_edge = step.decision_function(features(ways[:, 2:]))
            np.testing.assert_allclose(at_edge, sign, atol=1e-4)
            across = (ways[:, 2:] - ways[:, :2]) @ (straight[1] - straight[0])
            np.testing.assert_allclose(across, 0, atol=1e-4)  # at right angles, as drawn
        for trace, level in ((2, 0.0), (3, 1.0), (4, -1.0)):
            path = line(figure["data"][trace]).astype(float)
            f = step.decision_function(features(path[np.isfinite(path[:, 0])]))
            np.testing.assert_allclose(f, level, atol=1e-4)
        by_hand = line(figure["data"][1]).astype(float)
        f = steps[0].decision_function(features(by_hand[np.isfinite(by_hand[:, 0])]))
        np.testing.assert_allclose(f, 0, atol=1e-4)


def test_losses_and_costs_of_a_street() -> None:
    _, steps, scene = street(C=2.0)
    for now, step in enumerate(steps):
        hinge, count, logistic, *points = scene.views[2].draw(now)["data"]
        m, loss = line(hinge).T
        np.testing.assert_allclose(loss, np.maximum(1 - m, 0), atol=1e-5)
        np.testing.assert_allclose(line(logistic)[:, 1], np.log1p(np.exp(-m)), rtol=1e-4)
        assert line(count)[:, 1].tolist() == [1, 1, 0, 0]
        for sign, own in zip((-1, 1), points, strict=True):
            margins = np.clip(step.margins[step.task.signs == sign], m[0], 4)
            np.testing.assert_allclose(line(own)[:, 0], margins, rtol=1e-4, atol=1e-5)
        norm, losses, gaps = scene.views[1].draw(now)["data"]
        assert norm["x"] == [each.half_norm for each in steps]
        long = [each.objective > 2.5 * steps[-1].objective for each in steps]
        np.testing.assert_array_equal(line(gaps)[:, 1], np.flatnonzero(long))
        total = np.add(norm["x"], losses["x"])
        np.testing.assert_allclose(total, [each.objective for each in steps])
        plainly, rule, width = scene.caption(now).split("\n")
        w, hinges = np.hypot(*step.weights), np.maximum(1 - step.margins, 0)
        P = w**2 / 2 + 2 * hinges.sum()
        told = numbers(rule.replace("½", "").replace("²", ""))
        wrong = (step.margins <= 0).sum()
        best = [] if step is steps[-1] else [steps[-1].objective]
        np.testing.assert_allclose(numbers(scene.answer(now)), best, rtol=6e-4)
        np.testing.assert_allclose(told, [w, 2, hinges.sum(), P], rtol=6e-3)
        assert numbers(width)[:2] == pytest.approx([2, 2 / w], rel=6e-3)
        if step is steps[-1]:
            assert numbers(plainly) == [(step.margins <= 1.001).sum(), wrong, 60]
        else:
            assert numbers(plainly)[0] == pytest.approx(P, rel=6e-3)
            if lossy := (hinges > 1e-3).sum():
                assert numbers(plainly)[1:] == [lossy, 60]


def test_the_width_is_written_in_the_units_of_the_cost_and_as_drawn() -> None:
    _, steps, scene = street(standardize=True)
    for now, step in enumerate(steps):
        edges = [line(scene.views[PICTURE].draw(now)["data"][trace]) for trace in (3, 4)]
        (a, b), (c, _) = (edge.astype(float)[:2] for edge in edges)
        across = np.array([a[1] - b[1], b[0] - a[0]]) / np.hypot(*(b - a))
        told = numbers(scene.caption(now).split("\n")[2])[1:3]
        np.testing.assert_allclose(told, [step.width, abs(across @ (c - a))], rtol=6e-3)


def test_matrix_and_its_words() -> None:
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = np.arange(60) % 2
    found = kernel_matrix(linear(), X, y)
    assert "2 eigenvalues are above rounding" in matrix_views.title(found)
    assert "whatever the points" in matrix_views.verdict(found, linear())
    kernel = sigmoid(1.0, 0.5)
    found = kernel_matrix(kernel, X, y)
    assert "not semi-definite" in matrix_views.title(found)
    assert number(found.eigenvalues[-1]) in matrix_views.verdict(found, kernel)
    gentle = sigmoid(0.01, 0.0) + linear()
    found = kernel_matrix(gentle, X[:20], y[:20])
    assert ("not in general" in matrix_views.verdict(found, gentle)) == found.definite


def test_ambiguous_regions_are_hatched_and_counted() -> None:
    data, steps, scene = lab("blobs", linear(), several, n=150)
    model = steps[-1]
    with_hatch = scene.views[PICTURE].draw(2)["data"][1]["source"]
    plain = shown(data, linear(), several, hatch=False)[2]
    assert len(with_hatch) > 1.5 * len(plain.views[PICTURE].draw(2)["data"][1]["source"])
    X = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    scores = model.decision_function(X)
    none = int(((scores > 0).sum(axis=1) == 0).sum())
    claimed = int(((scores > 0).sum(axis=1) > 1).sum())
    right = int((scores.argmax(axis=1) == data.labels).sum())
    said = f"{none} are claimed by no machine, {claimed} by several"
    if not none + claimed:
        said = "exactly one machine claims each point"
    assert said in scene.caption(2)
    assert f"{right} of 150 points are right" in scene.caption(2)


def test_machines_come_one_by_one() -> None:
    data, steps, scene = lab("blobs", linear(), several, n=90)
    features = polynomial_features(data.X, 1)
    for now in range(len(steps)):
        drawn = scene.views[PICTURE].draw(now)["data"][2 : 2 + len(steps)]
        borders = [line(trace) for trace in drawn]
        assert len(borders) == len(steps)
        assert [bool(np.isfinite(border).any()) for border in borders] == [
            m <= now for m in range(len(steps))
        ]
        for m in range(now + 1):
            on_it = borders[m][np.isfinite(borders[m][:, 0])].astype(float)
            f = steps[now].decision_function(features(on_it))[:, m]
            assert np.abs(f).max() < 0.05
