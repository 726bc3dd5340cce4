import re

import numpy as np
import pytest
from numpy import ndarray

from algorithms.core.splits import held_out
from algorithms.evaluation.held_out_scores import judged
from algorithms.evaluation.roc_curve import Event, roc_curve
from tests.core.figures import line, unpacked
from tests.core.samples import dataset
from tests.core.told import numbers, value
from tests.house.check_steps import event_names
from viz.core import plane, theme
from viz.core.scene import Plane, Run, Scene
from viz.evaluation.thresholds import roc_curve as words
from viz.evaluation.thresholds.roc_curve import Choice, Threshold

Lot = tuple[Scene, Threshold]
QUERY = np.array([0.4, 1.3])


def made(
    name: str = "moons",
    *,
    classifier: str = "Logistic",
    rival: str = "",
    scale: str = "as they are",
    miss: float = 2.0,
    kept: float = 1.0,
) -> Lot:
    """Return the page's scene with these parameters."""
    data = dataset(name, 120, noise=0.6)
    return shown(data.X, data.labels, (classifier, rival, scale), miss=miss, share=kept)


def shown(
    X: ndarray, y: ndarray, names: tuple[str, str, str], *, miss: float, share: float = 1.0
) -> Lot:
    held = held_out(len(X), 0.5, rng=np.random.default_rng([0, 1]), codes=y)
    away = held_out(len(X), 1 - share, rng=np.random.default_rng([0, 2]), codes=y)
    kept = ~away | (y != y.max())

    def scores_of(classifier: str):
        return judged(
            X[kept], y[kept], positive=int(y.max()), held_out=held[kept], classifier=classifier,
            scale=names[2], rng=np.random.default_rng(0),
        )  # fmt: skip

    found = scores_of(names[0])
    board = Plane(X, y, ("no", "yes", "third"), ("x", "y"), plane.bounds(X))
    choice = Choice(names[0], names[1], int(y.max()), held, kept, miss, QUERY)
    steps = list(roc_curve(found.positive, found.scores, miss=miss))
    other = scores_of(names[1]) if names[1] else None
    others = list(roc_curve(other.positive, other.scores)) if other else []
    beside = Run("", others) if others else None
    mode = Threshold(Run("", steps), board, found, choice, beside)
    return mode.scene(), mode


SCENE, LOT = made()
LAST = len(LOT.steps) - 1


def test_thick_outlines_are_the_wrong_ones_and_rings_the_latest() -> None:
    raw = LOT.judged.raw
    for now in (0, 10, LAST):
        figure = SCENE.views[0].draw(now)
        step = LOT.steps[now]
        wrong = unpacked(figure["points"]["wrong"]).astype(bool)
        assert wrong.sum() == step.false_positives + step.false_negatives
        assert not wrong[~LOT.test].any()
        rings = unpacked(figure["marks"]["kind"]) == 1
        assert rings[LOT.test].tolist() == (raw == step.threshold).tolist()
        assert not rings[~LOT.test].any()


def test_the_border_runs_through_the_latest_point() -> None:
    now = 12
    border = line(SCENE.views[0].draw(now)["data"][1])
    score = LOT.judged.score(border[~np.isnan(border[:, 0])])
    assert np.abs(score - LOT.steps[now].threshold).max() < 0.02 * np.ptp(LOT.judged.raw)


def test_the_curve_grows_and_its_next_step_is_dotted() -> None:
    rates = LOT.curve.rates
    for now in (0, 5, LAST):
        so_far, *_, following, star, _, _ = SCENE.views[1].draw(now)["data"]
        np.testing.assert_allclose(line(so_far), rates[: now + 1], atol=1e-6)
        np.testing.assert_allclose(line(following), rates[now : now + 2], atol=1e-6)
        np.testing.assert_allclose(line(star)[0], rates[LOT.best], atol=1e-6)


@pytest.mark.parametrize("miss", [0.1, 1.0, 10.0])
def test_no_threshold_is_above_the_line_of_least_cost(miss: float) -> None:
    _, lot = made(miss=miss)
    (x0, y0), (x1, y1) = line(lot.curve.roc()(0)["data"][3])
    step = lot.steps[0]
    slope = (y1 - y0) / (x1 - x0)
    assert slope == pytest.approx(step.negatives / (miss * step.positives), rel=1e-4)
    assert min(x0, y0, x1, y1) >= -1e-9
    assert max(x0, y0, x1, y1) <= 1 + 1e-9
    rates = lot.curve.rates
    assert (rates[:, 1] <= y0 + slope * (rates[:, 0] - x0) + 1e-5).all()


def test_the_histogram_counts_the_held_out_points_and_the_line_is_the_threshold() -> None:
    negatives, positives, upright, *_ = SCENE.views[2].draw(9)["data"]
    assert -unpacked(negatives["y"]).sum() == LOT.steps[0].negatives
    assert unpacked(positives["y"]).sum() == LOT.steps[0].positives
    assert upright["x"] == [LOT.steps[9].threshold] * 2


def test_handles_stand_where_their_step_is() -> None:
    point, grip = SCENE.views[1].track, SCENE.views[2].track
    assert point
    assert grip
    np.testing.assert_array_equal(point.places[:, 0], LOT.curve.rates)
    first, *others = grip.places[:, 0, 0].tolist()
    assert others == [step.threshold for step in LOT.steps[1:]]
    highest, lowest = others[0], others[-1]
    assert first == pytest.approx(highest + 0.02 * (highest - lowest)), "above every score"
    assert grip.along == "x"


