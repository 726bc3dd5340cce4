r"""Gradient boosting: small regression trees, each grown on what the sum so far leaves over.

Model, for numbers y to predict from one feature x, or from several:

    F_t(x) = F_0 + eta (h_1(x) + ... + h_t(x))

where F_0 is the constant with the smallest loss, h_s a regression tree at most `max_depth` cuts
deep, and 0 < eta <= 1 the learning rate, or shrinkage. Objective, with one of three losses L:

    minimise  1/n sum_i L(y_i, F(x_i))       squared   L = 1/2 (y - F)^2     F_0 = mean of y
                                             absolute  L = |y - F|           F_0 = median of y
                                             Huber     squared as far as |y - F| <= delta, beyond
                                                       it delta (|y - F| - delta/2)
                                                                             F_0 = median of y

It is gradient descent whose variable is the function itself: at the points, the direction in which
the loss falls fastest is minus its derivative by F(x_i). Update rule of round t:

    slope:   g_i <- -dL/dF(x_i) at F_{t-1}    squared: the residual r_i = y_i - F_{t-1}(x_i)
                                              absolute: its sign
                                              Huber: r_i, clipped to +-delta
    tree:    h_t <- a tree that greedily lowers sum_i (g_i - h(x_i))^2
    leaves:  each predicts the constant with the smallest loss on its residuals r_i
                                              squared: their mean; absolute: their median
                                              Huber: a step from their median m towards it,
                                              m + mean of r_i - m, clipped to +-delta
    add:     F_t <- F_{t-1} + eta h_t

With the Huber loss, delta is chosen anew in every round: the smallest number that a share `within`
of the |r_i| does not exceed. It changes from round to round, and a mean of the loss with it, so the
errors that are shown are mean absolute ones.

With `subsample` < 1 every round grows its tree on so large a share of the points, drawn without
replacement (stochastic gradient boosting). A small eta needs more rounds, and usually ends with a
smaller error on new points; that error is lowest after some number of rounds, and may rise later.

The run ends early when no residual is left, beyond a share of 1e-9 of the first ones.

Cost: O(n d max_depth) a round, and O(n d log n) to sort the points that were drawn.

scikit-learn's GradientBoostingRegressor does the same with the squared loss. Of an even number of
values it takes the lower of the two in the middle for the median, here it is half-way between them.
But for that it does the same with the Huber loss, until clipped residuals tie. Signs, as of the
absolute loss, tie often. Of cuts that tie, such as those of two features that part a node's points
in the same way, it takes any one; here it is the one of the first feature, then the lower one.

Source: Friedman 2001 (gradient boosting; the Huber loss: algorithm 4), 2002 (the subsample). It is
not in the course notes, whose chapter on boosting (CIS787, 004:400) ends with AdaBoost.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.core.work import spend
from algorithms.ensembles import box_tree, step_tree
from algorithms.ensembles.box_tree import TreeSum
from algorithms.ensembles.step_tree import StepFunction

NOTHING = 1e-9  # of the first residuals

Event = Literal["lowest held-out error", "nothing left to learn"]
Function = TypeVar("Function", StepFunction, TreeSum)  # of one feature, or of several


class Loss(NamedTuple):
    """A loss, by residuals and delta: the constant that fits best, minus the slope at each.

    start : the constant that fits the targets themselves. error : what is shown of residuals.
    """

    start: Callable[[ndarray], float]
    best: Callable[[ndarray, float], float]
    downhill: Callable[[ndarray, float], ndarray]
    error: Callable[[ndarray], float]


def _mean(r: ndarray, _: float = 0.0) -> float:
    return float(r.mean())


def _median(r: ndarray, _: float = 0.0) -> float:
    return float(np.median(r))


def _step_from_median(r: ndarray, delta: float) -> float:
    middle = _median(r)
    return middle + _mean((r - middle).clip(-delta, delta))


LOSSES = {
    "squared": Loss(_mean, _mean, lambda r, _: r, lambda r: _mean(r * r)),
    "absolute": Loss(_median, _median, lambda r, _: np.sign(r), lambda r: _mean(np.abs(r))),
    "Huber": Loss(
        _median,
        _step_from_median,
        lambda r, delta: r.clip(-delta, delta),
        lambda r: _mean(np.abs(r)),
    ),
}


@dataclass(frozen=True, eq=False)
class GradientBoostingStep(Record, Generic[Function]):
    """The sum after so many rounds; also a model. Step 0 is F_0 alone, with a tree of 0.

    `residuals` y - F_{t-1} of all points are what the round began with (at step 0, y - F_0), and
    `drawn` tells on which points its `tree` was grown. `total` is F_t. The errors are means over
    the points, of squares with the squared loss, else of absolute values; there is no held-out one
    without held-out points. `delta` is that of the round, with the Huber loss.

    Events: "lowest held-out error" (of all rounds; the first of equals), and at the end "nothing
    left to learn" (the residuals have vanished).
    """

    round: int
    learning_rate: float
    residuals: Float[ndarray, " n"]
    drawn: Bool[ndarray, " n"]
    tree: Function
    total: Function
    training_error: float
    held_out_error: float | None = None
    delta: float | None = None
    event: Event | None = None

    def predict(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return F_t for every row of `X`."""
        return self.total(_argument(X))


