"""The perceptron's pictures and captions: valid at every step, and true of the data."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from algorithms.classification.linear.perceptron.delta_rule import delta_rule
from algorithms.classification.linear.perceptron.perceptron import perceptron
from algorithms.classification.linear.perceptron.perceptron_summary import summary
from algorithms.core.features import polynomial_features
from tests.core.figures import answer, line, unpacked
from tests.core.samples import board, dataset
from tests.core.told import NUMBER, numbers, value
from viz.classification.linear.perceptron.bound import whole
from viz.classification.linear.perceptron.delta_rule import DeltaRule
from viz.classification.linear.perceptron.perceptron import Mistakes
from viz.core.scene import Figure, Run
from viz.core.words import decimal

PICTURE, WEIGHTS, BARS, LAST = 0, 1, 2, -1  # numbers of views
PICKED = np.array([0.7, -0.4])


class Shown:
    """A run with its mode."""

    def __init__(
        self,
        X: np.ndarray,
        y: np.ndarray,
        variant: str = "plain",
        *,
        rescale: bool = False,
        watch: Callable = list,
        **how: Any,
    ) -> None:
        self.X, self.y = X, y
        features = polynomial_features(X, 1, standardize=rescale)
        F = features(X)
        how = {"rng": np.random.default_rng(0), "learning_rate": 1.0} | how
        delta = variant == "delta rule"
        self.steps = watch(
            list(delta_rule(F, y, **how) if delta else perceptron(F, y, variant=variant, **how))
        )
        data = board(X, y, tuple(str(label) for label in range(y.max() + 1)))
        known = summary(self.steps, X, y, features, how["learning_rate"])
        if known.proof:
            self.proof = known.proof
        mode = DeltaRule if delta else Mistakes
        self.mode = mode(Run("", self.steps), data, features, known, PICKED, None, variant)
        self.scene = self.mode.scene()
        self.caption = self.mode.caption

    def view(self, number: int, now: int) -> Figure:
        return self.scene.views[number].draw(now)


def shown(name: str, n: int = 40, variant: str = "plain", noise=None, **how) -> Shown:
    data = dataset(name, n, **{} if noise is None else {"noise": noise})
    return Shown(data.X, data.labels, variant, **how)


CASES = {
    "separable": {"name": "separable"},
    "ones": {"name": "separable", "init": "ones", "learning_rate": 0.1},
    "inseparable": {"name": "moons", "max_epochs": 3},
    "averaged": {"name": "moons", "variant": "averaged", "max_epochs": 3},
    "pocket": {"name": "almost separable", "variant": "pocket", "max_epochs": 3},
    "standardised": {"name": "outlier", "rescale": True},
    "cycle": {"name": "gates", "n": 4, "noise": 0.0, "order": "cyclic"},
    "delta": {"name": "moons", "variant": "delta rule", "learning_rate": 0.03, "max_epochs": 3},
    "diverged": {"name": "moons", "variant": "delta rule", "learning_rate": 3.0},
}


def test_the_caption_recomputed_from_the_data() -> None:
    run = shown("separable", n=60)
    seen = 0
    for now, step in enumerate(run.steps):
        if not step.mistake or step.event != "mistake":
            continue
        first, second, _ = run.caption(now).split("\n")
        sample = int(re.match(r"Sample (\d+) ", first)[1])
        x, y = run.X[sample - 1], 2 * run.y[sample - 1] - 1
        before = run.steps[now - 1]
        told = f"sample {sample} of class {run.y[sample - 1]} (y = {'+1' if y > 0 else '−1'})"
        assert f"Epoch {step.epoch}, {told}, score o = " in second
        o = x @ before.weights + before.bias
        assert numbers(second.split("o = ")[1])[0] == pytest.approx(o, abs=5.1e-4)
        assert y * o <= 0
        assert ("has the score 0, which counts as wrong" in first) == (o == 0)
        assert f"(mistake {step.mistakes}): " in first
        pair = rf"\({NUMBER}, {NUMBER}\)"
        found = re.search(
            rf"= {pair} \+ 1 · \((.)1\) · {pair} = {pair}; b ← {NUMBER} \+ 1 · \((.)1\) = {NUMBER}",
            second,
        )
        w1, w2, sign, x1, x2, new1, new2, b, again, new_b = found.groups()
        assert (sign == "+") == (again == "+") == (y > 0)
        np.testing.assert_allclose([value(x1), value(x2)], x, atol=5.1e-4)
        old = np.array([value(w1), value(w2)])
        np.testing.assert_allclose(old, before.weights, atol=5.1e-4)
        np.testing.assert_allclose([value(new1), value(new2)], old + y * x, atol=1.1e-3)
        assert value(b) == pytest.approx(before.bias, abs=5.1e-4)
        assert value(new_b) == pytest.approx(before.bias + y, abs=5.1e-4)
        wrong = int(re.search(r"(\d+) of 60 points (?:is|are) wrong", first)[1])
        assert wrong == np.count_nonzero((run.X @ step.weights + step.bias > 0) != run.y)
        past = y * (x @ step.weights + step.bias) > 0
        assert ("but not past it" in first) == (not past)
        none_yet = not before.weights.any()
        assert ("it gives the first line" in first) == none_yet
        assert ("the line moves" in first) == (not none_yet)
        if not none_yet:
            errors = np.count_nonzero((run.X @ before.weights + before.bias > 0) != run.y)
            assert f"(before: {errors})" in first
        seen += 1
    assert seen == sum(step.event == "mistake" for step in run.steps) > 1


def test_a_visit_that_changes_nothing_has_its_score_summed_up() -> None:
    run = shown("separable", n=60)
    now = next(i for i, step in enumerate(run.steps) if i > 0 and not step.event)
    step, before = run.steps[now], run.steps[now - 1]
    first, second, _ = run.caption(now).split("\n")
    right = now - max(i for i, each in enumerate(run.steps[:now]) if i == 0 or each.mistake)
    row = f" ({right} in a row)" if right > 1 else ""
    said = f"Sample {step.index + 1} is on its right side{row}: nothing changes; "
    assert first.startswith(said)
    terms = numbers(second.split("o = w·x + b = ")[1].replace("− ", "+ −"))
    w1, x1, w2, x2, b, o = terms
    np.testing.assert_allclose([x1, x2], run.X[step.index], atol=5.1e-4)
    np.testing.assert_allclose([w1, w2, b], [*before.weights, before.bias], atol=5.1e-4)
    assert o == pytest.approx(step.score, abs=5.1e-4)


@pytest.mark.parametrize("case", ["separable", "averaged", "standardised", "delta"])
def test_the_picked_point_is_told_by_the_line_that_predicts(case: str) -> None:
    run = shown(**CASES[case])
    data = run.X
    x = (PICKED - data.mean(axis=0)) / data.std(axis=0) if case == "standardised" else PICKED
    for now in (0, 3, len(run.steps) - 1):
        step = run.steps[now]
        told = run.caption(now).split("\n")[-1]
        o = x @ step.model_weights + step.model_bias
        numbers_told = numbers(told.partition("b = ")[2].replace("− ", "+ −"))
        w1, x1, w2, x2, b, score = numbers_told[:6]
        np.testing.assert_allclose([x1, x2], x, atol=5.1e-4)
        np.testing.assert_allclose([w1, w2, b], [*step.model_weights, step.model_bias], atol=5.1e-4)
        assert score == pytest.approx(o, abs=5.1e-4)
        assert told.endswith("> 0." if o > 0 else "≤ 0.")
        assert f": class {int(o > 0)}, as its score " in told


def test_the_end_of_an_epoch_tells_of_its_mistakes() -> None:
    run = shown(**CASES["inseparable"])
    n = len(run.X)
    for epoch in (1, 2):
        visits = run.steps[(epoch - 1) * n + 1 : epoch * n + 1]
        made, step = sum(visit.mistake for visit in visits), run.steps[epoch * n]
        assert step.event == "end of epoch"
        first = run.caption(epoch * n).split("\n")[0]
        told = f"Epoch {epoch} is over, with {made} mistake{'s' * (made != 1)}"
        assert first.startswith(f"{told} ({step.mistakes} in all); ")


def test_the_end_says_why_the_bound_is_far_away() -> None:
    run = shown("separable", n=60)
    told = run.caption(len(run.steps) - 1).split("\n")[1]
    A = np.column_stack([run.X, np.ones(60)])
    wrong = [step.index for step in run.steps if step.mistake]
    # The progress along u is the sum of the distances from the separator.
    apart = (run.proof.progress[-1] - run.proof.progress[0]) / len(wrong)
    lengths = np.linalg.norm(A[wrong], axis=1)
    longest = np.linalg.norm(A, axis=1).max()
    assert "(coordinates and a 1)" in told
    expected = [longest, 1, longest / np.sqrt(run.proof.bound), lengths.mean(), apart]
    np.testing.assert_allclose(numbers(told), expected, atol=5.1e-4)
    assert expected[2] < expected[0] and expected[3] > expected[1]


def test_the_captions_of_the_delta_rule_recomputed() -> None:
    run = shown("moons", 30, "delta rule", learning_rate=0.03, max_epochs=2)
    for now in range(1, len(run.steps) - 1):
        first, second, _ = run.caption(now).split("\n")
        sample = int(re.search(r"sample (\d+)", second)[1]) - 1
        before, y = run.steps[now - 1], 2 * run.y[sample] - 1
        o = value(re.search(rf", score o = {NUMBER}; ", second)[1])
        assert o == pytest.approx(run.X[sample] @ before.weights + before.bias, abs=5.1e-4)
        taken = f"({'+' if y > 0 else '−'}1 {'+' if o < 0 else '−'} {decimal(abs(o))})"
        assert "w ← w + η (y − o) x = " in second and f"0.03 · {taken} · (" in second
        b, sign, added = re.search(rf"; b ← {NUMBER} ([+−]) {NUMBER} = ", second).groups()
        assert value(b) == pytest.approx(before.bias, abs=5.1e-4)
        assert value(added) * (1 if sign == "+" else -1) == pytest.approx(
            0.03 * (y - o), abs=5.1e-4
        )
        assert "the weights move" in first or "Epoch" in first


def test_the_bound_knows_the_start_where_that_is_not_zero() -> None:
    assert "The bound uses only two numbers: " in shown(**CASES["separable"]).caption(0)
    assert "The bound uses only the start, η and two numbers: " in shown(**CASES["ones"]).caption(0)
    titles = [shown(**CASES[case]).scene.views[LAST].title for case in ("separable", "ones")]
    assert all(title.startswith("Why it ends: at most ") for title in titles)


def test_the_captions_say_how_it_ends() -> None:
    def ending(**case) -> str:
        run = shown(**case)
        return run.caption(len(run.steps) - 1)

    assert re.match(r"Converged: epoch \d+ had no mistake", ending(**CASES["separable"]))
    assert "weights are those of one epoch ago" in ending(**CASES["cycle"])
    assert "Diverged" in ending(**CASES["diverged"])
    stopped = ending(**CASES["inseparable"])
    assert "Stopped after all 3 epochs" in stopped
    assert "No separator exists" in stopped
    few = ending(name="outlier", n=60, max_epochs=1)
    assert "A separator exists: allow more epochs" in few
    assert "No separator exists (linear programming)" in shown(**CASES["inseparable"]).caption(0)
    assert "A separator exists (linear programming)" in shown(**CASES["separable"]).caption(0)


def test_the_ring_is_on_the_visited_sample_and_the_arrows_add_up() -> None:
    run = shown("separable", n=30)
    for now, step in enumerate(run.steps):
        *_, ring, _ = map(line, run.view(PICTURE, now)["data"][1:])
        np.testing.assert_allclose(ring[0], run.X[step.index] if now else np.nan, rtol=1e-6)
        old, new, added = (line(trace) for trace in run.view(WEIGHTS, now)["data"][2:5])
        np.testing.assert_allclose(new[-1], step.weights, atol=1e-5)
        assert np.isfinite(old[-1]).all() == np.isfinite(added[-1]).all() == step.mistake
        if step.mistake:
            change = step.amount * run.X[step.index]
            np.testing.assert_allclose(added[-1] - added[0], change, atol=1e-5)
            np.testing.assert_array_equal(added[0], old[-1])
            np.testing.assert_array_equal(added[-1], new[-1])


@pytest.mark.parametrize("case", ["separable", "ones"])
def test_w_stands_on_the_line_and_points_to_the_side_of_the_second_class(case: str) -> None:
    run = shown(**CASES[case])
    drawn = 0
    for now, step in enumerate(run.steps):
        (normal,) = (
            t for t in run.view(PICTURE, now)["data"] if str(t.get("name")).startswith("w: ")
        )
        foot, _, tip = line(normal)
        if not np.isfinite(tip).all():
            continue
        drawn += 1
        scores = [float(step.model_weights @ x + step.model_bias) for x in (foot, tip)]
        assert scores[0] == pytest.approx(0, abs=1e-4 * scores[1]) and scores[1] > 0
        across, up = tip - foot
        w = step.model_weights
        assert across * w[1] - up * w[0] == pytest.approx(0, abs=1e-4)
    assert drawn > len(run.steps) / 2


def test_the_cross_lies_in_the_hull_of_either_class() -> None:
    run = shown("gates", n=4, noise=0.0, order="shuffled", max_epochs=3)
    crosses = [line(run.view(PICTURE, now)["data"][2])[0] for now in (0, 5)]
    np.testing.assert_allclose(crosses[0], 0.5)
    assert np.isnan(crosses[1]).all()


def test_the_curves_are_those_of_the_run() -> None:
    run = shown(**CASES["inseparable"])
    signs = 2 * run.y - 1
    scores = [run.X @ step.weights + step.bias for step in run.steps]
    errors, mark, losses, _ = run.view(LAST, 7)["data"]
    np.testing.assert_allclose(line(errors)[:, 0], np.arange(len(run.steps)) / 40, rtol=1e-6)
    np.testing.assert_array_equal(line(errors)[:, 1], [sum((o > 0) != run.y) for o in scores])
    mean = [np.maximum(0, -signs * o).mean() for o in scores]
    np.testing.assert_allclose(line(losses)[:, 1], mean, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose([mark["x"], mark["y"]], line(errors)[[7]].T)


def test_the_bars_count_the_mistakes_of_every_epoch() -> None:
    run = shown(**CASES["pocket"])
    n, last = len(run.X), len(run.steps) - 1
    made = [sum(step.mistake for step in run.steps[i + 1 : i + 1 + n]) for i in range(0, last, n)]
    now = n + 7
    every, so_far = run.view(BARS, now)["data"]
    assert every["y"] == run.view(BARS, last)["data"][1]["y"] == made
    begun = sum(step.mistake for step in run.steps[n + 1 : now + 1])
    assert so_far["y"] == [made[0], begun, *[0] * (len(made) - 2)]


@pytest.mark.parametrize("variant", ["plain", "pocket"])
def test_a_run_opens_on_an_update_that_shows_its_point(variant: str) -> None:
    run = shown("almost separable", 100, variant)
    wrong = [
        np.count_nonzero((run.X @ step.weights + step.bias > 0) != run.y)
        for step in run.steps[:201]
    ]
    change = {
        now: wrong[now] - wrong[now - 1]
        for now in range(2, 201)
        if run.steps[now].mistake and run.steps[now - 1].mistakes
    }
    opens = run.scene.opens
    if variant == "pocket":
        assert change[opens] == max(change.values())
        return
    helpful = [now for now, more in change.items() if more <= 0 and sample_is_right(run, now)]
    moves = [np.linalg.norm(run.steps[now].weights - run.steps[now - 1].weights) for now in helpful]
    assert opens == helpful[np.argmax(moves)]


def sample_is_right(run: Shown, now: int) -> bool:
    step = run.steps[now]
    return step.predict(run.X[[step.index]])[0] == run.y[step.index]


def test_the_bound_holds_the_curves_and_the_mark_is_on_them() -> None:
    run = shown("separable", n=60)
    for now in (0, len(run.steps) // 2, len(run.steps) - 1):
        *curves, words, length, progress = run.view(LAST, now)["data"]
        ceiling, long, along, floor = (line(curve) for curve in curves)
        for name, curve, (k, height) in zip(
            words["text"], (ceiling, floor), line(words), strict=True
        ):
            there = curve[np.isfinite(curve[:, 1])]
            assert height == pytest.approx(np.interp(k, *there.T), rel=1e-3), name
        step = run.steps[now]
        if step.mistakes:
            assert length["x"] == progress["x"] == [step.mistakes]
            assert length["y"] == [pytest.approx(np.linalg.norm([*step.weights, step.bias]))]
        for curve in (long, along):
            k, value = curve[np.isfinite(curve[:, 1])].T
            assert (value <= np.interp(k, *ceiling.T) * (1 + 1e-3)).all()
            assert (value >= np.interp(k, *floor[np.isfinite(floor[:, 1])].T) * (1 - 1e-3)).all()


class Counted(Sequence):
    """Steps that count how often each was looked at."""

    def __init__(self, steps: Sequence) -> None:
        self.steps, self.looks = steps, set()

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, step: Any) -> Any:
        self.looks.add(step)
        return self.steps[step]


@pytest.mark.parametrize(("variant", "rate"), [("averaged", 1.0), ("delta rule", 0.003)])
def test_any_frame_of_50_000_visits_is_drawn_from_a_few_steps(variant: str, rate: float) -> None:
    run = shown("moons", 1000, variant, learning_rate=rate, max_epochs=50, watch=Counted)
    last = len(run.steps) - 1
    assert last == 50_000
    assert len(answer(run.scene, run.steps, last // 2)) < 150_000
    errors, mark, losses, _ = run.view(LAST, last)["data"]
    assert run.scene.views[LAST].title == "Training errors and loss, 1 visit in 51"
    visits = [*range(0, last, 51), last]
    for curve in (errors, losses):
        np.testing.assert_allclose(unpacked(curve["x"]), np.array(visits) / 1000, rtol=1e-6)
    assert mark["x"] == [50]
    for now in (last, last - 1, last // 2, last // 3, 17):
        run.steps.looks.clear()
        for number in range(len(run.scene.views)):
            run.view(number, now)
        run.caption(now)
        assert len(run.steps.looks) <= 4


def test_a_bound_is_a_whole_number_or_if_huge_a_power_of_ten() -> None:
    assert [whole(bound) for bound in (0.0, 25 - 1e-9, 999_999.9, 1.23e7)] == [
        "0", "25", "999999", "1.2×10⁷",
    ]  # fmt: skip


def test_many_mistakes_are_thinned_along_the_curves_of_the_bound() -> None:
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (400, 2)) + np.array([30, 0])
    y = (X @ [1.0, 0.3] > 30).astype(int)
    run = Shown(X, y, max_epochs=20)
    assert run.steps[-1].mistakes > 2000
    assert len(answer(run.scene, run.steps)) < 150_000
    for now in (1000, 8000):
        *_, long, _, _, mark, _ = run.view(LAST, now)["data"]
        assert 300 < len(line(long)) <= 1000
        assert mark["x"] == [run.steps[now].mistakes]
