"""What the lesson says of its experiments, on the runs that their links set up."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from algorithms.evaluation.confidence_intervals import coverage
from algorithms.evaluation.mcnemar import exact_p, mcnemar
from algorithms.evaluation.mean_intervals import METHODS, quantiles
from algorithms.evaluation.mean_intervals import coverage as covers
from algorithms.evaluation.paired_comparison import (
    PairedStep,
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
from tests.house.claims import check_numbers
from tests.house.experiments import experiment_of, steps_of
from viz.core.scene import Run
from viz.core.words import number
from viz.evaluation.intervals_and_tests.mcnemar import OneHeldOutSet

(LAB,) = (lab for lab in LABS if lab.name == "intervals_and_tests")


def said_of(title: str) -> str:
    return " ".join(experiment_of(LAB, title).answer.split())


def caption(session: Session, now: int) -> str:
    return session.opening["frames"][str(now)]["caption"]


def per_cent(share: float) -> str:
    return f"{number(100 * float(share))} %"


def held(p: float, n: int) -> list[float]:
    return coverage(np.array([p]), n, 0.95)[:, 0].tolist()


def test_a_hundred_intervals(session: Session) -> None:
    title = "A hundred intervals"
    said, asked = said_of(title), " ".join(experiment_of(LAB, title).question.split())
    missed = [
        int(100 - steps_of(session, LAB, title, **({"seed": str(s)} if s else {}))[-1].held[0])
        for s in range(10)
    ]
    assert f"{missed[0]} miss; with seeds 0 to 9 it is {min(missed)} to {max(missed)}." in said
    assert f"In the long run {per_cent(1 - held(0.3, 40)[0])} miss, not 5 %." in said
    assert "n p (1 − p) ≥ 5, is kept: 8.4." in note_of(session) and "here it is 8.4." in asked
    steps_of(session, LAB, title, size="100", p="0.08")
    assert "n p (1 − p) ≥ 5, is kept: 7.36." in note_of(session) and "the rule has 7.36" in said
    misses = [per_cent(1 - held(p, 100)[0]) for p in (0.08, 0.1)]
    assert "{} miss; with p = 0.1 it is {}.".format(*misses) in said
    assert f"With 1000 points and 0.3 it is {per_cent(1 - held(0.3, 1000)[0])}." in said


def test_a_rare_error(session: Session) -> None:
    title = "A rare error"
    said = said_of(title)
    steps = steps_of(session, LAB, title)
    assert f"In {steps[-1].held[0]} of 100 samples." in said
    empty = [step for step in steps if step.event]
    assert f"The other {len(empty)} had no error" in said
    assert all(step.wrong == 0 == step.low[0] == step.high[0] for step in empty)
    shares = [per_cent(share) for share in held(0.02, 40)]
    assert "Wald holds in {}, Wilson in {}, Clopper-Pearson in {}.".format(*shares) in said
    for seed in range(1, 4):
        assert 45 < steps_of(session, LAB, title, seed=str(seed))[-1].held[0] < 70


def test_five_numbers(session: Session) -> None:
    title = "Five numbers"
    said = said_of(title)
    runs = [steps_of(session, LAB, title, **({"seed": str(s)} if s else {})) for s in range(10)]
    z, t = np.array([100 - steps[-1].held for steps in runs]).T
    assert (
        f"{z[0]}, where 5 were promised; in the long run {per_cent(1 - covers(5, 0.95)[0])}" in said
    )
    small = [step.spread < SPREAD for step in runs[0] if not step.holds[0]]
    assert f"In {sum(small)} of them s is below the true spread, {number(SPREAD)}." in said
    assert f"it is {z.min()} to {z.max()}, and by t {t.min()} to {t.max()}." in said
    two = steps_of(session, LAB, title, numbers="2", quantile="t")
    widths = [float(step.high[1] - step.low[1]) for step in two]
    assert f"Of two numbers t is {number(float(quantiles(2, 0.95)[1]))}:" in said
    told = (
        f"are {number(min(widths))} to {number(max(widths))} wide, and {100 - two[-1].held[1]} of"
    )
    assert told in said
    assert f"With 30 numbers z misses in {per_cent(1 - covers(30, 0.95)[0])}." in said


def test_crosses_of_means_are_beyond_the_lines(session: Session) -> None:
    for method in (0, 1):
        steps = steps_of(session, LAB, "Five numbers", quantile=METHODS[method])
        now = len(steps) - 1
        *lines, held, missed, ring = session.figure(now, 1)["data"]
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
        assert f"= {number(step.mean, 4)} ± {number(half)}." in told
        assert f"in the long run it is {per_cent(covers(5, 0.95)[method])}." in told
        others = f"from {number(float(step.low[1 - method]), 4)} to"
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
    """The mean difference after the last split, and both tests of it."""
    plain, corrected = steps[-1].plain, steps[-1].corrected
    assert plain and corrected
    return float(steps[-1].differences.mean()), plain, corrected


def on_sample(sample: int, name: str, noise: float, n: int, **how: Any) -> list[PairedStep]:
    """What the page runs on another sample of a preset, without its pictures."""
    data = dataset(name, n, sample=sample, noise=noise)
    rng = np.random.default_rng([0, 1])
    return list(paired_comparison(data.X, data.labels, rng=rng, **how))


def test_equally_good(session: Session) -> None:
    title = "Equally good"
    said = said_of(title)
    steps = steps_of(session, LAB, title)
    _, plain, corrected = ended(steps)
    assert f"with p = {number(plain.p, 2)}; the corrected one does not" in said
    assert f"with p = {number(corrected.p, 2)}." in said
    how = {"second": "Nearest mean", "resamples": 50}
    found = [ended(on_sample(sample, "blobs", 1.0, 200, **how)) for sample in range(10)]
    assert found[4][0] == steps[-1].differences.mean()
    against = [mean < 0 for mean, plain, _ in found if plain.calls]
    assert (len(against), sum(against)) == (5, 1)
    assert "5 times, once against the nearest mean and 4 times against LDA" in said
    assert not any(corrected.calls for _, _, corrected in found)
    alarms = false_alarms("random splits", 50, 0.3, rng=np.random.default_rng(0))
    ends = (per_cent(alarms.plain[-1]), per_cent(alarms.corrected[-1]))
    assert f"says so in {ends[0]}, the corrected one in {ends[1]}." in said
    shares = [float(100 * share[-1]) for share in (alarms.plain, alarms.corrected)]
    told = numbers(session.captions[-1].split("\n")[-1])
    assert [told[0], told[-1]] == pytest.approx(shares, rel=6e-3)
    assert f"on {ends[0]} of the data sets in the simulation" in " ".join(LAB.texts["Idea"].split())


def test_more_splits_or_more_points(session: Session) -> None:
    title = "More splits or more points?"
    said = said_of(title)
    here = ended(steps_of(session, LAB, title))
    found = [
        [ended(on_sample(s, "moons", 0.6, n, resamples=splits)) for s in range(5)]
        for splits, n in ((20, 200), (50, 200), (20, 1000))
    ]
    assert found[0][4][0] == here[0]
    p = [number(ends[4][2].p, 2) for ends in found]
    assert f"from {p[0]} to {p[1]}. With 1000 points it is {p[2]}." in said
    assert [sum(test.calls for _, _, test in ends) for ends in found] == [1, 1, 4]
    assert "once with 20 splits, once with 50, but 4 times with 1000 points" in said
    assert all(mean > 0 for ends in found for mean, _, _ in ends), "k-NN seems better"


def test_only_disagreements_count(session: Session) -> None:
    title = "Only disagreements count"
    said, asked = said_of(title), experiment_of(LAB, title)
    last = steps_of(session, LAB, title)[-1]
    total = int(last.judged.sum())
    counts = [int(wrong.sum()) for wrong in last.wrong]
    check_numbers([counts[0], total, counts[1]], asked.question)
    assert (last.only_first, last.only_second) == (3, 0)
    assert f"on 3 points only, all of them against LDA, and p = {number(last.p, 2)}" in said
    assert exact_p(6, 0) < 0.05 < exact_p(5, 0)
    many = steps_of(session, LAB, title, n="1000")[-1]
    told = f"it is {many.only_first} to {many.only_second}, and p = {number(many.p, 2)}."
    assert told in said


def test_a_caption_puts_the_numbers_into_the_rule(session: Session) -> None:
    steps = steps_of(session, LAB, "A hundred intervals")
    for now in (0, 99):
        step, e = steps[now], steps[now].wrong / 40
        told = caption(session, now)
        assert f"Sample {now + 1} of 100: {step.wrong} of 40 are wrong" in told
        assert ("misses the true 0.3." in told) == bool(step.event)
        half = 1.959964 * np.sqrt(e * (1 - e) / 40)
        assert f"= {e:.3f} ± {half:.3f}." in told
        assert f"{step.held[0]} of {now + 1} so far hold it" in told
    for method, parts in {
        "Wilson": [f"({e + 1.9208 / 40:.3f} ±", f"/{1 + 3.8415 / 40:.3f}."],
        "Clopper-Pearson": [f"p = {step.low[2]:.3f}", f"p = {step.high[2]:.3f}", "2.5 %"],
    }.items():
        steps_of(session, LAB, "A hundred intervals", method=method)
        assert all(part in caption(session, 99) for part in parts), caption(session, 99)


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
        np.testing.assert_array_equal(kind == 2, first & ~second)
        np.testing.assert_array_equal(kind == 3, second & ~first)
        np.testing.assert_array_equal(kind > 0, getattr(steps[now], "judged", steps[now].held_out))


def test_a_two_learners_caption_has_both_tests(session: Session) -> None:
    steps = steps_of(session, LAB, "More splits or more points?")
    assert "One difference has no spread, so there is no t." in caption(session, 0)
    for now in sorted(map(int, session.opening["frames"]))[1:]:
        step, told = steps[now], caption(session, now)
        d = 100 * step.differences
        shown = f"Mean {number(d.mean())}, standard deviation {number(d.std(ddof=1))}."
        assert shown in told
        ts = re.findall(r"= (−?[\d.]+), p", told)
        assert ts == [number(step.plain.t), number(step.corrected.t)]
        assert len(told.split("\n")) == 4
        for test, traces in ((step.plain, (0, 1)), (step.corrected, (2, 3))):
            edges = [session.figure(now, 1)["data"][i]["y"][0] for i in traces]
            assert edges == pytest.approx([d.mean() - 100 * test.half, d.mean() + 100 * test.half])


def test_the_tests_over_folds_are_as_sure_as_the_lesson_says() -> None:
    runs = [false_alarms("folds", k, 0.3, rng=np.random.default_rng(0)) for k in (2, *range(5, 21))]
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
            rule = mode.caption(now).split("\n")[2].partition("Chi-square: ")[2]
            formula = re.match(r"max\(\|(\d+) − (\d+)\| − 1, 0\)²/(\d+) = ([\d.]+),", rule)
            assert formula
            assert [int(part) for part in formula.groups()[:3]] == [b, c, b + c]
            found = max(abs(b - c) - 1, 0) ** 2 / (b + c)
            assert float(formula.group(4)) == pytest.approx(found, rel=6e-3)
            alike += b == c
    assert alike > 50, "there the formula without the maximum is wrong"


def test_too_few_points_are_a_sentence(session: Session) -> None:
    how: dict[str, Any] = {"view": "two learners", "scheme": "folds", "n": "3"}
    session.open(LAB, **how)
    assert "folds must be between 2 and n=3" in session.stage["error"]
