r"""AdaBoost: weak learners, each trained on what those before it got wrong, vote by their merit.

Model, for two classes y = -1 (the first) and y = +1 (the second):

    F_t(x) = sum of alpha_s h_s(x) over the rounds s = 1..t,   class +1 where F_t(x) > 0

where the weak learner h_s is a tree, at most `max_depth` tests deep, that says -1 or +1. Every
point has a weight, w_i = 1/n at first. Update rule of round t:

    learn:     h_t <- the tree that greedily lowers the weighted gini impurity most
    error:     eps_t = sum of w_i over the points with h_t(x_i) != y_i
    merit:     alpha_t = 1/2 ln((1 - eps_t) / eps_t)
    reweight:  w_i <- w_i exp(-alpha_t y_i h_t(x_i)) / Z_t

with Z_t = 2 sqrt(eps_t (1 - eps_t)), which makes the weights add up to 1 again. So all that h_t
got wrong is multiplied by 1 / (2 eps_t), all that it got right by 1 / (2 (1 - eps_t)): either part
then weighs 1/2, and h_t, tried again, would be no better than tossing a coin.

Objective (the exponential loss), which round t multiplies by Z_t, the least that any alpha can do
with h_t:

    L(F_t) = 1/n sum_i exp(-y_i F_t(x_i)) = Z_1 ... Z_t

A point that the vote gets wrong adds at least 1/n to L, so L bounds the training error; as long as
every eps_t <= 1/2 - g it is at most (1 - 4 g^2)^(t/2), which falls exponentially. The margin of a
point tells how sure the vote is of it, and can go on growing when the training error is 0:

    y_i F_t(x_i) / (alpha_1 + ... + alpha_t)        from -1 to 1, negative where the vote is wrong

A learner no better than chance, eps_t >= 1/2, gets alpha_t = 0 and ends the run: with trees, every
leaf is a tie. A perfect one, eps_t = 0, ends it too. Its alpha would be infinite; it is given 1
more than all before it together, so that it alone decides. (Chance is eps_t >= 1/2 - 1e-10, and no
weight falls below 1e-300: else rounding would keep hopeless runs alive and call learners perfect.)

Cost: O(n d log n) once to sort, then O(n d max_depth) a round.

scikit-learn's alphas (SAMME) are twice these, its decision function is 2 F_t / sum of alphas, and
a perfect learner's weight there is 1, with which those before it may outvote it.

Source: CIS787 (004:404); Freund and Schapire 1997; margins: Schapire, Freund, Bartlett, Lee 1998.
Slips not copied: CIS787 divides eps_t by the number of points, which weights that add up to 1 must
not be; numbers alpha in the new weights by the point, where it is the round's; and calls the sum F
itself the classifier, where it is its sign.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.ensembles.vote_surface import vote_surface
from algorithms.ensembles.weighted_tree import Presorted, WeightedTree

CHANCE = 1e-10  # a learner has to be better than 1/2 by more than this
LIGHTEST = 1e-300  # no weight falls below it, so that the error is 0 only where no point is wrong

Event = Literal["training error 0", "perfect learner", "no better than chance"]


@dataclass(frozen=True, eq=False)
class AdaBoostStep(Record):
    """One round; also a model, the vote of this round's tree and of all those before it.

    `weights` are those that the tree was grown with, `wrong` tells which points it gets wrong, and
    `error` is what these weigh. `margins`, `training_error` (a share of the points) and its `bound`
    are of the vote with the new tree.

    Events: "training error 0" (for the first time the vote gets no training point wrong); at the
    end "perfect learner" (this tree alone gets none wrong) or "no better than chance" (it has no
    vote). A run without such an end stops when the rounds are used up.
    """

    classes: Int[ndarray, " 2"]
    weights: Float[ndarray, " n"]
    wrong: Bool[ndarray, " n"]
    error: float
    trees: tuple[WeightedTree, ...]
    alphas: tuple[float, ...]
    margins: Float[ndarray, " n"]
    training_error: float
    bound: float
    event: Event | None = None

    @property
    def tree(self) -> WeightedTree:
        """The weak learner of this round."""
        return self.trees[-1]

    @property
    def alpha(self) -> float:
        """What the vote of this round's learner counts."""
        return self.alphas[-1]

    def votes(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "t m"]:
        """Return what every tree adds to the vote F of every row of `X`: its alpha h."""
        pairs = zip(self.alphas, self.trees, strict=True)
        return np.array([alpha * tree.predict(X) for alpha, tree in pairs])

    def decision_function(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return the weighted vote F of every row of `X`, positive for the second class."""
        votes = np.zeros(len(X))
        for alpha, tree in zip(self.alphas, self.trees, strict=True):
            votes += alpha * tree.predict(X)
        return votes

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class that wins the vote for every row of `X`, the first one in a tie."""
        return self.classes[(self.decision_function(X) > 0).astype(int)]

    def surface(
        self, x: Float[ndarray, " columns"], y: Float[ndarray, " rows"]
    ) -> Float[ndarray, "rows columns"]:
        """Return F at all cells (x, y) of a grid on the plane; row 0 belongs to y[0]."""
        return vote_surface(self.trees, self.alphas, x, y)


def ada_boost(
    X: Float[ndarray, "n d"], y: Int[ndarray, " n"], *, rounds: int = 50, max_depth: int = 1
) -> Iterator[AdaBoostStep]:
    """Grow one tree a round on the weighted points, and let it vote, for up to `rounds` rounds.

    A `max_depth` of 1 makes decision stumps: trees of a single test. The last step is the model.

    Raises ValueError, at the call, unless X is finite, y holds n integers of exactly two classes,
    rounds >= 1 and max_depth >= 1.
    """
    X = validate.points(X)
    classes, signs = validate.two_labels(y, len(X))
    rounds = validate.integer("rounds", rounds, 1)
    max_depth = validate.integer("max_depth", max_depth, 1)
    return _boost(X, classes, signs, rounds, max_depth)


@dataclass(frozen=True, eq=False)
class Account(Record):
    """A run in numbers, an entry per round; errors are shares of the points.

    `smallest_margin` is that of the training point the vote is least sure of. `held_out_error` is
    None without held-out points.
    """

    error: Float[ndarray, " t"]
    alpha: Float[ndarray, " t"]
    training_error: Float[ndarray, " t"]
    bound: Float[ndarray, " t"]
    smallest_margin: Float[ndarray, " t"]
    held_out_error: Float[ndarray, " t"] | None = None


def account(
    steps: Sequence[AdaBoostStep], X: Float[ndarray, "m d"], y: Int[ndarray, " m"]
) -> Account:
    """Return what every round comes to, and how many of the held-out points (X, y) it gets wrong.

    There may be none; points of a third class are always wrong. Raises ValueError unless X is
    finite and y holds m integers.
    """
    return Account(
        error=np.array([step.error for step in steps]),
        alpha=np.array([step.alpha for step in steps]),
        training_error=np.array([step.training_error for step in steps]),
        bound=np.array([step.bound for step in steps]),
        smallest_margin=np.array([step.margins.min() for step in steps]),
        held_out_error=_staged_errors(steps[-1], X, y) if len(X) > 0 else None,
    )


def _staged_errors(
    model: AdaBoostStep, X: Float[ndarray, "m d"], y: Int[ndarray, " m"]
) -> Float[ndarray, " t"]:
    """Return the share of the points that the vote gets wrong after each of the model's rounds."""
    X = validate.points(X)
    y = validate.integers(y, len(X))
    F = model.votes(X).cumsum(axis=0)
    return (model.classes[(F > 0).astype(int)] != y).mean(axis=1)


def _boost(
    X: Float[ndarray, "n d"],
    classes: Int[ndarray, " 2"],
    signs: Float[ndarray, " n"],
    rounds: int,
    max_depth: int,
) -> Iterator[AdaBoostStep]:
    learner = Presorted(X, signs, max_depth)
    trees: tuple[WeightedTree, ...] = ()
    alphas: tuple[float, ...] = ()
    weights, votes, bound, least = np.full(len(X), 1 / len(X)), np.zeros(len(X)), 1.0, 1.0
    for _ in range(rounds):
        tree, said = learner.grow(weights)
        wrong = said != signs
        error = float(weights @ wrong)
        alpha = _merit(error, alphas)
        trees, alphas = (*trees, tree), (*alphas, alpha)
        votes += alpha * said
        bound *= 2 * sqrt(error * (1 - error))

        training_error = float(np.count_nonzero((votes > 0) != (signs > 0)) / len(X))
        margins = signs * votes / (sum(alphas) or 1.0)
        event = _event(error, least, training_error)
        yield AdaBoostStep(
            classes, weights, wrong, error, trees, alphas, margins, training_error, bound, event
        )
        if event in ("perfect learner", "no better than chance"):
            return
        least = min(least, training_error)
        weights = weights * np.exp(-alpha * signs * said)
        weights = np.maximum(weights / weights.sum(), LIGHTEST)


def _merit(error: float, alphas: tuple[float, ...]) -> float:
    """Return alpha for a learner's error, and a finite one for a learner without error."""
    if error == 0:
        return 1.0 + sum(alphas)
    return log((1 - error) / error) / 2 if error < 1 / 2 - CHANCE else 0.0


def _event(error: float, least: float, training_error: float) -> Event | None:
    """Name what happened; least : the lowest training error before this round."""
    if error == 0:
        return "perfect learner"
    if error >= 1 / 2 - CHANCE:
        return "no better than chance"
    return "training error 0" if training_error == 0 < least else None
