from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.classification.decision_tree.id3 import id3
from algorithms.classification.decision_tree.missing_values import (
    MISSING,
    FractionsStep,
    id3_with_missing_values,
    removed,
)
from algorithms.classification.decision_tree.play_tennis import PLAY_TENNIS, table
from algorithms.core.record import last
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

NOTHING = np.zeros(PLAY_TENNIS.examples.shape, bool)
ARGUMENTS = {
    "data": PLAY_TENNIS,
    "missing": removed(PLAY_TENNIS, 0.2, rng=np.random.default_rng(1)),
}

PIECES = Checked(
    "decision_tree",
    "With missing values: every gain and every vote, the days cut into pieces one by one",
    20,
    "runs",
    within=1e-12,
)

Piece = tuple[int, float]  # an example, and its fraction


def entropy(pieces: list[Piece]) -> float:
    total, bits = sum(w for _, w in pieces), 0.0
    for k in range(len(PLAY_TENNIS.classes)):
        p = sum(w for i, w in pieces if PLAY_TENNIS.labels[i] == k) / total if total else 0.0
        bits -= p * np.log2(p) if p else 0.0
    return bits


def shares_of(examples: np.ndarray, pieces: list[Piece], A: int) -> list[float]:
    known = [(i, w) for i, w in pieces if examples[i, A] != MISSING]
    total = sum(w for _, w in known)
    return [
        sum(w for i, w in known if examples[i, A] == v) / total
        for v in range(len(PLAY_TENNIS.values[A]))
    ]


def branches(examples: np.ndarray, pieces: list[Piece], A: int) -> list[list[Piece]]:
    parts: list[list[Piece]] = []
    for v, p in enumerate(shares_of(examples, pieces, A)):
        part = [(i, w) for i, w in pieces if examples[i, A] == v]
        parts.append(part + [(i, w * p) for i, w in pieces if examples[i, A] == MISSING and p])
    return parts


def gain_of(examples: np.ndarray, pieces: list[Piece], A: int) -> float:
    total = sum(w for _, w in pieces)
    rest = sum(
        sum(w for _, w in part) / total * entropy(part) for part in branches(examples, pieces, A)
    )
    return entropy(pieces) - rest


def vote(step: FractionsStep, here: dict[int, list[Piece]], examples, x, node: int, w: float):
    """Return the class sums of an example that comes to a node with a fraction."""
    A = int(step.attribute[node])
    if A < 0:
        return w * step.shares[node]
    if x[A] != MISSING:
        return vote(step, here, examples, x, int(step.children[node, x[A]]), w)
    shares = shares_of(examples, here[node], A)
    return sum(
        vote(step, here, examples, x, int(step.children[node, v]), w * p)
        for v, p in enumerate(shares)
    )


