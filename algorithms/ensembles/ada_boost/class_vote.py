r"""The vote of a class: everybody has placed one stump, and all stumps vote with the same weight.

Model, for two classes y = -1 (the first) and y = +1 (the second), and the stumps h_1, ..., h_V:

    F_t(x) = h_1(x) + ... + h_t(x),   class +1 where F_t(x) > 0, class -1 elsewhere

Update rule of step t, in which voter t joins:

    alpha_t <- 1,   F <- F + alpha_t h_t

Nothing is learned here: the stumps are given. How good is the vote? If the mistakes were
independent and every stump had the same error e < 1/2, the vote would be wrong about a point with
the probability

    P(at least half of t stumps are wrong) -> 0    as t grows             (Condorcet)

The mistakes of real stumps are not independent. Two stumps that make the same mistakes count as
little more than one, and the vote can be worse than the best stump.

The same stumps, weighted as AdaBoost does it: boosted_stumps.py.

Cost: O(V n) once for the predictions, then O(n) a step.

Source: Condorcet 1785; CIS787 (004:404), bagging and boosting as votes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record, frozen
from algorithms.ensembles.ada_boost.stumps import Stumps

Event = Literal[
    "better than every voter", "training error 0", "perfect learner", "no better than chance"
]


def class_vote(
    X: Float[ndarray, "n d"], y: Int[ndarray, " n"], *, stumps: Stumps
) -> Iterator["ClassVoteStep"]:
    """Let the given stumps vote, one more in each step. The last step is the vote of all.

    Raises ValueError, at the call, unless X is finite, y holds n integers of exactly two classes,
    and there is at least one stump, on a feature of X.
    """
    before = nobody(X, y, stumps)
    return iterate(advance(before), advance, most=len(stumps) - 1, stopped=None)


def advance(step: "ClassVoteStep") -> "ClassVoteStep":
    """Return the step that follows: the next voter joins."""
    joined = voted(step, step.voter + 1, 1.0)
    now, ago = (int(np.count_nonzero(each.missed)) for each in (joined, step))
    better = now < step.fewest <= ago
    return replace(joined, event="better than every voter" if better else None)


def voted(step: "ClassVoteStep", voter: int, alpha: float) -> "ClassVoteStep":
    """Add a voter's stump to the vote: F <- F + alpha h."""
    alphas = step.alphas.copy()
    alphas[voter] += alpha
    h = step.said[voter]
    return replace(
        step, voter=voter, alpha=alpha, alphas=alphas, scores=step.scores + alpha * h, event=None
    )


def nobody(X: Float[ndarray, "n d"], y: Int[ndarray, " n"], stumps: Stumps) -> "ClassVoteStep":
    """Return the state before the first step: nobody has voted, and all points weigh the same.

    Raises ValueError as `class_vote` does.
    """
    X = validate.points(X)
    classes, signs = validate.two_labels(y, len(X))
    n, d = X.shape
    if len(stumps) == 0:
        raise ValueError("stumps must hold at least one stump, got none")
    if not ((stumps.feature >= 0) & (stumps.feature < d)).all():
        raise ValueError(f"stumps must cut features from 0 to {d - 1}, got {stumps.feature}")
    said = stumps.predict(X).astype(np.int8)
    return ClassVoteStep(
        classes=frozen(classes),
        signs=frozen(signs),
        stumps=stumps,
        said=frozen(said),
        fewest=int(np.count_nonzero(said != signs, axis=1).min()),
        weights=frozen(np.full(n, 1 / n)),
        voter=-1,
        alpha=0.0,
        alphas=np.zeros(len(stumps)),
        scores=np.zeros(n),
    )


@dataclass(frozen=True, eq=False)
class ClassVoteStep(Record):
    """A vote of given stumps; also a model. `voter` is the stump of this step, `alpha` its vote.

    `signs` are the y of the points, `said` the predictions of all stumps for them, and `fewest` the
    training points that the best single stump gets wrong. `weights` are those of the points in this
    step, `alphas` what each voter's votes add up to so far, and `scores` the F of the vote.

    Event of equal votes: "better than every voter" (the vote now gets fewer training points wrong
    than the best single stump). Events of boosted votes, as in AdaBoost: "training error 0",
    "perfect learner" and "no better than chance".
    """

    final_events: ClassVar = (*Record.final_events, "perfect learner", "no better than chance")

    classes: Int[ndarray, " 2"]
    signs: Float[ndarray, " n"]
    stumps: Stumps
    said: Int[ndarray, "V n"]
    fewest: int
    weights: Float[ndarray, " n"]
    voter: int
    alpha: float
    alphas: Float[ndarray, " V"]
    scores: Float[ndarray, " n"]
    event: Event | None = None

    @property
    def wrong(self) -> ndarray:
        """Return which points this step's stump gets wrong."""
        return self.said[self.voter] != self.signs

    @property
    def missed(self) -> ndarray:
        """Return which points the vote gets wrong."""
        return (self.scores > 0) != (self.signs > 0)

    @property
    def error(self) -> float:
        """Return eps, the weight of the points that this step's stump gets wrong."""
        return float(self.weights @ self.wrong)

    @property
    def training_error(self) -> float:
        """Return the share of the points that the vote gets wrong."""
        return float(self.missed.mean())

    def decision_function(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return the vote F of every row of `X`, positive for the second class."""
        return self.alphas @ self.stumps.predict(X)

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class that wins the vote for every row of `X`, the first one in a tie."""
        return self.classes[(self.decision_function(X) > 0).astype(int)]

    def surface(
        self, x: Float[ndarray, " columns"], y: Float[ndarray, " rows"]
    ) -> Float[ndarray, "rows columns"]:
        """Return F at all cells (x, y) of a grid on the plane; row 0 belongs to y[0]."""
        return self.stumps.surface(self.alphas, x, y)