def gradient_boosting(
    X: Float[ndarray, "n d"],
    y: Float[ndarray, " n"],
    *,
    rounds: int = 100,
    learning_rate: float = 0.1,
    max_depth: int = 2,
    loss: Literal["squared", "absolute", "Huber"] = "squared",
    within: float = 0.9,
    subsample: float = 1.0,
    held_out: Bool[ndarray, " n"] | None = None,
    rng: Generator,
) -> Iterator[GradientBoostingStep[Any]]:
    """Add one tree a round, for up to `rounds` rounds; the last step is the model.

    within : the share of the residuals that the Huber loss squares. held_out : points that are not
    learned from, but judge every round. With them the run is made as a whole, as only its end tells
    which round was the best. The functions of the steps are StepFunctions if X has one column, and
    TreeSums if it has several.

    Raises ValueError, at the call, unless X is finite, y holds n finite numbers, rounds and
    max_depth >= 1, learning_rate, within and subsample are above 0 and at most 1, the loss is one
    of the three, and a point is left to learn from.
    """
    X = validate.points(X)
    y = validate.targets(y, len(X))
    rounds = validate.integer("rounds", rounds, 1)
    max_depth = validate.integer("max_depth", max_depth, 1)
    rate, share = _share("learning_rate", learning_rate), _share("subsample", subsample)
    kind = LOSSES[validate.choice("loss", loss, tuple(LOSSES))]
    learned = np.ones(len(X), bool) if held_out is None else ~np.asarray(held_out, bool)
    if learned.shape != y.shape or not learned.any():
        raise ValueError("held_out must say of every point whether it is, and leave one to learn")
    plan = _Plan(rounds, rate, max_depth, kind, _share("within", within), share)
    steps = _boost(_Points(_argument(X), y, learned), plan, rng)
    return steps if learned.all() else _best_named(steps)


def _argument(X: Float[ndarray, "n d"]) -> ndarray:
    """Return what functions are called with: (n,) numbers of a single feature, or all columns."""
    return X[:, 0] if X.shape[1] == 1 else X


class _Points(NamedTuple):
    """What is learned from, and what judges."""

    x: ndarray  # (n,) or (n, d)
    y: Float[ndarray, " n"]
    learned: Bool[ndarray, " n"]


class _Plan(NamedTuple):
    """How the rounds go."""

    rounds: int
    rate: float
    max_depth: int
    loss: Loss
    within: float
    share: float


def _boost(points: _Points, plan: _Plan, rng: Generator) -> Iterator[GradientBoostingStep[Any]]:
    (x, y, learned), loss = points, plan.loss
    grow: Callable[..., Any] = step_tree.grow if x.ndim == 1 else box_tree.grow
    start = loss.start(y[learned])
    total, tree = (grow(x, y, 0).saying(np.array([value])) for value in (start, 0.0))
    fitted, drawn, residuals = np.full(len(y), start), learned, y - start
    least = NOTHING * np.abs(residuals[learned]).max()
    before, delta = residuals, _delta(residuals[learned], plan.within)
    for t in range(plan.rounds + 1):
        if t > 0:
            before, drawn = residuals, _draw(learned, plan.share, rng)
            r, delta = before[drawn], _delta(before[learned], plan.within)
            leaves = grow(x[drawn], loss.downhill(r, delta), plan.max_depth)
            said = [loss.best(r[members], delta) for members in leaves.members]
            tree = leaves.saying(np.array(said))
            total = total.plus(tree, plan.rate)
            fitted = fitted + plan.rate * tree(x)
            residuals = y - fitted
        done = np.abs(residuals[learned]).max() <= least
        yield GradientBoostingStep(
            round=t,
            learning_rate=plan.rate,
            residuals=before,
            drawn=drawn,
            tree=tree,
            total=total,
            training_error=loss.error(residuals[learned]),
            held_out_error=None if learned.all() else loss.error(residuals[~learned]),
            delta=delta if loss is LOSSES["Huber"] else None,
            event="nothing left to learn" if done else None,
        )
        if done:
            return


def _delta(r: Float[ndarray, " m"], within: float) -> float:
    """Return the smallest number that so large a share of the residuals does not exceed."""
    return float(np.quantile(np.abs(r), within, method="inverted_cdf"))


def _draw(learned: Bool[ndarray, " n"], share: float, rng: Generator) -> Bool[ndarray, " n"]:
    """Draw so large a share of the points to learn from: one at least."""
    if share == 1:
        return learned
    found = np.flatnonzero(learned)
    drawn = np.zeros(len(learned), bool)
    drawn[rng.choice(found, max(1, int(share * len(found))), replace=False)] = True
    return drawn


def _best_named(steps: Iterator[GradientBoostingStep]) -> Iterator[GradientBoostingStep]:
    """Give all steps, the one with the lowest held-out error with its event."""
    made: list[GradientBoostingStep] = []
    for step in steps:
        spend()
        made.append(step)
    best = min(made, key=lambda step: step.held_out_error or 0.0)
    for step in made:
        named = step is best and step.event is None
        yield replace(step, event="lowest held-out error") if named else step


def _share(name: str, value: float) -> float:
    """Return a number above 0 and at most 1."""
    if (value := validate.number(name, value, positive=True)) > 1:
        raise ValueError(f"{name} must be at most 1, got {name}={value:g}")
    return value
