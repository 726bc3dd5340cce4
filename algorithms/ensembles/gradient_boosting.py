r"""Gradient boosting: small regression trees, each grown on what the sum so far leaves over.

Model, for numbers y to predict from one feature x:

    F_t(x) = F_0 + eta (h_1(x) + ... + h_t(x))

where F_0 is the constant with the smallest loss, h_s a regression tree at most `max_depth` cuts
deep, and 0 < eta <= 1 the learning rate, or shrinkage. Objective, with one of two losses L:

    minimise  1/n sum_i L(y_i, F(x_i))       squared   L = 1/2 (y - F)^2     F_0 = mean of y
                                             absolute  L = |y - F|           F_0 = median of y

It is gradient descent whose variable is the function itself: at the points, the direction in which
the loss falls fastest is minus its derivative by F(x_i). Update rule of round t:

    slope:   g_i <- -dL/dF(x_i) at F_{t-1}    squared: the residual r_i = y_i - F_{t-1}(x_i)
                                              absolute: its sign
    tree:    h_t <- a tree that greedily lowers sum_i (g_i - h(x_i))^2
    leaves:  each predicts the constant with the smallest loss on its residuals r_i
                                              squared: their mean; absolute: their median
    add:     F_t <- F_{t-1} + eta h_t

With `subsample` < 1 every round grows its tree on so large a share of the points, drawn without
replacement (stochastic gradient boosting). A small eta needs more rounds, and usually ends with a
smaller error on new points; that error is lowest after some number of rounds, and may rise later.

The run ends early when no residual is left, beyond a share of 1e-9 of the first ones.

Cost: O(n max_depth) a round, and O(n log n) to sort the points that were drawn.

scikit-learn's GradientBoostingRegressor does the same with the squared loss. With the absolute
loss, whose signs tie often, its cuts and medians may be others, which are as good.

Source: Friedman 2001 (gradient boosting), 2002 (the subsample). It is not in the course notes,
whose chapter on boosting (CIS787, 004:400) ends with AdaBoost.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.record import Record
from algorithms.core.work import spend
from algorithms.ensembles.step_tree import StepFunction, grow

NOTHING = 1e-9  # of the first residuals

Event = Literal["lowest held-out error", "nothing left to learn"]


class Loss(NamedTuple):
    """A loss: the constant that fits best, minus the slope at residuals, and the error shown."""

    best: Callable[[ndarray], float]
    downhill: Callable[[ndarray], ndarray]
    error: Callable[[ndarray], float]


LOSSES = {
    "squared": Loss(lambda r: float(r.mean()), lambda r: r, lambda r: float((r * r).mean())),
    "absolute": Loss(lambda r: float(np.median(r)), np.sign, lambda r: float(np.abs(r).mean())),
}


@dataclass(frozen=True, eq=False)
class GradientBoostingStep(Record):
    """The sum after so many rounds; also a model. Step 0 is F_0 alone, with a tree of 0.

    `residuals` y - F_{t-1} of all points are what the round began with (at step 0, y - F_0), and
    `drawn` tells on which points its `tree` was grown. `total` is F_t. The errors are means over
    the points, squares or absolute values as the loss is; there is none without held-out points.

    Events: "lowest held-out error" (of all rounds; the first of equals), and at the end "nothing
    left to learn" (the residuals have vanished).
    """

    round: int
    learning_rate: float
    residuals: Float[ndarray, " n"]
    drawn: Bool[ndarray, " n"]
    tree: StepFunction
    total: StepFunction
    training_error: float
    held_out_error: float | None = None
    event: Event | None = None

    def predict(self, X: Float[ndarray, "m 1"]) -> Float[ndarray, " m"]:
        """Return F_t for every row of `X`."""
        return self.total(X[:, 0])


def gradient_boosting(
    X: Float[ndarray, "n 1"],
    y: Float[ndarray, " n"],
    *,
    rounds: int = 100,
    learning_rate: float = 0.1,
    max_depth: int = 2,
    loss: Literal["squared", "absolute"] = "squared",
    subsample: float = 1.0,
    held_out: Bool[ndarray, " n"] | None = None,
    rng: Generator,
) -> Iterator[GradientBoostingStep]:
    """Add one tree a round, for up to `rounds` rounds; the last step is the model.

    held_out : points that are not learned from, but judge every round. With them the run is made
    as a whole, as only its end tells which round was the best.

    Raises ValueError, at the call, unless X is finite with one column, y holds n finite numbers,
    rounds and max_depth >= 1, learning_rate and subsample are above 0 and at most 1, the loss is
    one of the two, and a point is left to learn from.
    """
    X = validate.points(X)
    if X.shape[1] != 1:
        raise ValueError(f"X must have one column, got {X.shape[1]}")
    y = validate.targets(y, len(X))
    rounds = validate.integer("rounds", rounds, 1)
    max_depth = validate.integer("max_depth", max_depth, 1)
    rate, share = _share("learning_rate", learning_rate), _share("subsample", subsample)
    kind = LOSSES[validate.choice("loss", loss, tuple(LOSSES))]
    learned = np.ones(len(X), bool) if held_out is None else ~np.asarray(held_out, bool)
    if learned.shape != y.shape or not learned.any():
        raise ValueError("held_out must say of every point whether it is, and leave one to learn")
    points = _Points(X[:, 0], y, learned)
    steps = _boost(points, kind, _Plan(rounds, rate, max_depth, share), rng)
    return steps if learned.all() else _best_named(steps)


class _Points(NamedTuple):
    """What is learned from, and what judges."""

    x: Float[ndarray, " n"]
    y: Float[ndarray, " n"]
    learned: Bool[ndarray, " n"]


class _Plan(NamedTuple):
    """How the rounds go."""

    rounds: int
    rate: float
    max_depth: int
    share: float


def _boost(
    points: _Points, loss: Loss, plan: _Plan, rng: Generator
) -> Iterator[GradientBoostingStep]:
    x, y, learned = points
    start = loss.best(y[learned])
    total = StepFunction(np.empty(0), np.array([start]))
    tree, drawn, residuals = StepFunction(np.empty(0), np.zeros(1)), learned, y - start
    least = NOTHING * np.abs(residuals[learned]).max()
    before = residuals
    for t in range(plan.rounds + 1):
        if t > 0:
            before, drawn = residuals, _draw(learned, plan.share, rng)
            r = before[drawn]
            cuts, leaves = grow(x[drawn], loss.downhill(r), plan.max_depth)
            tree = StepFunction(cuts, np.array([loss.best(r[members]) for members in leaves]))
            total = total.plus(tree, plan.rate)
            residuals = y - total(x)
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
            event="nothing left to learn" if done else None,
        )
        if done:
            return


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
