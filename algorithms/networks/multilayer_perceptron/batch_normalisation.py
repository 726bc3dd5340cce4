r"""Batch normalisation: the sums of every hidden unit, made alike over each mini-batch.

The network is that of multilayer_perceptron.py, for classes, trained by one update after another,
each on a mini-batch of b points. Between the sums z of a hidden layer and its g, unit by unit, with
mean and variance over the points of the batch:

    z      = a_{l-1} W_l + b_l
    mean   = 1/b sum z,     var = 1/b sum (z - mean)^2
    z_hat  = (z - mean) / sqrt(var + epsilon)                          epsilon = 1e-5
    a_l    = g(gamma z_hat + beta)

gamma and beta are learned, a pair for each unit, from 1 and 0. With gamma = sqrt(var + epsilon) and
beta = mean they undo the normalisation: then it is the network without it. The last layer is not
normalised.

Backward: mean and var depend on every point of the batch, so a point's z changes the z_hat of the
others. With L the mean loss of the batch, d = b dL/d(gamma z_hat + beta) and means over the batch,

    d          = g'(gamma z_hat + beta) * (delta_{l+1} @ W_{l+1}^T)
    dL/dgamma  = mean(d z_hat),      dL/dbeta = mean(d)
    delta_l    = gamma / sqrt(var + epsilon) * (d - mean(d) - z_hat mean(d z_hat))
    dL/dW_l    = 1/b a_{l-1}^T delta_l,      dL/db_l = mean(delta_l) = 0

mean(d) is what comes back through the mean, z_hat mean(d z_hat) what comes back through the
variance. The deltas of a unit add up to 0, so its bias b_l is not learned. It has no effect either:
the mean takes it away again. beta does its work.

Update, for every W, b, gamma and beta, and for the running mean m and variance v of every unit,
which start at 0 and 1:

    w <- w - learning_rate dL/dw
    m <- memory m + (1 - memory) mean,      v <- memory v + (1 - memory) var b / (b - 1)

b / (b - 1) makes up for the spread that a small batch lacks; with b = 1 it is left out.

Predict: with m and v in place of mean and var, so that an answer does not depend on the points that
come with it. With s = sqrt(v + epsilon), normalising is then a part of the weights:

    W' = W gamma / s,       b' = (b - m) gamma / s + beta

Cost per update: O(b) times the number of weights, and O(b) for every hidden unit; a step after an
update also predicts all n training points.

Source: CS337 (003:1533), Ioffe and Szegedy 2015. Santurkar et al. 2018 on why it helps: the loss is
smoother, whatever happens to the distribution of z.
Slips not copied: CS337 adds epsilon to the standard deviation, not to the variance below the root;
it normalises "the activations" and says later that it comes before g, as here; it calls the step
linear, and it is not: mean and var depend on the points.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core.iterate import iterate
from algorithms.core.record import Record, frozen
from algorithms.core.scores import Scores
from algorithms.networks.multilayer_perceptron.batch_training import BatchTask, batch_task
from algorithms.networks.multilayer_perceptron.network import (
    Activation,
    Layers,
    Network,
    activate,
    codes_of,
    losses,
    slope,
)
from algorithms.networks.multilayer_perceptron.start import LARGEST

EPSILON = 1e-5

Kept = tuple[Float[ndarray, "..."], ...]  # an array of every layer, or of every hidden layer


def batch_normalisation(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    hidden: Sequence[int],
    activation: Activation = "tanh",
    rng: Generator,
    **training: Any,
) -> Iterator["BatchStep"]:
    """Train a network for classes, with these numbers of units in its hidden layers.

    An update takes three steps: forward, backward, update. `training` : the fields of
    `BatchTraining`, such as learning_rate, batch_size and updates. With normalise=False and a
    generator in the same state, the network without normalisation starts from the same weights and
    has the same mini-batches.

    Raises ValueError, at the call, unless X is finite, y holds n integers of two classes or more,
    hidden holds at most 5 numbers of 1 or more, and the settings are in their ranges.
    """
    task = batch_task(X, y, hidden=hidden, activation=activation, rng=rng, **training)
    most = 3 * task.training.updates
    return iterate(first(task), partial(advance, task), most=most, stopped=None)


def advance(task: BatchTask, step: "BatchStep") -> "BatchStep":
    """Return what follows: a mini-batch forward, its errors back, or the update."""
    if step.phase == "forward":
        return backward(task, step)
    return update(task, step) if step.phase == "backward" else forward(task, step)


def forward(task: BatchTask, step: "BatchStep") -> "BatchStep":
    """z = a W + b,  z_hat = (z - mean) / sqrt(var + epsilon),  a = g(gamma z_hat + beta)."""
    rows = task.batches[step.update]
    through = passed(step, task.X[rows])
    E, _ = losses(through.scores, task.Y[rows])
    return replace(
        step, phase="forward", update=step.update + 1, rows=frozen(rows), through=through,
        back=None, batch_loss=float(E.mean()), event=None,
    )  # fmt: skip


def passed(step: "BatchStep", X: Float[ndarray, "b d"]) -> "Forward":
    """Return what the layers make of the rows of `X`, which are one mini-batch."""
    a, found = X, []
    for layer, (W, b) in enumerate(zip(step.weights[:-1], step.biases[:-1], strict=True)):
        z = a @ W + b
        mean = z.mean(axis=0)
        offset = z - mean
        variance = (offset * offset).mean(axis=0)
        z_hat = y = z
        if step.gammas:
            z_hat = offset / np.sqrt(variance + EPSILON)
            y = step.gammas[layer] * z_hat + step.betas[layer]
        a = activate(step.activation, y)
        found.append(tuple(map(frozen, (z, mean, variance, z_hat, y, a))))
    names = ("z", "mean", "variance", "z_hat", "y", "a")
    parts = {name: tuple(layer[i] for layer in found) for i, name in enumerate(names)}
    return Forward(**parts, scores=frozen(a @ step.weights[-1] + step.biases[-1]))


def backward(task: BatchTask, step: "BatchStep") -> "BatchStep":
    """d = g' * (delta @ W^T),  delta = gamma / s * (d - mean(d) - z_hat mean(d z_hat))."""
    through, W = step.through, step.weights
    assert through is not None
    delta = losses(through.scores, task.Y[step.rows])[1]
    arrived, deltas = [], [delta]
    for layer in reversed(range(len(W) - 1)):
        d = slope(step.activation, through.a[layer]) * (delta @ W[layer + 1].T)
        delta = d
        if step.gammas:
            size = step.gammas[layer] / np.sqrt(through.variance[layer] + EPSILON)
            delta = normalised_back(d, through.z_hat[layer], size)
        arrived.append(d)
        deltas.append(delta)
    arrived, deltas = arrived[::-1], deltas[::-1]
    inputs, b = [task.X[step.rows], *through.a], len(step.rows)
    normalised = zip(arrived, through.z_hat, strict=True) if step.gammas else ()
    return replace(step, phase="backward", back=Backward(
        d=tuple(map(frozen, arrived)),
        delta=tuple(map(frozen, deltas)),
        weights=tuple(frozen(A.T @ delta / b) for A, delta in zip(inputs, deltas, strict=True)),
        biases=tuple(frozen(delta.mean(axis=0)) for delta in deltas),
        gammas=tuple(frozen((d * z_hat).mean(axis=0)) for d, z_hat in normalised),
        betas=tuple(frozen(d.mean(axis=0)) for d in arrived) if step.gammas else (),
    ))  # fmt: skip


