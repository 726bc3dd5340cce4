r"""Multi-layer perceptron: layers of units that learn by gradient descent on mini-batches.

Forward, from the input a_0 = x through the hidden layers to the scores z_m of the last layer:

    z_l = a_{l-1} W_l + b_l,    a_l = g(z_l)                          l = 1..m

Objective, over the n training points, with w every weight of every layer (biases go free):

    L = 1/n sum_i E_i  +  penalty/2 sum w^2  +  l1_penalty sum |w|

    E_i = -ln P(y_i | x_i),  P = softmax(z_m)        for classes     (multilayer_perceptron)
    E_i = (y_i - z_m)^2 / 2                          for numbers     (multilayer_regression)

Backward, the delta rule: the derivatives of E by the z of every layer, unit by unit,

    delta_m = P - [y = k]   or   z_m - y,        delta_l = f'(z_l) * (delta_{l+1} @ W_{l+1}^T)

where f' = g', the slope of the units. From them, with the mean over the b points of a batch,

    dL/dW_l = 1/b a_{l-1}^T delta_l + penalty W_l + l1_penalty sign(W_l)
    dL/db_l = 1/b sum delta_l

Update rule, for one batch of points after another, which are shuffled in every epoch:

    W_l <- W_l - learning_rate dL/dW_l,          b_l <- b_l - learning_rate dL/db_l

Momentum, AdaGrad, RMSProp and Adam turn the gradient into another step: core/optimizers.py, for
which all weights and biases stand in one vector, theta.

|w| has no slope at 0: any number from -1 to 1 is a subgradient there, and sign(0) = 0 is taken. A
step against it has the length learning_rate l1_penalty, however small the weight is. So a weight
that the points do not need comes near 0, hops across it, and is hardly ever exactly 0.

With dropout, every update leaves each hidden unit out with that probability, and multiplies the
activations of the others by 1 / (1 - dropout), so that the next layer gets the same on average:

    a_l <- a_l k_l,    k_l = 0 or 1 / (1 - dropout), drawn for every unit of the layer

All points of a batch share these factors: the update is that of a thinned network. L, its gradient
and all predictions of a step are those of the whole network.

Cost per epoch: O(n) times the number of weights; the backward pass costs about two forward passes.

Start: weights drawn evenly from -r to r, r = spread sqrt(6 / (in + out)) (Glorot), biases 0. With
spread 0 all units of a layer are the same, and so are their gradients: they stay the same as long
as none of them is left out.

scikit-learn's `alpha` is the penalty times the size of the batch. For two classes its networks,
too, have a single output unit, and for numbers half the squared error.

Source: CS337 (003:1213, 003:1383), 20APC3316 (002:590, 002:2342); Glorot and Bengio 2010 for the
start. Dropout: CS337 (003:1350), Srivastava et al. 2014, who leave out other units for every point.
Slips not copied: CS337 multiplies by the probability that a unit was dropped, not kept (here that
is done in the training, by its inverse); 20APC3316's AND unit, w_0 = -3 with w_1 = w_2 = .5, never
fires (-.8 does); CS337's backward pass carries gradients up from the leaves, each as long as all
weights together, where backpropagation carries one number per unit down from the loss; it takes
lambda ||w||^2.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core.iterate import iterate
from algorithms.core.optimizers import Memory
from algorithms.core.record import frozen
from algorithms.networks.multilayer_perceptron.network import (
    Activation,
    Layered,
    Layers,
    Network,
    NumberNetwork,
    codes_of,
    forward,
    slope,
    stuck,
)
from algorithms.networks.multilayer_perceptron.regularization import penalised, thinned
from algorithms.networks.multilayer_perceptron.start import LARGEST, Start, flat, units_alike
from algorithms.networks.multilayer_perceptron.training import (
    Kept,
    Task,
    class_task,
    number_task,
)

Event = Literal["training error 0", "dead unit", "saturated unit", "units alike", "diverged"]


def multilayer_perceptron(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    hidden: Sequence[int],
    activation: Activation = "tanh",
    epochs: int = 200,
    rng: Generator,
    start: Start | None = None,
    spread: float = 1.0,
    **training: Any,
) -> Iterator["MultilayerPerceptronStep"]:
    """Train a network for classes, with these numbers of units in its hidden layers, if any.

    `start` gives the first weights (in, out) and biases (out,) of every layer; without it they are
    drawn, with `spread` times the usual width. The last layer has a unit per class, or only one for
    the second of two. `training` : the fields of `Training`, such as learning_rate.

    Raises ValueError, at the call, unless X is finite, y holds n integers of two classes or more,
    hidden holds at most 5 numbers of 1 or more, the numbers are in their ranges and the start fits.
    """
    task = class_task(
        X, y, hidden=hidden, activation=activation, epochs=epochs, rng=rng, start=start,
        spread=spread, **training,
    )  # fmt: skip
    return iterate(first(task), partial(advance, task), most=task.epochs, stopped=None)


def multilayer_regression(
    X: Float[ndarray, "n d"],
    y: Float[ndarray, " n"],
    *,
    hidden: Sequence[int],
    rng: Generator,
    **how: Any,
) -> Iterator["MultilayerRegressionStep"]:
    """Train a network for numbers: its last layer is one unit without g.

    `how` : the other parameters of `multilayer_perceptron`.

    Raises ValueError, at the call, unless y holds n finite numbers, and for whatever
    `multilayer_perceptron` refuses.
    """
    task = number_task(X, y, hidden=hidden, rng=rng, **how)
    return iterate(first(task), partial(advance, task), most=task.epochs, stopped=None)


def advance(task: Task, step: "S") -> "S":
    """Return the network after one more epoch: an update for every batch of points."""
    epoch, rule, kept = step.epoch + 1, task.training.rule, None
    theta = flat([*step.weights, *step.biases])
    memory = Memory(step.epoch * task.draws.updates, step.velocity, step.squares)
    for rows, kept in task.draws.batches(epoch):
        if rows is None and kept is None:
            g = flat([*step.gradients, *step.bias_gradients])  # known, of all points
        elif rows is None:
            g = gradient(task, theta, task.X, task.Y, kept).by_theta
        else:
            g = gradient(task, theta, task.X[rows], task.Y[rows], kept).by_theta
        with np.errstate(over="ignore", invalid="ignore"):
            change, memory = rule.update(g, memory)  # the plain rule: -learning_rate g
            theta = theta + change
        if not (np.isfinite(memory.squares.max()) and np.abs(theta).max() <= LARGEST):
            return replace(step, epoch=epoch, learning_rate=rule.learning_rate, event="diverged")
    return recorded(task, epoch, theta, memory, kept, step)


def gradient(
    task: Task,
    theta: Float[ndarray, " p"],
    X: Float[ndarray, "b d"],
    Y: Float[ndarray, "b k"],
    kept: Kept | None = None,
) -> "Gradient":
    """Return L over some points and its derivatives: forward, then backward.

    kept : the factors k_l of dropout. Multiplying a unit's activation has the same effect as
    multiplying the weights that start at it.
    """
    W, b = task.shapes.parts(theta)
    W = W if kept is None else thinned(W, kept)
    a = forward(X, W, b, task.activation)
    E, delta = task.loss(a[-1], Y)
    slopes = [slope(task.activation, A) for A in a[1:-1]]
    deltas = backward(W, slopes, delta / len(X))
    dW = [A.T @ delta for A, delta in zip(a[:-1], deltas, strict=True)]  # a_{l-1}^T delta_l
    dW = dW if kept is None else thinned(dW, kept)
    by_theta = flat([*dW, *(delta.sum(axis=0) for delta in deltas)])
    loss = float(E.mean()) + penalised(task, theta, by_theta)
    return Gradient(loss, by_theta, a[-1], slopes)


def backward(
    W: Layers, slopes: Layers, delta: Float[ndarray, "b _"]
) -> list[Float[ndarray, "b _"]]:
    """delta_l = f'(z_l) * (delta_{l+1} @ W_{l+1}^T), from the last layer to the first.

    Return the deltas of all layers. slopes : f'(z_l) of the hidden layers. delta : delta_m.
    """
    deltas = [delta]
    for W_next, f_prime in zip(W[:0:-1], slopes[::-1], strict=True):
        delta = f_prime * (delta @ W_next.T)
        deltas.append(delta)
    return deltas[::-1]


class Gradient(NamedTuple):
    """L over some points, its derivatives by theta, and the scores and slopes of the points."""

    loss: float
    by_theta: Float[ndarray, " p"]
    scores: Float[ndarray, "b _"]
    slopes: list[Float[ndarray, "b _"]]


@dataclass(frozen=True, eq=False, kw_only=True)
class EpochStep(Layered):
    """The network after `epoch` epochs.

    `loss`, `gradients` (by the weights) and `bias_gradients` are of the objective over all training
    points, at the weights of this step. For every hidden layer, `stuck` marks the units with almost
    no slope at any training point, `ever_stuck` the units that were stuck at some step, and
    `dropped` the units that the last update left out. `learning_rate` is that of the epoch;
    `velocity` and `squares` are what the optimiser keeps for all weights, then for the biases.

    Events: "units alike" (at the start all units of a hidden layer are the same), "dead unit" (a
    ReLU is 0 at all training points) or "saturated unit" (a tanh or sigmoid is nearly flat at all
    of them), each unit once; "diverged" (a weight would have gone beyond 1e15: the weights stay as
    they were), which ends the run.
    """

    epoch: int
    gradients: tuple[Float[ndarray, "_ _"], ...]
    bias_gradients: tuple[Float[ndarray, " _"], ...]
    loss: float
    stuck: tuple[Bool[ndarray, " _"], ...]
    ever_stuck: tuple[Bool[ndarray, " _"], ...]
    dropped: tuple[Bool[ndarray, " _"], ...]
    learning_rate: float
    velocity: Float[ndarray, " p"]
    squares: Float[ndarray, " p"]
    event: Event | None = None

    def certain(self) -> dict[str, Any]:
        """Return everything, or the settings if the rule divides by past gradients.

        Where these are small, such a rule magnifies rounding errors in every update.
        """
        if not self.squares.any():
            return super().certain()
        names = ("activation", "epoch", "learning_rate")
        return {name: getattr(self, name) for name in names}


S = TypeVar("S", bound=EpochStep)


@dataclass(frozen=True, eq=False, kw_only=True)
class MultilayerPerceptronStep(EpochStep, Network):
    """A network for classes; also a model, since `predict` works at every step.

    `training_error` is the share of the training points that is wrong, `least_error` the smallest
    so far. A further event: "training error 0" (for the first time).
    """

    training_error: float
    least_error: float


@dataclass(frozen=True, eq=False, kw_only=True)
class MultilayerRegressionStep(EpochStep, NumberNetwork):
    """A network for numbers; also a model, since `predict` works at every step."""


def first(task: Task) -> Any:
    """Return the network before any update."""
    theta = flat([*(W for W, _ in task.start), *(b for _, b in task.start)])
    still = frozen(np.zeros(len(theta)))
    return recorded(task, 0, theta, Memory(0, still, still), None, None)


def recorded(
    task: Task,
    epoch: int,
    theta: Float[ndarray, " p"],
    memory: Memory,
    kept: Kept | None,
    before: Any,
) -> Any:
    """Return the step with these weights. kept : of the last update. before : the step before."""
    found = gradient(task, theta, task.X, task.Y)
    weights, biases = task.shapes.parts(theta)
    gradients, bias_gradients = task.shapes.parts(found.by_theta)
    idle = tuple(map(frozen, stuck(found.slopes, task.activation)))
    none = tuple(frozen(np.zeros_like(units)) for units in idle)
    known = before.ever_stuck if before else none
    new = any((now & ~old).any() for now, old in zip(idle, known, strict=True))
    if new:
        known = tuple(frozen(now | old) for now, old in zip(idle, known, strict=True))
    given: dict[str, Any] = {
        "activation": task.activation, "weights": weights, "biases": biases, "epoch": epoch,
        "gradients": gradients, "bias_gradients": bias_gradients, "loss": found.loss,
        "stuck": idle, "ever_stuck": known,
        "dropped": none if kept is None else tuple(frozen(k == 0) for k in kept),
        "learning_rate": task.training.learning_rate,
        "velocity": memory.velocity, "squares": memory.squares,
    }  # fmt: skip
    event = first_event(task, epoch, new)
    if task.classes is None:
        return MultilayerRegressionStep(**given, event=event)
    error = np.count_nonzero(codes_of(found.scores) != task.codes) / len(task.codes)
    least = min(error, before.least_error) if before else error
    if error == 0 and (before is None or before.least_error > 0) and event != "units alike":
        event = "training error 0"
    return MultilayerPerceptronStep(
        **given, classes=task.classes, training_error=error, least_error=least, event=event
    )


def first_event(task: Task, epoch: int, new: bool) -> Event | None:
    """Return the event of a step; new : some unit is stuck for the first time."""
    if epoch == 0 and units_alike(task.start):
        return "units alike"
    if not new:
        return None
    return "dead unit" if task.activation == "relu" else "saturated unit"
