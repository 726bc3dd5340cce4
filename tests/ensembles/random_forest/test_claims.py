"""The statements of the random forest lesson about its experiments."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pytest
from numpy import ndarray

from algorithms.core.splits import held_out
from algorithms.ensembles.random_forest import (
    Account,
    RandomForestStep,
    account,
    random_forest,
)
from pages._shared.ask.split import split_rng
from pages._shared.lab.catalogue import LABS
from pages.ensembles.random_forest import affordable
from tests.app.session import Session
from tests.core.samples import dataset
from tests.house.claims import Numbers, Trial, claims_test

OTHERS = range(20, 40)  # samples on which a statement about samples has to hold
(FOREST,) = (lab for lab in LABS if lab.name == "random_forest")


@pytest.mark.parametrize(("n", "grown"), [(0, 100), (200, 100), (1500, 100), (5000, 30)])
def test_the_number_of_trees_is_limited_by_the_points_of_all_bags(n: int, grown: int) -> None:
    assert affordable(100, n) == grown
    assert affordable(7, n) == 7


class Forest(NamedTuple):
    """A run as the page makes it, and the results on the held-out points."""

    steps: Sequence[RandomForestStep]
    account: Account
    held: ndarray
    X: ndarray
    y: ndarray

    @property
    def n(self) -> int:
        """Return the number of held-out points."""
        return int(self.held.sum())

    @property
    def alone(self) -> float:
        """Return how many held-out points a tree gets wrong on average."""
        assert self.account.tree_error is not None
        return self.n * float(self.account.tree_error.mean())

    @property
    def votes(self) -> ndarray:
        """Return how many held-out points the vote gets wrong, tree by tree."""
        assert self.account.held_out_error is not None
        return np.rint(self.n * self.account.held_out_error).astype(int)


def shown(session: Session) -> Forest:
    """Return the forest that a session shows."""
    assert session.run_shown is not None
    data, share = session.board.data, session.value("held") / 100
    held = held_out(len(data.X), share, rng=split_rng(session.value("seed")), codes=data.labels)
    steps = session.run_shown.steps
    found = account(steps, data.X, data.labels, held)
    return Forest(steps, found, held, data.X, data.labels)


def forest(trial: Trial, **changes: str) -> Forest:
    """Return the forest of the experiment, with changes of its link."""
    trial.steps(**changes)
    return shown(trial.session)


def forests(trial: Trial, **changes: str) -> list[Forest]:
    """Return the forests of the other samples."""
    return [forest(trial, sample=str(sample), **changes) for sample in OTHERS]


def unlike(found: Forest) -> float:
    return float(found.account.disagreement(len(found.steps) - 1).mean())


def half_blind_trees(trial: Trial) -> Numbers:
    one, both = forest(trial), forest(trial, tried="2")
    assert unlike(one) > unlike(both), "they are less alike"
    pairs = zip(forests(trial), forests(trial, tried="2"), strict=True)
    ways = np.array([np.sign(blind.votes[-1] - seeing.votes[-1]) for blind, seeing in pairs])
    better, same, worse = (int((ways == way).sum()) for way in (-1, 0, 1))
    return [one.n, one.alone, both.alone, one.votes[-1], both.votes[-1],
            len(OTHERS), better, same, worse]  # fmt: skip


def a_free_test_error(trial: Trial) -> Numbers:
    found = forest(trial)
    learned = int((~found.held).sum())
    out = found.account.out_of_bag_error
    near, high = 0, []
    for other in forests(trial):
        errors = other.account.out_of_bag_error
        near += abs(errors[-1] - other.votes[-1] / other.n) < 0.03
        high.append(np.nanmean(errors[:3]) > errors[-1])
    assert np.mean(high) > 0.8, "in the first steps it is mostly too high"
    wrong = round(out[-1] * learned)
    return [wrong, learned, 100 * out[-1], found.votes[-1], found.n,
            100 * found.votes[-1] / found.n, near, len(OTHERS), 3]  # fmt: skip


def one_question_each(trial: Trial) -> Numbers:
    stumps, deep = forest(trial), forest(trial, depth="20")
    rings = forests(trial)
    assert np.mean([ring.votes[-1] / ring.alone for ring in rings]) < 0.6
    exclusive = forests(trial, data="xor", noise="0.3")
    assert np.mean([each.votes[-1] / each.n for each in exclusive]) > 0.45, "no better than a coin"
    xor = forest(trial, data="xor", noise="0.3")
    return [stumps.votes[-1], stumps.n, stumps.alone, deep.votes[-1], xor.votes[-1], xor.n]


def test_the_mean_of_stumps_is_a_curve_along_x_plus_one_along_y() -> None:
    data = dataset("circles", 200, noise=0.15)
    rng = np.random.default_rng(1)
    *_, model = random_forest(data.X, data.labels, n_trees=50, max_depth=1, rng=rng)

    def P(x: float, y: float) -> float:
        return model.predict_proba(np.array([[x, y]]))[0, 1]

    for a, b, c, d in rng.normal(size=(20, 4)):
        assert P(a, b) + P(c, d) == pytest.approx(P(a, d) + P(c, b))


def too_many_trees(trial: Trial) -> Numbers:
    found = forest(trial)
    changes = np.array([(other.votes[-1] - other.votes[9]) / other.n for other in forests(trial)])
    assert abs(changes.mean()) < 0.01 and np.abs(changes).max() < 0.05, "it changes little"
    no_higher = int((changes <= 0).sum())
    return [found.votes[9], found.n, 10, found.votes[-1], 100, len(OTHERS), no_higher, 100, 10]


def shared_mistakes(found: Forest) -> float:
    """Return the probability that a held-out mistake of one tree is one of another, too."""
    X, y, b = found.X[found.held], found.y[found.held], len(found.steps)
    wrong = np.sum([step.tree.predict(X) != y for step in found.steps], axis=0)
    return float((wrong * (wrong - 1)).sum() / ((b - 1) * wrong.sum()))


def a_steady_learner(trial: Trial) -> Numbers:
    stumps, deep = forest(trial), forest(trial, depth="20")
    assert np.mean([step.tree.feature[0] for step in stumps.steps]) > 0.9, "nearly all cut across y"
    assert shared_mistakes(stumps) == pytest.approx(0.75, abs=0.05)
    assert shared_mistakes(deep) == pytest.approx(0.5, abs=0.05)
    others = forests(trial)
    better = sum(bool(other.votes[-1] < other.alone) for other in others)
    alone, together = (
        np.mean([100 * wrong / other.n for other, wrong in pairs])
        for pairs in (
            [(other, other.alone) for other in others],
            [(other, other.votes[-1]) for other in others],
        )
    )
    return [stumps.n, stumps.alone, stumps.votes[-1], better, len(OTHERS), alone, together,
            deep.alone, deep.votes[-1]]  # fmt: skip


test_the_lesson = claims_test(
    "random_forest",
    {
        "Half-blind trees": half_blind_trees,
        "A free test error": a_free_test_error,
        "One question each": one_question_each,
        "Too many trees?": too_many_trees,
        "A steady learner": a_steady_learner,
    },
)


def test_the_lab_opens_on_a_forest(session: Session) -> None:
    session.open(FOREST)
    assert not session.errors
    assert len(session.events) == 1
    found = shown(session)
    vote, alone = f"{found.votes[-1]} of {found.n}", f"{100 * found.alone / found.n:.3g}"
    said = f"The vote of 30 trees gets {vote} held-out points wrong, "
    assert session.captions[-1].startswith(said)
    assert f"single trees get {alone} % wrong on average." in session.captions[-1]
    (handles,) = session.stage["handles"]
    assert (handles["name"], handles["look"]) == ("query", "query")