def normalised_back(
    d: Float[ndarray, "b u"], z_hat: Float[ndarray, "b u"], size: Float[ndarray, " u"]
) -> Float[ndarray, "b u"]:
    """delta = size * (d - mean(d) - z_hat mean(d z_hat)),  size = gamma / sqrt(var + epsilon)."""
    return size * (d - d.mean(axis=0) - z_hat * (d * z_hat).mean(axis=0))


def update(task: BatchTask, step: "BatchStep") -> "BatchStep":
    """w <- w - learning_rate dL/dw,  m <- memory m + (1 - memory) mean,  v likewise."""
    training, through, back = task.training, step.through, step.back
    assert through is not None and back is not None
    moved = {
        name: descended(getattr(step, name), getattr(back, name), training.learning_rate)
        for name in ("weights", "biases", "gammas", "betas")
    }
    if not max(np.abs(part).max() for parts in moved.values() for part in parts) <= LARGEST:
        return replace(step, phase="update", event="diverged")
    if step.gammas:
        b = len(step.rows)
        spread = [variance * b / max(b - 1, 1) for variance in through.variance]
        moved["means"] = averaged(step.means, through.mean, training.memory)
        moved["variances"] = averaged(step.variances, spread, training.memory)
    return judged(task, replace(step, phase="update", **moved))


def descended(parts: Kept, slopes: Kept, learning_rate: float) -> Kept:
    """w <- w - learning_rate dL/dw."""
    with np.errstate(over="ignore", invalid="ignore"):
        pairs = zip(parts, slopes, strict=True)
        return tuple(frozen(w - learning_rate * slope) for w, slope in pairs)


def averaged(running: Kept, new: Layers, memory: float) -> Kept:
    """m <- memory m + (1 - memory) mean, and so for the variance."""
    pairs = zip(running, new, strict=True)
    return tuple(frozen(memory * m + (1 - memory) * mean) for m, mean in pairs)


