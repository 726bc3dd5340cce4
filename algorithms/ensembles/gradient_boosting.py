r"""Gradient boosting: a sum of small regression trees, each grown on what the sum still gets wrong.

Model, for numbers y to predict from one feature x, or from several:

    F_t(x) = F_0 + eta (h_1(x) + ... + h_t(x))

where F_0 is a constant, the mean or the median of y, h_s a regression tree at most `max_depth` cuts
deep, and 0 < eta <= 1 the learning rate, or shrinkage. Objective, with one of three losses L:

    minimise  1/n sum_i L(y_i, F(x_i))       squared   L = 1/2 (y - F)^2     F_0 = mean of y
                                             absolute  L = |y - F|           F_0 = median of y
                                             Huber     squared as far as |y - F| <= delta, beyond
                                                       it delta (|y - F| - delta/2)
                                                                             F_0 = median of y

(Mean and median are the constants with the smallest squared and absolute loss. With the Huber loss,
the median is used in place of that constant, and each leaf takes one step from its median.)

This is gradient descent whose variables are the values of F at the points: the loss falls fastest
in the direction of minus its derivatives with respect to F(x_i). Update rule of round t:

    slope:   g_i <- -dL/dF(x_i) at F_{t-1}    squared: the residual r_i = y_i - F_{t-1}(x_i)
                                              absolute: its sign
                                              Huber: r_i, clipped to +-delta
    tree:    h_t <- a tree that greedily lowers sum_i (g_i - h(x_i))^2
    leaves:  each predicts the constant that fits its residuals r_i
                                              squared: their mean; absolute: their median
                                              Huber: a step from their median m towards it,
                                              m + mean of r_i - m, clipped to +-delta
    add:     F_t <- F_{t-1} + eta h_t

With the Huber loss, delta is chosen again in every round: the smallest number that a share `within`
of the |r_i| does not exceed. The mean loss would change with delta, so the errors are mean absolute
ones instead.

With `subsample` < 1 every round grows its tree on this share of the points, drawn without
replacement (stochastic gradient boosting). A small eta needs more rounds, and usually ends with a
smaller error on new points; that error is lowest after some number of rounds, and may rise later.

The run ends early when every residual is at most 1e-9 of the largest one at the start.

Cost: O(n d max_depth) a round, and O(n d log n) to sort the points that were drawn.

scikit-learn's GradientBoostingRegressor does the same with the squared loss. For the median of an
even number of values it takes the lower one of the two in the middle, where this module takes their
mean. Apart from that it does the same with the Huber loss, until clipped residuals tie. The signs
of the absolute loss tie often. Among cuts that tie, such as two features that split a node's points
in the same way, scikit-learn takes any one; here the first feature wins, then the lower cut.

Source: Friedman 2001 (gradient boosting; the Huber loss: algorithm 4), 2002 (the subsample). It is
not in the course notes, whose chapter on boosting (CIS787, 004:400) ends with AdaBoost.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, Generic, Literal, NamedTuple, TypeVar

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record
from algorithms.ensembles import tree_on_many_features, tree_on_one_feature
from algorithms.ensembles.tree_on_many_features import TreeSum
from algorithms.ensembles.tree_on_one_feature import StepFunction

NOTHING = 1e-9  # of the first residuals

Event = Literal["lowest held-out error", "nothing left to learn"]
Function = TypeVar("Function", StepFunction, TreeSum)  # of one feature, or of several


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
) -> Iterator["GradientBoostingStep[Any]"]:
    """Add one tree in each of up to `rounds` rounds; the last step is the model.

    within : the share of the residuals that the Huber loss squares. held_out : which points are not
    learned from, but judge every round. The functions of the steps are StepFunctions if X has one
    column, and TreeSums if it has several.

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
        raise ValueError(
            "held_out must have an entry per point and leave a point to learn from, got shape "
            f"{learned.shape} with {int(learned.sum())} left"
        )
    points = _Points(_argument(X), y, learned)
    drawn = tuple(_draw(learned, share, rng) for _ in range(rounds))
    plan = _Plan(rate, max_depth, kind, _share("within", within), drawn)
    return iterate(_start(points, plan), partial(advance, points, plan), most=rounds, stopped=None)


def advance(
    points: "_Points", plan: "_Plan", step: "GradientBoostingStep[Any]"
) -> "GradientBoostingStep[Any]":
    """Return the round that follows: a tree on the slopes, and a share of it added to the sum."""
    (x, y, learned), loss, eta = points, plan.loss, plan.rate
    residuals, drawn = y - step.fitted, plan.drawn[step.round]
    r, delta = residuals[drawn], _delta(residuals[learned], plan.within)
    g = loss.downhill(r, delta)
    leaves = _grow(x[drawn], g, plan.max_depth)
    h = leaves.saying(np.array([loss.best(r[members], delta) for members in leaves.members]))
    after = replace(
        step,
        round=step.round + 1,
        residuals=residuals,
        drawn=drawn,
        tree=h,
        total=step.total.plus(h, eta),
        fitted=step.fitted + eta * h(x),
        delta=delta if loss is LOSSES["Huber"] else None,
    )
    return _judged(points, plan, after)


