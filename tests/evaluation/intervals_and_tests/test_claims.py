"""The lesson's statements about its experiments."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from algorithms.evaluation.confidence_intervals import coverage, exactly
from algorithms.evaluation.mcnemar import exact_p, mcnemar, power
from algorithms.evaluation.mean_intervals import METHODS, quantiles
from algorithms.evaluation.mean_intervals import coverage as covers
from algorithms.evaluation.paired_comparison import (
    PairedStep,
    Resampling,
    TTest,
    false_alarms,
    paired_comparison,
)
from pages._shared.lab.catalogue import LABS
from pages.evaluation.intervals_and_tests import MEAN, SPREAD
from tests.app.session import Session
from tests.core.figures import unpacked
from tests.core.samples import board_of, dataset
from tests.core.told import numbers
from tests.house.claims import Numbers, Trial, check_numbers, claims_test
from tests.house.experiments import steps_of
from viz.core.scene import Run
from viz.core.words import number
from viz.evaluation.intervals_and_tests.confidence_intervals import ErrorRates
from viz.evaluation.intervals_and_tests.mcnemar import OneHeldOutSet

(LAB,) = (lab for lab in LABS if lab.name == "intervals_and_tests")


def caption(session: Session, now: int) -> str:
    return session.opening["frames"][str(now)]["caption"]


def per_cent(share: float) -> str:
    return f"{number(100 * float(share))} %"


def held(p: float, n: int) -> list[float]:
    return coverage(np.array([p]), n, 0.95)[:, 0].tolist()


def a_hundred_intervals(trial: Trial) -> Numbers:
    missed = [
        int(100 - trial.steps(**({"seed": str(seed)} if seed else {}))[-1].held[0])
        for seed in range(10)
    ]
    trial.steps()
    assert "n p (1 − p) ≥ 5, is kept: 8.4." in note_of(trial.session)
    trial.steps(size="100", p="0.08")
    assert "n p (1 − p) ≥ 5, is kept: 7.36." in note_of(trial.session)
    misses = [100 * (1 - held(p, n)[0]) for p, n in ((0.3, 40), (0.08, 100), (0.1, 100))]
    return [missed[0], 0, 9, min(missed), max(missed), misses[0], 5, 7.36, misses[1],
            0.1, misses[2], 1000, 0.3, 100 * (1 - held(0.3, 1000)[0])]  # fmt: skip


def a_rare_error(trial: Trial) -> Numbers:
    for seed in range(1, 4):
        assert 45 < trial.steps(seed=str(seed))[-1].held[0] < 70
    steps = trial.steps()
    empty = [step for step in steps if step.event]
    assert all(step.wrong == 0 == step.low[0] == step.high[0] for step in empty)
    shares = [100 * share for share in held(0.02, 40)]
    return [steps[-1].held[0], len(steps), len(empty), 0, 0, *shares]


def five_numbers(trial: Trial) -> Numbers:
    runs = [trial.steps(**({"seed": str(seed)} if seed else {})) for seed in range(10)]
    z, t = np.array([100 - steps[-1].held for steps in runs]).T
    small = [step.spread < SPREAD for step in runs[0] if not step.holds[0]]
    two = trial.steps(numbers="2", quantile="t")
    widths = [float(step.high[1] - step.low[1]) for step in two]
    long_run = [100 * (1 - covers(n, 0.95)[0]) for n in (5, 30)]
    return [z[0], 5, long_run[0], sum(small), SPREAD, 0, 9, z.min(), z.max(), t.min(), t.max(),
            float(quantiles(2, 0.95)[1]), min(widths), max(widths), 100 - two[-1].held[1], 100,
            30, long_run[1]]  # fmt: skip


def test_crosses_of_means_are_beyond_the_lines(session: Session) -> None:
    for method in (0, 1):
        steps = steps_of(session, LAB, "Five numbers", quantile=METHODS[method])
        now = len(steps) - 1
        *lines, held, missed, ring = session.figure(now, 2)["data"]
        x, y = lines[method]["x"], lines[method]["y"]
        slope = abs(y[0] - MEAN) / x[0]
        assert slope == pytest.approx(quantiles(5, 0.95)[method] / np.sqrt(5))
        for dots, beyond in ((held, False), (missed, True)):
            s, m = (unpacked(dots[axis]) for axis in "xy")
            np.testing.assert_array_equal(np.abs(m - MEAN) > slope * s, beyond)
        assert len(unpacked(missed["x"])) == 100 - steps[-1].held[method]
        assert (ring["x"], ring["y"]) == ([steps[now].spread], [steps[now].mean])
        step, told = steps[now], caption(session, now)
        half = float(quantiles(5, 0.95)[method]) * step.error
        assert f"= {step.mean:.2f} ± {half:.2f}, from {step.low[method]:.2f} to" in told
        assert f"In the long run, {per_cent(covers(5, 0.95)[method])} of the" in session.caption(
            "End"
        )
        others = f"from {step.low[1 - method]:.2f} to"
        assert others in told.split("\n")[-1]


def test_the_first_and_the_last_interval_have_room(session: Session) -> None:
    for view in ({}, {"view": "a mean"}):
        session.open(LAB, samples="200", **view)
        left, right = session.figure(0, 0)["layout"]["xaxis"]["range"]
        beside = min(1 - left, right - 200) / (right - left)
        assert 300 * beside > 8, "pixels on a telephone, where a mark is 12 wide"


def note_of(session: Session) -> str:
    return " ".join(caption.value for caption in session.app.caption).replace("\\", "")


def ended(steps: Sequence[PairedStep]) -> tuple[float, TTest, TTest]:
    """Return the mean difference after the last split, and both tests of it."""
    plain, corrected = steps[-1].plain, steps[-1].corrected
    assert plain and corrected
    return float(steps[-1].differences.mean()), plain, corrected


def on_sample(sample: int, name: str, noise: float, n: int, **how: Any) -> list[PairedStep]:
    """Return what the page runs on another sample of a preset, without its pictures."""
    data = dataset(name, n, sample=sample, noise=noise)
    rng = np.random.default_rng([0, 1])
    return list(paired_comparison(data.X, data.labels, rng=rng, **how))


def equally_good(trial: Trial) -> Numbers:
    steps = trial.steps()
    _, plain, corrected = ended(steps)
    how = {"second": "Nearest mean", "resampling": Resampling(resamples=50)}
    found = [ended(on_sample(sample, "blobs", 1.0, 200, **how)) for sample in range(10)]
    assert found[4][0] == steps[-1].differences.mean()
    against = [mean < 0 for mean, plain, _ in found if plain.rejects]
    assert sum(against) == 1, "once against the nearest mean"
    assert not any(corrected.rejects for _, _, corrected in found)
    alarms = false_alarms(Resampling("random splits", 50), rng=np.random.default_rng(0))
    shares = [float(100 * share[-1]) for share in (alarms.plain, alarms.corrected)]
    told = numbers(trial.session.captions[-1].split("\n")[-1])
    assert [told[0], told[-1]] == pytest.approx(shares, rel=6e-3)
    idea = " ".join(LAB.texts["Idea"].split())
    assert f"on {number(shares[0])} % of the data sets in the simulation" in idea
    return [plain.p, corrected.p, 0, 9, len(against), len(against) - sum(against), *shares]


def more_splits_or_more_points(trial: Trial) -> Numbers:
    here = ended(trial.steps())
    found = [
        [
            ended(on_sample(s, "moons", 0.6, n, resampling=Resampling(resamples=splits)))
            for s in range(5)
        ]
        for splits, n in ((20, 200), (50, 200), (20, 1000))
    ]
    assert found[0][4][0] == here[0]
    assert all(mean > 0 for ends in found for mean, _, _ in ends), "k-NN seems better"
    p = [ends[4][2].p for ends in found]
    counts = [sum(test.rejects for _, _, test in ends) for ends in found]
    assert counts[:2] == [1, 1], "once with 20 splits, once with 50"
    return [p[0], p[1], 1000, p[2], 0, 4, 20, 50, counts[2], 1000]


def only_disagreements_count(trial: Trial) -> Numbers:
    last = trial.steps()[-1]
    counts = [int(wrong.sum()) for wrong in last.wrong]
    assert last.only_second == 0, "LDA is wrong on all of them"
    assert exact_p(6, 0) < 0.05 < exact_p(5, 0)
    assert (
        "the largest true difference is found in fewer than 8 of 10 such sets"
        in trial.session.captions[-1]
    )
    many = trial.steps(n="1000")[-1]
    return [counts[0], int(last.judged.sum()), counts[1], last.only_first, last.p, 6, 0,
            1000, many.only_first, many.only_second, many.p, 8, 10]  # fmt: skip


test_the_lesson = claims_test(
    "intervals_and_tests",
    {
        "A hundred intervals": a_hundred_intervals,
        "A rare error": a_rare_error,
        "Five numbers": five_numbers,
        "Equally good": equally_good,
        "More splits or more points?": more_splits_or_more_points,
        "Only disagreements count": only_disagreements_count,
    },
)


def test_a_caption_puts_the_numbers_into_the_rule(session: Session) -> None:
    steps = steps_of(session, LAB, "A hundred intervals")
    for now in (0, 99):
        step, e = steps[now], steps[now].wrong / 40
        told = caption(session, now)
        if now == 0:
            assert f"Sample 1 of 100: {step.wrong} of 40 are wrong" in told
            assert ("misses the true 0.3." in told) == bool(step.event)
        half = 1.959964 * np.sqrt(e * (1 - e) / 40)
        assert f"= {e:.3f} ± {half:.3f}." in told
        held = f"{step.held[0]} of 100 intervals hold" if now else "so far 1 of 1 interval holds"
        assert told.startswith(f"Wald promises 95 %: {held} the true error rate 0.3.")
        (said,) = session.figure(now, 0)["data"][7]["text"]
        misses = [each for each in steps[: now + 1] if not each.holds[0]]
        low = sum(each.high[0] < 0.3 for each in misses)
        assert not misses or f" miss: {low} too low, {len(misses) - low} too high<br>" in said
    for method, parts in {
        "Wilson": [f"({e + 1.9208 / 40:.3f} ±", f"/{1 + 3.8415 / 40:.3f}."],
        "Clopper-Pearson": [f"p = {step.low[2]:.3f}", f"p = {step.high[2]:.3f}", "2.5 %"],
    }.items():
        steps_of(session, LAB, "A hundred intervals", method=method)
        assert all(part in caption(session, 99) for part in parts), caption(session, 99)


def test_the_share_so_far_ends_at_the_step(session: Session) -> None:
    steps = steps_of(session, LAB, "A hundred intervals")
    for now in (0, 99):
        *_, curve, dot = session.figure(now, 1)["data"]
        found = [100 * step.held[0] / (i + 1) for i, step in enumerate(steps[: now + 1])]
        drawn = unpacked(curve["y"])
        np.testing.assert_allclose(drawn[: now + 1], found, atol=1e-4)
        assert np.isnan(drawn[now + 1 :]).all() and dot["y"] == [pytest.approx(found[-1])]


def test_the_newest_interval_that_misses_has_its_cross(session: Session) -> None:
    steps = steps_of(session, LAB, "A hundred intervals")
    rates = np.linspace(0.1, 0.5, 5)
    show = ErrorRates(Run("", tuple(steps)), exactly(0.3, 40, 0.95, rates), "Wald")
    for now, step in enumerate(steps):
        *_, bar, cross = show.picture(now)["data"]
        drawn = [*unpacked(bar["y"])[:2], *unpacked(cross["y"])]
        expected = [] if step.holds[0] else [step.low[0], step.high[0], step.wrong / 40]
        np.testing.assert_allclose(drawn, expected, atol=1e-6)
    assert not all(step.holds[0] for step in steps)


def test_striped_bars_are_the_counts_that_miss(session: Session) -> None:
    steps = steps_of(session, LAB, "A hundred intervals")
    held, missed, ring = session.figure(99, 2)["data"]
    counts = set(unpacked(held["x"])), set(unpacked(missed["x"]))
    for step in steps:
        assert step.wrong in counts[bool(step.event)]
    assert ring["x"] == [steps[99].wrong]


def test_marks_are_on_the_points_that_one_gets_wrong(session: Session) -> None:
    for view, title in ((0, "More splits or more points?"), (0, "Only disagreements count")):
        steps = steps_of(session, LAB, title)
        now = len(steps) - 1
        kind = unpacked(session.figure(now, view)["marks"]["kind"])
        first, second = steps[now].wrong
        np.testing.assert_array_equal(kind == 1, first & ~second)
        np.testing.assert_array_equal(kind == 2, second & ~first)
        strength = unpacked(session.figure(now, view)["points"]["strength"])
        judged = getattr(steps[now], "judged", steps[now].held_out)
        np.testing.assert_array_equal(strength == strength.max(), first != second)
        np.testing.assert_array_equal(strength == strength.min(), ~judged)


def test_a_two_learners_caption_has_both_tests(session: Session) -> None:
    steps = steps_of(session, LAB, "More splits or more points?")
    assert "One difference has no spread, so there is no t." in caption(session, 0)
    for now in sorted(map(int, session.opening["frames"]))[1:]:
        step, told = steps[now], caption(session, now)
        d = 100 * step.differences
        formulas = re.findall(r"t = (−?[\d.]+)/\(([\d.]+) √\(1/(\d+)(?: \+ ([\d.]+))?\)\)", told)
        assert len(formulas) == 2
        ts = re.findall(r"= (−?[\d.]+), p", told)
        assert ts == [number(step.plain.t), number(step.corrected.t)]
        for (mean, spread, b, more), t, overlap in zip(
            formulas, ts, (0, step.overlap), strict=True
        ):
            digits = range(3, 8)
            assert (mean, spread) in [
                (number(d.mean(), k), number(d.std(ddof=1), k)) for k in digits
            ]
            assert b == str(len(d)) and float(more or 0) == pytest.approx(overlap, abs=0.005)
            m, s, o = (float(each.replace("−", "-") or 0) for each in (mean, spread, more))
            assert number(m / (s * np.sqrt(1 / len(d) + o))) == t, "with the numbers as shown"
        assert len(told.split("\n")) == 4
        for test, trace in ((step.plain, 0), (step.corrected, 1)):
            edges = session.figure(now, 1)["data"][trace]["y"]
            assert edges == pytest.approx([d.mean() - 100 * test.half, d.mean() + 100 * test.half])


def test_the_tests_over_folds_are_as_sure_as_the_lesson_says() -> None:
    runs = [
        false_alarms(Resampling("folds", k), rng=np.random.default_rng(0))
        for k in (2, *range(5, 21))
    ]
    plain, corrected = (
        100 * np.array([getattr(run, name)[-1] for run in runs]) for name in ("plain", "corrected")
    )
    said = LAB.texts["Maths"].partition("in the simulation shown")[2].partition("\n\n")[0]
    found = [5, 20, min(plain[1:]), max(plain[1:]), 2, plain[0]]
    check_numbers([*found, 5, 20, min(corrected[1:]), max(corrected[1:])], said)


def test_the_chi_square_that_is_written_is_what_its_formula_gives() -> None:
    alike = 0
    for sample in range(20, 30):
        data = dataset("moons", 200, sample=sample, noise=0.6)
        steps = list(mcnemar(data.X, data.labels, rng=np.random.default_rng([0, 1])))
        mode = OneHeldOutSet(Run("", steps), board_of(data), "LDA", "k-NN")
        for now, step in enumerate(steps):
            b, c = step.only_first, step.only_second
            if b + c == 0:
                continue
            title = mode.table(now)["layout"]["xaxis"]["title"]["text"]
            rule = title.partition("chi-square: ")[2]
            formula = re.match(r"max\(\|(\d+) − (\d+)\| − 1, 0\)²/(\d+) = ([\d.]+),", rule)
            assert formula
            assert [int(part) for part in formula.groups()[:3]] == [b, c, b + c]
            found = max(abs(b - c) - 1, 0) ** 2 / (b + c)
            assert float(formula.group(4)) == pytest.approx(found, rel=6e-3)
            alike += b == c
    assert alike > 50, "there the formula without the maximum is wrong"


def test_the_power_says_which_true_difference_would_be_found(session: Session) -> None:
    steps = steps_of(session, LAB, "Only disagreements count", n="1000")
    last = len(steps) - 1
    total, differ = int(steps[0].held_out.sum()), steps[-1].only_first + steps[-1].only_second
    shown = session.figure(last, 3)["data"]
    assert [trace["name"] for trace in shown[:2]] == [f"{total} points", f"{4 * total} points"]
    here = shown[-1]
    assert here["y"] == [80]
    found = power(total, differ / total, np.array(here["x"]) / 100)
    assert found == pytest.approx([0.8], abs=1e-3)


def test_too_few_points_are_a_sentence(session: Session) -> None:
    how: dict[str, Any] = {"view": "two learners", "scheme": "folds", "n": "3"}
    session.open(LAB, **how)
    assert "folds must be between 2 and n=3" in session.stage["error"]