def judged(task: BatchTask, step: "BatchStep") -> "BatchStep":
    """Return the step with its loss and error on all training points, as it predicts them."""
    scores = step.network.activations(task.X)[-1]
    E, _ = losses(scores, task.Y)
    error = float(np.mean(codes_of(scores) != task.Y.argmax(axis=1)))
    first = error == 0 < step.least_error
    return replace(
        step, loss=float(E.mean()), training_error=error,
        least_error=min(error, step.least_error), event="training error 0" if first else None,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Forward(Record):
    """What a mini-batch is on its way through the hidden layers, an array for each.

    z, z_hat, y = gamma z_hat + beta and a = g(y) : (b, units). mean, variance : (units,), of z.
    Without normalisation, z_hat and y are z. scores : of the last layer.
    """

    z: Kept
    mean: Kept
    variance: Kept
    z_hat: Kept
    y: Kept
    a: Kept
    scores: Float[ndarray, "b _"]


@dataclass(frozen=True, eq=False)
class Backward(Record):
    """The derivatives that go back through the layers of a mini-batch.

    d : of E by y, of every hidden layer, and delta : of E by z, of every layer, both (b, units).
    weights, biases, gammas, betas : of the mean loss of the mini-batch, by what has that name.
    """

    d: Kept
    delta: Kept
    weights: Kept
    biases: Kept
    gammas: Kept
    betas: Kept


@dataclass(frozen=True, eq=False)
class BatchStep(Record):
    """A network within an update; also a model, since `predict` works at every step.

    `weights`, `biases`, `gammas`, `betas` and the running `means` and `variances` are those of this
    moment; without normalisation the last four are empty. `update` counts the mini-batches so far,
    `rows` are the points of the last one, `through` and `back` what it was forward and back,
    `batch_loss` its mean loss before the update. `loss` and `training_error` (a share) are of all
    training points, predicted after the last update; `least_error` is the smallest so far.

    Events: "training error 0" (for the first time), "diverged" (a weight would have gone beyond
    1e15: the weights stay as they were), which ends the run.
    """

    phase: Literal["start", "forward", "backward", "update"]
    update: int
    activation: Activation
    classes: Int[ndarray, " k"]
    weights: Kept
    biases: Kept
    gammas: Kept
    betas: Kept
    means: Kept
    variances: Kept
    rows: Int[ndarray, " b"]
    through: Forward | None = None
    back: Backward | None = None
    batch_loss: float | None = None
    loss: float = 0.0
    training_error: float = 1.0
    least_error: float = 1.0
    event: str | None = None

    def certain(self) -> dict[str, Any]:
        """Return the mini-batch of a normalised network, and everything of one without.

        Normalisation divides by s, and so magnifies rounding errors where z varies little.
        """
        if not self.gammas:
            return super().certain()
        return {"phase": self.phase, "update": self.update, "rows": self.rows}

    @cached_property
    def network(self) -> Network:
        """Return the network that predicts, with the running means and variances."""
        return self.network_with(self.means, self.variances)

    def network_with(self, means: Layers, variances: Layers) -> Network:
        """W' = W gamma / s,  b' = (b - mean) gamma / s + beta,  s = sqrt(variance + epsilon)."""
        W, b = list(self.weights), list(self.biases)
        for layer, gamma in enumerate(self.gammas):
            size = gamma / np.sqrt(variances[layer] + EPSILON)
            W[layer] = W[layer] * size
            b[layer] = (b[layer] - means[layer]) * size + self.betas[layer]
        return Network(self.activation, tuple(W), tuple(b), self.classes)

    def network_on(self, X: Float[ndarray, "b d"]) -> Network:
        """Return the network with the mean and variance of the rows of `X`, as one mini-batch."""
        through = passed(self, X)
        return self.network_with(through.mean, through.variance)

    @property
    def network_alone(self) -> Network:
        """Return what every point is answered that is a batch of one: z_hat = 0, so y = beta."""
        still = tuple(frozen(np.zeros_like(gamma)) for gamma in self.gammas)
        return replace(self, gammas=still).network

    def decision_function(self, X: Float[ndarray, "m d"]) -> Scores:
        """Return the scores of the rows of `X`; for two classes, the second's minus the first's."""
        return self.network.decision_function(X)

    def predict_proba(self, X: Float[ndarray, "m d"]) -> Float[ndarray, "m k"]:
        """Return the probability of every class for the rows of `X`."""
        return self.network.predict_proba(X)

    def predict(self, X: Float[ndarray, "m d"]) -> Int[ndarray, " m"]:
        """Return the class with the highest score for every row of `X`, the smaller in a tie."""
        return self.network.predict(X)


def first(task: BatchTask) -> BatchStep:
    """Return the network before any update: gamma = 1, beta = 0, running mean 0 and variance 1."""
    units = [len(b) for _, b in task.start[:-1]] if task.training.normalise else []
    ones = tuple(frozen(np.ones(u)) for u in units)
    zeros = tuple(frozen(np.zeros(u)) for u in units)
    start = BatchStep(
        "start", 0, task.activation, task.classes,
        weights=tuple(frozen(W) for W, _ in task.start),
        biases=tuple(frozen(b) for _, b in task.start),
        gammas=ones, betas=zeros, means=zeros, variances=ones, rows=frozen(np.empty(0, int)),
    )  # fmt: skip
    return judged(task, start)
