from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from algorithms.classification.active_learning.active_learning import (
    PENALTY,
    RULES,
    QueryStep,
    active_learning,
    advance,
    as_pool,
    chosen,
    told,
)
from algorithms.classification.active_learning.starts_compared import asking_rng, first_labels
from algorithms.core.iterate import resumed
from tests.house.check_steps import LABELS, AsInTheApp, check_steps
from tests.house.checked import Checked

ARGUMENTS = {"known": np.arange(len(LABELS)) % 3 > 0}
N = 60


def sample(seed: int, classes: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return points of a few classes, and which of them are held out."""
    rng = np.random.default_rng(seed)
    y = np.arange(N) % classes
    X = rng.normal(size=(N, 2)) + 1.5 * np.array([[0, 0], [1, 1], [2, 0]])[y]
    held = rng.random(N) < 0.3
    held[:classes] = False
    return X, y, held


def steps_of(seed: int, rule: str, most: int = 10, classes: int = 3) -> list[QueryStep]:
    X, y, held = sample(seed, classes)
    known = first_labels(y, held, 1, seed)
    run = active_learning(
        X, y, known, rng=asking_rng(seed), rule=rule, degree=2, held_out=held, max_iter=most
    )
    return check_steps(run)


def theirs(step: QueryStep, F: np.ndarray, rows: np.ndarray, given: np.ndarray) -> Any:
    """Return scikit-learn's probabilities at all points, fitted to some labels."""
    C = 1 / (len(rows) * PENALTY)
    model = LogisticRegression(C=C, tol=1e-10, max_iter=10_000).fit(F[rows], given)
    assert model.classes_.tolist() == list(range(len(step.classes)))
    return model.predict_proba(F)


SCIKIT_LEARN = Checked(
    "active_learning",
    "scikit-learn's `LogisticRegression` on the labels of every step, for the probabilities",
    40,
    "steps",
    within=1e-4,
)


def test_agrees_with_scikit_learn() -> None:
    compared = 0
    for seed in range(4):
        X, _, _ = sample(seed, 2 + seed % 2)
        for step in steps_of(seed, "margin", classes=2 + seed % 2)[1:]:
            P = theirs(step, step.features(X), step.known, step.given)
            np.testing.assert_allclose(
                step.predict_proba(X), P, rtol=0, atol=SCIKIT_LEARN.within or 0
            )
            compared += 1
    assert compared == SCIKIT_LEARN.cases


QUERIES = Checked(
    "active_learning",
    "the score of every point, one by one from scikit-learn's probabilities, for the choice of "
    "the query",
    150,
    "queries",
)


def by_hand(rule: str, p: np.ndarray, members: np.ndarray) -> float:
    """Return the score of one point from its probabilities, and those of each member."""

    def entropy(shares: Any) -> float:
        return -sum(float(share) * float(np.log2(share)) for share in shares if share > 0)

    if rule == "margin":
        *_, second, most = sorted(p.tolist())
        return 1 - most + second
    if rule == "entropy":
        return entropy(p)
    return entropy(members.mean(axis=0)) - sum(map(entropy, members)) / len(members)


@pytest.mark.thorough
def test_asks_for_the_point_with_the_largest_score() -> None:
    compared = 0
    for seed in range(5):
        X, y, held = sample(seed)
        known = first_labels(y, held, 1, seed)
        for rule in ("margin", "entropy", "committee"):
            pool = as_pool(X, y, known, rule, 2, held, (), PENALTY, asking_rng(seed))
            for step in steps_of(seed, rule)[:-1]:
                F = step.features(X)
                P = theirs(step, F, step.known, step.given)
                heard = [pool.heard(b, step.known, step.given) for b in range(len(step.members))]
                members = np.array([theirs(step, F, *each) for each in heard])
                s = {
                    i: by_hand(rule, P[i], members[:, i] if len(members) else members)
                    for i in range(N)
                    if not held[i] and i not in step.known
                }
                # scikit-learn's weights have errors of their own, so nearly equal scores are equal.
                assert s[step.query] > max(s.values()) - 1e-4
                compared += 1
    assert compared == QUERIES.cases


@pytest.mark.parametrize("rule", RULES)
def test_every_step_adds_the_label_that_was_asked_for(rule: str) -> None:
    X, y, held = sample(1)
    steps = steps_of(1, rule)
    for before, after in pairwise(steps):
        i = after.known[-1]
        assert i == before.query and not held[i] and i not in before.known
        assert after.given[-1] == y[i] and after.known[:-1].tolist() == before.known.tolist()
        surprised = before.predict(X[[i]])[0] != y[i]
        assert surprised == (after.event == "surprise") or after is steps[-1]


def test_two_classes_have_the_same_order_by_margin_and_by_entropy() -> None:
    for seed in range(5):
        margin, entropy = (steps_of(seed, rule, 20, 2)[-1] for rule in ("margin", "entropy"))
        np.testing.assert_array_equal(margin.known, entropy.known)


def test_chance_asks_in_the_order_that_was_drawn() -> None:
    X, y, held = sample(2)
    known = first_labels(y, held, 1, 2)
    pool = as_pool(X, y, known, "chance", 1, held, (), PENALTY, asking_rng(2))
    run = active_learning(X, y, known, rng=asking_rng(2), rule="chance", held_out=held, max_iter=N)
    end = check_steps(run)[-1]
    asked = end.known[known.sum() :]
    assert end.event == "every label is known" and end.query == -1
    assert sorted(end.known.tolist()) == np.flatnonzero(~held).tolist()
    assert (np.diff(pool.rank[asked]) > 0).all()


def test_equal_scores_are_decided_by_the_order() -> None:
    s, rank = np.array([1.0, 2.0, 2.0 + 1e-12, 3.0]), np.array([0, 1, 2, 3])
    assert chosen(s, np.array([True, True, True, False]), rank) == 1
    assert chosen(s, np.array([True, True, True, False]), rank[::-1]) == 2
    assert chosen(s, np.zeros(4, bool), rank) == -1


def test_answers_replace_the_classes_of_the_queries() -> None:
    X, y, held = sample(3, 2)
    known = first_labels(y, held, 1, 3)
    run = active_learning(
        X, y, known, rng=asking_rng(3), held_out=held, answers=(1, 0, 0), max_iter=5
    )
    end = check_steps(run)[-1]
    assert end.given[2:5].tolist() == [1, 0, 0]
    assert end.given[5:].tolist() == y[end.known[5:]].tolist()


def test_a_changed_query_goes_on_from_there() -> None:
    X, y, held = sample(4)
    known = first_labels(y, held, 1, 4)
    pool = as_pool(X, y, known, "margin", 2, held, (), PENALTY, asking_rng(4))
    was = steps_of(4, "margin")
    free = [
        i for i in np.flatnonzero(~held).tolist() if i not in was[2].known and i != was[2].query
    ]
    new = list(resumed(was, 3, partial(told, pool, free[0], 1), partial(advance, pool), most=5))
    assert new[3].known[-1] == free[0] and new[3].given[-1] == 1 and len(new) == 9
    same = list(resumed(was, 3, partial(advance, pool), partial(advance, pool), most=7))
    np.testing.assert_array_equal(same[-1].known, was[-1].known)


def test_bad_arguments_are_refused_at_the_call() -> None:
    X, y, held = sample(0)
    rng, known = np.random.default_rng(0), np.arange(N) < 3
    bad = [
        ({"known": np.arange(N) < 2}, "known must mark a point of each of 3"),
        ({"known": np.zeros(N, bool)}, "known must mark a point of each of 3"),
        ({"known": known[:-1]}, "known must have shape"),
        ({"known": ~known}, "known must mark no held-out point"),
        ({"rule": "none"}, "rule must"),
        ({"degree": 0}, "degree must"),
        ({"held_out": held[:-1]}, "held_out must"),
        ({"held_out": np.ones(N, bool)}, "known must mark no"),
        ({"answers": (7,)}, "answers must"),
        ({"max_iter": -1}, "max_iter must"),
        ({"penalty": 0.0}, "penalty must"),
        ({"y": np.zeros(N, int)}, "y must"),
    ]
    with AsInTheApp():
        for change, message in bad:
            how: dict[str, Any] = {"X": X, "y": y, "known": known, "held_out": held} | change
            with pytest.raises(ValueError, match=message):
                active_learning(**how, rng=rng)