def test_several_negative_classes_are_grey_and_two_have_their_colours() -> None:
    assert made("row")[1].colors == (theme.GREY, theme.color(2))
    assert LOT.colors == (theme.color(0), theme.color(1))


# Captions


@pytest.mark.parametrize("classifier", ["Logistic", "k-NN"])
def test_a_caption_holds_this_step_s_numbers(classifier: str) -> None:
    scene, lot = made(classifier=classifier)
    y, scores = lot.judged.positive, lot.judged.scores
    for now in range(1, len(lot.steps) - 1):
        said, t = scene.caption(now), lot.steps[now].threshold
        rates = scene.views[3].draw(now)["data"][-2]["text"][0]
        called = scores >= t
        tp, fp = int((called & (y == 1)).sum()), int((called & (y == 0)).sum())
        fn, tn = int(y.sum()) - tp, int((y == 0).sum()) - fp
        assert f"{tp} of {y.sum()} positives; {fp} of {(y == 0).sum()} negatives" in said
        assert f"True positive rate {tp}/{tp + fn} = {tp / (tp + fn):.3g}" in said
        assert f"false positive rate {fp}/{fp + tn} = {fp / (fp + tn):.3g}" in said
        assert f"precision {tp}/{tp + fp} = {tp / (tp + fp):.3g}" in rates
        assert f"accuracy {tp + tn}/{len(y)} = {(tp + tn) / len(y):.3g}" in rates
        assert rates.endswith(f"F1 {2 * tp / (2 * tp + fp + fn):.3g}")
        before = min(step.cost for step in lot.steps[:now])
        lower = f"; the least so far is {before:.4g}, " if before <= fp + 2 * fn else "."
        assert f"= {fp + 2 * fn:.4g}{lower}" in said
        following = scores[scores < t].max()
        for k, word in ((1, "positive"), (0, "negative")):
            count = int(((scores == following) & (y == k)).sum())
            assert (f"{count} {word}" in scene.answer(now)) == (count > 0)
        assert said.endswith(": positive." if lot.judged.score(QUERY[None])[0] >= t else "tive.")


def test_the_first_and_the_last_caption() -> None:
    first, last = SCENE.caption(0), SCENE.caption(LAST)
    assert "every positive is missed" in first
    assert "precision 0/0, drawn as 1" in SCENE.views[3].draw(0)["data"][-2]["text"][0]
    assert "Every held-out point is called positive" in last
    area = LOT.steps[-1].area
    assert f" = {area:.4g}." in last
    cheapest = min(LOT.steps, key=lambda step: step.cost)
    misses, alarms = cheapest.false_negatives, cheapest.false_positives
    found = re.search(r", at (\S+), has (\d+) miss(?:es)? and (\d+) false alarms?\.", last)
    assert found and value(found[1]) == pytest.approx(cheapest.threshold, rel=5e-3)
    assert [int(found[2]), int(found[3])] == [misses, alarms]
    found = re.search(r"the area is \(?(\d+)(?: \+ (\d+)/2\))?/(\d+)", last)
    assert found
    right, tied, count = (int(each or 0) for each in found.groups())
    assert (right + tied / 2) / count == pytest.approx(area)


def test_every_event_has_its_words() -> None:
    assert set(words._EVENTS) == set(event_names(Event))
    for now, step in enumerate(LOT.steps):
        said = SCENE.caption(now).split("\n")[0]
        assert [event for event, told in words._EVENTS.items() if told in said] == (
            [step.event] if step.event else []
        )


def test_captions_fit_into_three_lines() -> None:
    for scene, lot in (made(classifier="k-NN"), made("row", scale="cubed"), made(kept=0.2)):
        for now in range(len(lot.steps)):
            lines = scene.caption(now).split("\n")
            assert len(lines) <= 3
            assert max(map(len, lines)) <= 185


def test_the_note_counts_the_parts() -> None:
    scene, lot = made(kept=0.3)
    trained = int((~lot.judged.held_out).sum())
    away = int((~lot.choice.kept).sum())
    counts = [trained, int(lot.judged.held_out.sum()), away]
    assert numbers(scene.note.partition("learned from")[2])[:3] == counts
    assert numbers(SCENE.note.partition("learned from")[2])[2] == 0, "the number of step 0"


def test_the_note_has_what_the_cheapest_threshold_costs_on_the_other_half() -> None:
    assert LOT.halves
    costs = 100 * LOT.halves.chosen, 100 * LOT.halves.judged
    np.testing.assert_allclose(numbers(SCENE.note)[-4:-1:2], costs, rtol=6e-3)
    assert LOT.halves.chosen < LOT.halves.judged


@pytest.mark.parametrize("scale", ["as they are", "ranks"])
@pytest.mark.parametrize("miss", [1.0, 5.0])
def test_a_place_on_the_border_costs_its_threshold(scale: str, miss: float) -> None:
    _, mode = made(scale=scale, miss=miss)
    drawing, judged = mode.to_draw(), mode.judged
    assert drawing is not None
    for x, y in np.random.default_rng(0).uniform(-3, 3, (50, 2)):  # no score is a point's own
        called = judged.raw >= judged.score(np.array([[x, y]]))[0]
        alarms = np.count_nonzero(called & (judged.positive == 0))
        misses = np.count_nonzero(~called & (judged.positive == 1))
        assert drawing.judge(np.array([[x, y]])) == pytest.approx(alarms + miss * misses)
    assert drawing.judge(drawing.best) == min(step.cost for step in mode.steps)
