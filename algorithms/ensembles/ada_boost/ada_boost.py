r"""AdaBoost: weak learners, each trained on the mistakes of those before it, vote by their merit.

Model, for two classes y = -1 (the first) and y = +1 (the second):

    F_t(x) = sum of alpha_s h_s(x) over the rounds s = 1..t,   class +1 where F_t(x) > 0

where the weak learner h_s is a tree, at most `max_depth` tests deep, that predicts -1 or +1. Every
point has a weight, initially w_i = 1/n. Update rule of round t:

    learn:     h_t <- the tree that greedily lowers the weighted gini impurity most
    error:     eps_t = sum of w_i over the points with h_t(x_i) != y_i
    merit:     alpha_t = 1/2 ln((1 - eps_t) / eps_t)
    reweight:  w_i <- w_i exp(-alpha_t y_i h_t(x_i)) / Z_t

with Z_t = 2 sqrt(eps_t (1 - eps_t)), which makes the weights add up to 1 again. So the weights of
the points that h_t got wrong are multiplied by 1 / (2 eps_t), the others by 1 / (2 (1 - eps_t)).
Each part then weighs 1/2, and the same h_t would now be no better than tossing a coin.

Objective (the exponential loss). Round t multiplies it by Z_t, and no other alpha would make it
smaller with this h_t:

    L(F_t) = 1/n sum_i exp(-y_i F_t(x_i)) = Z_1 ... Z_t

A point that the vote gets wrong adds at least 1/n to L, so L bounds the training error. As long as
every eps_t <= 1/2 - g, L is at most (1 - 4 g^2)^(t/2), which falls exponentially. The margin of a
point shows how sure the vote is, and can go on growing when the training error is 0:

    y_i F_t(x_i) / (alpha_1 + ... + alpha_t)        from -1 to 1, negative where the vote is wrong

A learner no better than chance, eps_t >= 1/2, gets alpha_t = 0 and ends the run: with trees, every
leaf is then a tie. A perfect learner, eps_t = 0, ends the run, too. Its alpha would be infinite; it
is set to 1 more than all earlier alphas together, so that this tree alone decides. (Chance is
eps_t >= 1/2 - 1e-10, and no weight falls below 1e-300. Without these limits, rounding would keep
hopeless runs alive and call learners perfect.)

The weak learner and its rule: weighted_tree.py. A run in numbers: summary.py.

Cost: O(n d log n) once to sort, then O(n d max_depth) a round.

scikit-learn's alphas (SAMME) are twice these, its decision function is 2 F_t / sum of alphas, and
a perfect learner's weight there is 1, with which those before it may outvote it.

Source: CIS787 (004:404); Freund and Schapire 1997; margins: Schapire, Freund, Bartlett, Lee 1998.
Slips of CIS787 that are not copied: it divides eps_t by the number of points, although the weights
add up to 1; its alpha in the new weights has the index of the point instead of the round; and it
calls the sum F the classifier, which is the sign of F.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import log, sqrt
from typing import ClassVar, Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record, frozen
from algorithms.ensembles.ada_boost.weighted_tree import Presorted, WeightedTree
from algorithms.ensembles.vote_grid import vote_surface

CHANCE = 1e-10  # a learner's error has to be below 1/2 by more than this
LIGHTEST = 1e-300  # no weight falls below it, so that the error is 0 only if no point is wrong

Event = Literal["training error 0", "perfect learner", "no better than chance"]


def ada_boost(
    X: Float[ndarray, "n d"], y: Int[ndarray, " n"], *, rounds: int = 50, max_depth: int = 1
) -> Iterator["AdaBoostStep"]:
    """Grow one tree in each of up to `rounds` rounds on the weighted points, and let it vote.

    A `max_depth` of 1 makes decision stumps: trees of a single test. The last step is the model.

    Raises ValueError, at the call, unless X is finite, y holds n integers of exactly two classes,
    rounds >= 1 and max_depth >= 1.
    """
    X = validate.points(X)
    classes, signs = validate.two_labels(y, len(X))
    rounds = validate.integer("rounds", rounds, 1)
    learner = Presorted(X, signs, validate.integer("max_depth", max_depth, 1))
    n, nothing = len(X), np.zeros(len(X))
    before = AdaBoostStep(
        classes=frozen(classes),
        signs=frozen(signs),
        weights=np.full(n, 1 / n),
        said=nothing.astype(int),
        trees=(),
        alphas=(),
        scores=nothing,
        bound=1.0,
        has_been_right=False,
    )
    first = learned(learner, before.weights, before)
    return iterate(first, partial(advance, learner), most=rounds - 1, stopped=None)


def advance(learner: Presorted, step: "AdaBoostStep") -> "AdaBoostStep":
    """Return the round that follows: new weights, and a tree grown with them."""
    return learned(learner, reweighted(step), step)


def learned(
    learner: Presorted, weights: Float[ndarray, " n"], before: "AdaBoostStep"
) -> "AdaBoostStep":
    """Grow h_t with these weights, and let it vote: F <- F + alpha h_t, and L by Z_t."""
    tree, h = learner.grow(weights)
    epsilon = float(weights @ (h != before.signs))
    alpha = merit(epsilon, before.alphas)
    step = replace(
        before,
        weights=weights,
        said=h,
        trees=(*before.trees, tree),
        alphas=(*before.alphas, alpha),
        scores=before.scores + alpha * h,
        bound=before.bound * 2 * sqrt(epsilon * (1 - epsilon)),
    )
    none_wrong = step.training_error == 0
    event = _event(epsilon, new=none_wrong and not before.has_been_right)
    right = before.has_been_right or none_wrong
    return replace(step, has_been_right=right, event=event)


def merit(epsilon: float, alphas: tuple[float, ...]) -> float:
    """Return alpha = 1/2 ln((1 - eps) / eps); 0 at chance, and finite even if eps is 0."""
    if epsilon == 0:
        return 1.0 + sum(alphas)
    return log((1 - epsilon) / epsilon) / 2 if epsilon < 1 / 2 - CHANCE else 0.0


def reweighted(step: "AdaBoostStep") -> Float[ndarray, " n"]:
    """Return w_i exp(-alpha y_i h(x_i)) / Z, where Z makes the weights add up to 1."""
    w = step.weights * np.exp(-step.alpha * step.signs * step.said)
    return np.maximum(w / w.sum(), LIGHTEST)


@dataclass(frozen=True, eq=False)
class AdaBoostStep(Record):
    """One round; also a model, the vote of this round's tree and of all those before it.

    `signs` are the y of the points, `weights` those that the tree was grown with, `said` its
    predictions for the points, and `scores` the F of the vote with it. `bound` is L(F).
    `has_been_right`: in this round or an earlier one, the vote got no training point wrong.

    Events: "training error 0" (for the first time the vote gets no training point wrong); at the
    end "perfect learner" (this tree alone gets none wrong) or "no better than chance" (it has no
    vote). A run without such an end stops when the rounds are used up.
    """

    final_events: ClassVar = (*Record.final_events, "perfect learner", "no better than chance")

    classes: Int[ndarray, " 2"]
    signs: Float[ndarray, " n"]
    weights: Float[ndarray, " n"]
    said: Int[ndarray, " n"]
    trees: tuple[WeightedTree, ...]
    alphas: tuple[float, ...]
    scores: Float[ndarray, " n"]
    bound: float
    has_been_right: bool
    event: Event | None = None

    @property
    def tree(self) -> WeightedTree:
        """Return the weak learner of this round."""
        return self.trees[-1]

    @property
    def alpha(self) -> float:
        """Return how much the vote of this round's learner counts."""
        return self.alphas[-1]

    @property
    def wrong(self) -> Bool[ndarray, " n"]:
        """Return which points this round's tree gets wrong."""
        return self.said != self.signs

    @property
    def error(self) -> float:
        """Return eps, the weight of the points that the tree gets wrong."""
        return float(self.weights @ self.wrong)

    @property
    def margins(self) -> Float[ndarray, " n"]:
        """Return y_i F(x_i) / sum of alphas."""
        return self.signs * self.scores / (sum(self.alphas) or 1.0)

    @property
    def training_error(self) -> float:
        """Return the share of the points that the vote gets wrong."""
        return float(np.count_nonzero((self.scores > 0) != (self.signs > 0)) / len(self.signs))

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


def _event(epsilon: float, *, new: bool) -> Event | None:
    """Name what happened. new : the vote gets no training point wrong, for the first time."""
    if epsilon == 0:
        return "perfect learner"
    if epsilon >= 1 / 2 - CHANCE:
        return "no better than chance"
    return "training error 0" if new else None
