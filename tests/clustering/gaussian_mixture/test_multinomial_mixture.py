import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from algorithms.clustering.gaussian_mixture.multinomial_mixture import multinomial_mixture
from algorithms.data.headlines import HEADLINES
from tests.core.samples import rng
from tests.core.told import numbers
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked
from viz.clustering.gaussian_mixture.multinomial_mixture import Documents
from viz.core.scene import Run

ARGUMENTS = {"counts": HEADLINES.counts}


NEVER_FALLS = Checked(
    "gaussian_mixture",
    "The topics' log-likelihood never falls; the bound is never above it (relative to the start)",
    60,
    "random tables",
    within=1e-9,
)


@settings(max_examples=NEVER_FALLS.cases, deadline=None)
@given(
    counts=arrays(
        int, st.tuples(st.integers(1, 9), st.integers(1, 6)), elements=st.integers(0, 9)
    ).filter(lambda table: table.any(axis=1).all()),
    k=st.integers(1, 5),
    seed=st.integers(0, 9),
)
def test_what_holds_for_every_run(counts: np.ndarray, k: int, seed: int) -> None:
    k = min(k, len(counts))
    steps = check_steps(multinomial_mixture(counts, k, rng=rng(seed)))
    phases = ["expectation", "maximization"] * len(steps)
    assert [step.phase for step in steps] == phases[: len(steps)]
    assert steps[-1].event in ("converged", "stopped at max_iter")
    rounding = NEVER_FALLS.within * (1 + abs(steps[0].log_likelihood))
    for step in steps:
        np.testing.assert_allclose(step.words.sum(axis=1), 1)
        np.testing.assert_allclose(step.responsibilities.sum(axis=1), 1)
        assert step.gap >= -rounding
        assert step.gap == 0 or step.phase == "maximization"
        assert (step.predict(counts) < k).all()
        total = step.score_samples(counts).sum()
        assert total == pytest.approx(step.log_likelihood, abs=rounding)
    for before, after in pairwise(steps):
        assert after.log_likelihood >= before.log_likelihood - rounding, "it never falls"
        assert after.lower_bound >= before.lower_bound - rounding


def test_the_definitions_recomputed() -> None:
    """By products over the words, as in the notes."""
    T = HEADLINES.counts
    steps = check_steps(multinomial_mixture(T, 3, rng=rng(1)))
    assert len(steps) > 6
    for before, step in pairwise(steps):
        q = step.responsibilities
        joint = np.array(
            [[w * np.prod(words**row) for w, words in zip(step.weights, step.words, strict=True)]
             for row in T]
        )  # fmt: skip
        assert step.log_likelihood == pytest.approx(np.log(joint.sum(axis=1)).sum())
        held = q > 0
        bound = (q[held] * np.log(joint[held] / q[held])).sum()
        assert step.lower_bound == pytest.approx(bound, abs=1e-9)
        if step.phase == "expectation":
            np.testing.assert_allclose(q, joint / joint.sum(axis=1, keepdims=True), atol=1e-12)
            assert (step.words == before.words).all()
        else:
            np.testing.assert_allclose(step.weights, q.mean(axis=0))
            sums = np.array([[(q[:, j] * T[:, w]).sum() for w in range(9)] for j in range(3)])
            np.testing.assert_allclose(step.words, sums / sums.sum(axis=1, keepdims=True))


def test_one_topic_is_the_overall_share_of_each_word() -> None:
    """The frequency table T = [3 1 1 2] of the notes."""
    steps = check_steps(multinomial_mixture(np.array([[3, 1, 1, 2]]), 1, rng=rng()))
    np.testing.assert_allclose(steps[-1].words, [[3 / 7, 1 / 7, 1 / 7, 2 / 7]])
    expected = 3 * np.log(3 / 7) + 2 * np.log(1 / 7) + 2 * np.log(2 / 7)
    assert steps[-1].log_likelihood == pytest.approx(expected)


def test_the_headlines_fall_into_three_topics() -> None:
    best = max(
        (check_steps(multinomial_mixture(HEADLINES.counts, 3, rng=rng(seed))) for seed in range(9)),
        key=lambda steps: steps[-1].log_likelihood,
    )
    found = best[-1].predict(HEADLINES.counts)
    assert [len(set(found[i : i + 4])) for i in (0, 4, 8)] == [1, 1, 1]
    assert len(set(found)) == 3
    assert any(step.event == "word ruled out" for step in best)


def test_the_table_is_what_its_names_say() -> None:
    assert HEADLINES.counts.shape == (len(HEADLINES.documents), len(HEADLINES.words))


def test_stopped_at_max_iter_is_an_event() -> None:
    steps = check_steps(multinomial_mixture(HEADLINES.counts, 4, rng=rng(), max_iter=1))
    assert [step.event for step in steps][-1] == "stopped at max_iter"
    assert len(steps) == 3


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"k": 5}, "k must be between 1 and n=2, got k=5"),
        ({"counts": [[1, -1], [2, 3]]}, "counts must be whole numbers from 0"),
        ({"counts": [[1, 0.5], [2, 3]]}, "counts must be whole numbers from 0"),
        ({"counts": [[1, 0], [0, 0]]}, "every row of counts needs a word, got none in row 1"),
        ({"counts": [1, 2]}, "counts must have shape (n, d) with n and d at least 1, "
                             "got shape (2,)"),
    ],
)  # fmt: skip
def test_bad_arguments_are_refused_at_the_call(changes: dict, sentence: str) -> None:
    with AsInTheApp(), pytest.raises(ValueError) as caught:
        multinomial_mixture(**{"counts": [[1, 2], [2, 3]], "k": 2, "rng": rng()} | changes)
    assert str(caught.value) == sentence


# What the mode "words" shows


def shown(seed: int) -> tuple[list, Documents]:
    steps = list(multinomial_mixture(HEADLINES.counts, 3, rng=rng(seed)))
    return steps, Documents(Run("", steps), HEADLINES)


def test_the_captions_recomputed() -> None:
    steps, mode = shown(1)
    q, r = steps[1].responsibilities, steps[2].responsibilities
    j = int(q.sum(axis=0).argmax())
    drawn = q[:, j] @ HEADLINES.counts
    w = int(drawn.argmax())
    second = mode.caption(1).split("\n")[1]
    expected = [j + 1, q[:, j].sum(), 12, q[:, j].mean()]
    expected += [drawn[w], drawn.sum(), drawn[w] / drawn.sum()]
    np.testing.assert_allclose(numbers(second), expected, rtol=6e-3)
    assert f"“{HEADLINES.words[w]}”" in second
    first, second = mode.caption(2).split("\n")
    changed = (r.argmax(axis=1) != q.argmax(axis=1)).sum()
    assert numbers(first) == [changed, 12]
    i = int(np.abs(r - q).max(axis=1).argmax())
    assert f"“{HEADLINES.documents[i]}”" in second
    assert numbers(second)[-1] == pytest.approx(r[i].max(), rel=6e-3)


@pytest.mark.parametrize("seed", range(9))
def test_the_topic_that_rules_a_word_out_is_the_new_one(seed: int) -> None:
    steps, mode = shown(seed)
    named = [now for now, step in enumerate(steps) if step.event == "word ruled out"]
    assert named
    for now in named:
        found = re.search(r"Topic (\d) now rules out “(.*)”\.", mode.caption(now))
        assert found
        j, w = int(found[1]) - 1, HEADLINES.words.index(found[2])
        assert steps[now].words[j, w] < 1e-6
        assert (steps[now - 1].words[j] >= 1e-6).all()