def best_round(steps: Sequence["GradientBoostingStep[Any]"]) -> list["GradientBoostingStep[Any]"]:
    """Return the steps of a run, with an event at the one with the lowest held-out error.

    Only the end of a run shows which round was the best. Without held-out points no step gets it.
    """
    if steps[0].held_out_error is None:
        return list(steps)
    best = min(steps, key=lambda step: step.held_out_error or 0.0)
    return [
        replace(step, event="lowest held-out error") if step is best and not step.event else step
        for step in steps
    ]


class Loss(NamedTuple):
    """A loss, as functions of residuals and delta.

    start : the constant F_0 for these targets. best : the constant that a leaf predicts.
    downhill : minus the slope at each residual. error : the error that is shown.
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
    """The sum after `round` rounds; also a model. Step 0 is F_0 alone, with a tree of 0.

    `residuals` are y - F_{t-1} of all points (at step 0, y - F_0), and `drawn` shows on which
    points the round's `tree` was grown. `total` is F_t. The errors are means over the points, of
    squares with the squared loss, otherwise of absolute values. `held_out_error` is None without
    held-out points, `delta` without the Huber loss. `fitted` is F_t at the points; the run ends
    when no residual is larger than `least`.

    Events: "nothing left to learn" (the residuals have vanished; the end), and after `best_round`
    "lowest held-out error" (of all rounds; the first of equals).
    """

    final_events: ClassVar = (*Record.final_events, "nothing left to learn")

    round: int
    learning_rate: float
    residuals: Float[ndarray, " n"]
    drawn: Bool[ndarray, " n"]
    tree: Function
    total: Function
    training_error: float
    held_out_error: float | None = None
    delta: float | None = None
    fitted: Float[ndarray, " n"] = field(compare=False, kw_only=True)
    least: float = field(compare=False, kw_only=True)
    event: Event | None = None

    def predict(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return F_t for every row of `X`."""
        return self.total(_argument(X))


def _argument(X: Float[ndarray, "n d"]) -> ndarray:
    """Return the argument of F: (n,) numbers if there is one feature, all columns otherwise."""
    return X[:, 0] if X.shape[1] == 1 else X


class _Points(NamedTuple):
    """The points, and which of them are learned from."""

    x: ndarray  # (n,) or (n, d)
    y: Float[ndarray, " n"]
    learned: Bool[ndarray, " n"]


class _Plan(NamedTuple):
    """How the rounds go. drawn : the points that the tree of each round is grown on."""

    rate: float
    max_depth: int
    loss: Loss
    within: float
    drawn: tuple[Bool[ndarray, " n"], ...]


def _grow(x: ndarray, g: Float[ndarray, " m"], max_depth: int) -> Any:
    """Return the leaves of a tree that greedily lowers the sum of squares."""
    return (tree_on_one_feature if x.ndim == 1 else tree_on_many_features).grow(x, g, max_depth)


def _start(points: _Points, plan: _Plan) -> GradientBoostingStep[Any]:
    """Return F_0 alone, with a tree of 0."""
    (x, y, learned), loss = points, plan.loss
    start = loss.start(y[learned])
    total, nothing = (_grow(x, y, 0).saying(np.array([value])) for value in (start, 0.0))
    residuals = y - start
    step = GradientBoostingStep(
        round=0,
        learning_rate=plan.rate,
        residuals=residuals,
        drawn=learned,
        tree=nothing,
        total=total,
        training_error=0.0,
        delta=_delta(residuals[learned], plan.within) if loss is LOSSES["Huber"] else None,
        fitted=np.full(len(y), start),
        least=float(NOTHING * np.abs(residuals[learned]).max()),
    )
    return _judged(points, plan, step)


def _judged(
    points: _Points, plan: _Plan, step: GradientBoostingStep[Any]
) -> GradientBoostingStep[Any]:
    """Return the step with its errors, and its event if no residual is left."""
    residuals, learned = points.y - step.fitted, points.learned
    held_out = None if learned.all() else plan.loss.error(residuals[~learned])
    done = np.abs(residuals[learned]).max() <= step.least
    return replace(
        step,
        training_error=plan.loss.error(residuals[learned]),
        held_out_error=held_out,
        event="nothing left to learn" if done else None,
    )


def _delta(r: Float[ndarray, " m"], within: float) -> float:
    """Return the smallest number that a share `within` of the |r| does not exceed."""
    return float(np.quantile(np.abs(r), within, method="inverted_cdf"))


def _draw(learned: Bool[ndarray, " n"], share: float, rng: Generator) -> Bool[ndarray, " n"]:
    """Draw a share of the points to learn from, at least one."""
    if share == 1:
        return learned
    found = np.flatnonzero(learned)
    drawn = np.zeros(len(learned), bool)
    drawn[rng.choice(found, max(1, int(share * len(found))), replace=False)] = True
    return drawn


def _share(name: str, value: float) -> float:
    """Return a number above 0 and at most 1; raise ValueError for any other."""
    if (value := validate.number(name, value, positive=True)) > 1:
        raise ValueError(f"{name} must be at most 1, got {name}={value:g}")
    return value
