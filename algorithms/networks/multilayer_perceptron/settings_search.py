r"""Search over two settings of a network: many are trained, and held-out points choose one of them.

The n points are in two parts: T, from which every network learns, and V, the validation points,
which judge it. Trial m has a learning rate eta_m and h_m units in one hidden layer. With k trials
along each axis, and M = k^2 in all, they are those of a grid, row by row, or drawn at random:

    grid      eta_m = 0.01 * 1000^(i / (k-1)),   h_m = round(16^(j / (k-1)))       i, j = 0..k-1
    random    eta_m = 0.01 * 1000^u,             h_m = round(16^v)                 0 <= u, v < 1

So both are even on a logarithmic axis. The grid tries k learning rates, the random search M.

    train     f_m = a network with h_m units, trained on T with the rate eta_m from its own start
    judge     E_m = 1/|V| * (number of i in V with f_m(x_i) != y_i)
    choose    m* = argmin_m E_m                                         the first of the lowest

E_m is a fair estimate of the error of f_m on new data: V had no part in the training. E_m* is not,
since V chose m*. The lowest of several numbers that are too high or too low by chance is probably
one that is too low:

    mean of min_m E_m  <=  min_m (mean of E_m)

What the choice costs is shown by a third part, which neither trains nor chooses: best_of_trials.py.

Cost per trial: that of the training, `epochs` passes over T.

Source: CS337 (003:259, training, dev and test set; grid and random search), 20APC3316 (002:2531,
the network that is best on the validation set); Bergstra and Bengio 2012 for random search.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, get_args

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.features import PolynomialFeatures, polynomial_features
from algorithms.core.iterate import iterate
from algorithms.core.record import Record, last
from algorithms.core.work import spend
from algorithms.networks.multilayer_perceptron.multilayer_perceptron import (
    MultilayerPerceptronStep,
    multilayer_perceptron,
)
from algorithms.networks.multilayer_perceptron.start import Start, drawn_start

Plan = Literal["grid", "random"]
Event = Literal["best so far"]

LOWEST, RATIO = 0.01, 1000.0  # learning rates from 0.01 to 10
MOST_UNITS = 16
MOST_PER_AXIS = 10


def settings_search(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    held_out: Bool[ndarray, " n"],
    plan: Plan = "grid",
    per_axis: int = 6,
    epochs: int = 30,
    rng: Generator,
) -> Iterator["SearchStep"]:
    """Train and judge a network in each step. held_out : the validation points.

    The networks see the columns of `X`, standardised by the points that are not held out.

    Raises ValueError, at the call, unless X is finite, y holds n integers of two classes or more
    among the points to learn from, both parts have a point, and the numbers are in their ranges.
    """
    X = validate.points(X)
    _, codes = validate.labels(y, len(X))
    out = np.asarray(held_out)
    if out.shape != codes.shape or out.dtype != bool:
        raise ValueError(f"held_out must be n={len(X)} booleans, got {held_out!r}")
    if out.all() or not out.any():
        raise ValueError(
            f"{np.count_nonzero(out)} of {len(X)} points are held out: both parts need one"
        )
    classes = np.unique(np.asarray(y)[~out])
    if len(classes) == 1:
        raise validate.OneClass("y must name at least two classes among the points to learn from")
    validate.choice("plan", plan, get_args(Plan))
    per_axis = validate.integer("per_axis", per_axis, 2, MOST_PER_AXIS)
    epochs = validate.integer("epochs", epochs, 1)
    rates, units = settings(plan, per_axis, rng)
    starts = [drawn_start(X.shape[1], (h,), len(classes), rng=rng) for h in units.tolist()]
    task = Task(X, np.asarray(y), out, rates, units, starts, epochs)
    none = np.zeros(0, int)
    features = polynomial_features(X[~out], 1)
    before = SearchStep(features, rates[:0], none, none, int(out.sum()), ())
    return iterate(advance(task, before), partial(advance, task), most=len(rates) - 1, stopped=None)


def settings(
    plan: Plan, per_axis: int, rng: Generator
) -> tuple[Float[ndarray, " m"], Int[ndarray, " m"]]:
    """eta = 0.01 * 1000^u and h = round(16^v), on a grid or at random."""
    even = np.arange(per_axis) / (per_axis - 1)
    u, v = np.tile(even, per_axis), np.repeat(even, per_axis)
    if plan == "random":
        u, v = rng.random((2, per_axis**2))
    return LOWEST * RATIO**u, np.rint(MOST_UNITS**v).astype(int)


def advance(task: "Task", step: "SearchStep") -> "SearchStep":
    """Train the next network, judge it, and compare it with the best so far."""
    m, learned = len(step.wrong), ~task.held_out
    spend(20.0 * np.count_nonzero(learned) * task.units[m] * task.epochs)
    F = step.features(task.X)
    how: dict[str, Any] = {"hidden": (int(task.units[m]),), "epochs": task.epochs}
    how |= {"learning_rate": float(task.rates[m]), "start": task.starts[m], "rng": task.unused}
    network = last(multilayer_perceptron(F[learned], task.y[learned], **how))
    wrong = np.count_nonzero(network.predict(F[~learned]) != task.y[~learned])
    best = m == 0 or wrong < step.wrong.min()
    return replace(
        step,
        rates=task.rates[: m + 1],
        units=task.units[: m + 1],
        wrong=np.append(step.wrong, wrong),
        networks=(*step.networks, network),
        event="best so far" if best else None,
    )


@dataclass(frozen=True, eq=False)
class Task(Record):
    """What no trial changes: the points, and the settings and starts of all trials, drawn ahead."""

    X: Float[ndarray, "n d"]
    y: Int[ndarray, " n"]
    held_out: Bool[ndarray, " n"]
    rates: Float[ndarray, " m"]
    units: Int[ndarray, " m"]
    starts: list[Start]
    epochs: int

    @property
    def unused(self) -> Generator:
        """Return a generator: with a start, and all points in every update, nothing is drawn."""
        return np.random.default_rng(0)


@dataclass(frozen=True, eq=False)
class SearchStep(Record):
    """The trials so far; as a model, the best of them.

    features : map the points to what the networks see. rates, units : the settings of every trial.
    wrong : how many of the `judges` validation points its network gets wrong. networks : as they
    were trained.

    Event: "best so far" (the newest trial has fewer wrong than each one before; the first, too).
    """

    features: PolynomialFeatures
    rates: Float[ndarray, " m"]
    units: Int[ndarray, " m"]
    wrong: Int[ndarray, " m"]
    judges: int
    networks: tuple[MultilayerPerceptronStep, ...]
    event: Event | None = None

    def certain(self) -> dict[str, Any]:
        """Return the settings: after many epochs at a large rate, networks differ by rounding."""
        return {"rates": self.rates, "units": self.units, "judges": self.judges}

    @property
    def best(self) -> int:
        """Return m*, the first trial with the lowest validation error, counted from 0."""
        return int(self.wrong.argmin())

    @property
    def error(self) -> float:
        """Return E_m*."""
        return float(self.wrong.min() / self.judges)

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class of every row of `X` by the best network."""
        return self.networks[self.best].predict(self.features(X))