@pytest.mark.parametrize("seed", range(PIECES.cases))
def test_every_gain_and_vote_from_the_pieces(seed: int) -> None:
    missing = removed(PLAY_TENNIS, 0.05 * (1 + seed % 6), rng=np.random.default_rng(seed))
    examples = np.where(missing, MISSING, PLAY_TENNIS.examples)
    steps = check_steps(id3_with_missing_values(PLAY_TENNIS, missing))
    here = {0: [(i, 1.0) for i in range(len(examples))]}
    for before, after in pairwise(steps):
        node = after.node
        assert node == before.waiting[0]
        gains = {
            A: gain_of(examples, here[node], A)
            for A in {*range(4)} - before.asked(node)
            if any(examples[i, A] != MISSING for i, _ in here[node])
        }
        found = {q.attribute: q.gain for q in after.candidates}
        assert found == pytest.approx(gains, abs=PIECES.within)
        A = int(after.attribute[node])
        assert gains[A] >= max(gains.values()) - 1e-11
        for child, part in zip(
            after.children[node], branches(examples, here[node], A), strict=False
        ):
            here[int(child)] = part
            for k in range(2):
                sums = sum(w for i, w in part if PLAY_TENNIS.labels[i] == k)
                assert after.counts[child, k] == pytest.approx(sums, abs=PIECES.within)
        leaves = after.leaves
        np.testing.assert_allclose(after.fractions(examples)[leaves].sum(axis=0), 1, rtol=1e-12)
        for x, P in zip(examples, after.predict_proba(examples), strict=True):
            own = vote(after, here, examples, x, 0, 1.0)
            np.testing.assert_allclose(P, own, atol=PIECES.within)
            assert sum(P) == pytest.approx(1)
    end = steps[-1]
    for leaf in end.leaves:
        pieces = here[int(leaf)]
        size = sum(w for _, w in pieces)
        mixed = np.count_nonzero(end.counts[leaf] > 1e-12) > 1
        left = {*range(4)} - end.asked(int(leaf))
        known = any(examples[i, A] != MISSING for i, _ in pieces for A in left)
        assert not mixed or size < 2 or not known, "else it would have been asked"
    assert (end.event == "pure") == all(
        np.count_nonzero(end.counts[leaf] > 1e-12) <= 1 for leaf in end.leaves
    )


def test_without_gaps_it_is_id3() -> None:
    ours, plain = list(id3_with_missing_values(PLAY_TENNIS, NOTHING)), list(id3(PLAY_TENNIS))
    assert len(ours) == len(plain)
    for mine, other in zip(ours, plain, strict=True):
        np.testing.assert_array_equal(mine.attribute, other.attribute)
        np.testing.assert_array_equal(mine.children, other.children)
        np.testing.assert_array_equal(mine.counts, other.counts)
        assert [q.gain for q in mine.candidates] == pytest.approx(
            [q.gain for q in other.candidates], abs=1e-12
        )
        same = mine.predict(PLAY_TENNIS.examples) == other.predict(PLAY_TENNIS.examples)
        assert same.all()


def test_worked_by_hand() -> None:
    # Of the four known, A is u three times: the fifth goes to u as 3/4, and to v as 1/4.
    data = table("A T\n u no\n u no\n u yes\n v yes\n u yes")
    missing = np.array([[False]] * 4 + [[True]])
    steps = list(id3_with_missing_values(data, missing))
    end = steps[-1]
    assert end.share.tolist() == [1, 3 / 4, 1 / 4]
    assert end.counts.tolist() == [[2, 3], [2, 1.75], [0, 1.25]]
    (P,) = end.predict_proba(np.array([[MISSING]]))
    assert P.tolist() == pytest.approx([3 / 4 * 2 / 3.75, 3 / 4 * 1.75 / 3.75 + 1 / 4])


@settings(max_examples=40, deadline=None)
@given(share=st.floats(0, 1), seed=st.integers(0, 999))
def test_any_share_may_be_missing(share: float, seed: int) -> None:
    missing = removed(PLAY_TENNIS, share, rng=np.random.default_rng(seed))
    steps = check_steps(id3_with_missing_values(PLAY_TENNIS, missing))
    sums = steps[-1].counts[steps[-1].leaves].sum(axis=0)
    assert sums == pytest.approx(np.bincount(PLAY_TENNIS.labels), abs=1e-9)


def test_a_table_without_a_value_stays_one_leaf() -> None:
    step = last(id3_with_missing_values(PLAY_TENNIS, ~NOTHING))
    assert (len(step.attribute), step.event, len(step.candidates)) == (1, "stopped", 0)


def test_bad_arguments_are_refused_at_the_call() -> None:
    with AsInTheApp(), pytest.raises(ValueError, match="missing must have shape"):
        id3_with_missing_values(PLAY_TENNIS, NOTHING[1:])
    with pytest.raises(ValueError, match="y must name at least two classes"):
        id3_with_missing_values(table("A T\n u no\n v no"), np.zeros((2, 1), bool))
