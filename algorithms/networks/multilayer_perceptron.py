r"""Multi-layer perceptron: layers of units, which learn by gradient descent on mini-batches.

Model: a network of fully connected layers (network.py). Objective, over the n training points,
with w every weight of every layer (biases are not penalised):

    L = 1/n sum_i E_i  +  penalty/2 sum w^2  +  l1_penalty sum |w|

    E_i = -ln P(y_i | x_i)         for classes         (multilayer_perceptron)
    E_i = (y_i - f(x_i))^2 / 2     for numbers         (multilayer_regression)

Update rule, for one batch of points after the other, which are shuffled in every epoch:

    W_l <- W_l - learning_rate dL/dW_l,    b_l <- b_l - learning_rate dL/db_l

with L and its gradient taken over the batch. Backpropagation gives the gradient of all layers for
the price of about two further passes (network.py, network_training.py). Of |w| it takes the
subgradient sign(w). With momentum, for W_l and b_l alike, starting from V = 0:

    V <- momentum V + learning_rate dL/dW,     W <- W - V

This rule, and AdaGrad, RMSProp and Adam, which may take its place, are those of
algorithms/regression/least_squares/optimizers.py.

With dropout every update leaves each hidden unit out with that probability, and multiplies what the
others say by 1 / (1 - dropout), so that on average the next layer gets what it would get from all:

    a_l <- a_l k_l,    k_l = 0 or 1 / (1 - dropout), drawn for every unit of the layer

for all points of the batch alike: the update is that of a thinned network. L, its gradient and all
predictions of a step are those of the whole network.

Start: weights drawn evenly from -r to r, r = spread sqrt(6 / (in + out)) (Glorot), biases 0. With
spread 0 all units of a layer are the same, and so are their gradients: they stay the same for ever.

Cost per epoch: O(n) times the number of weights.

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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core import validate
from algorithms.core.record import frozen
from algorithms.networks.network import (
    Activation,
    Layered,
    Network,
    NumberNetwork,
    half_squares,
    losses,
    stuck,
)
from algorithms.networks.network_training import (
    Gradient,
    Kept,
    Optimizer,
    Schedule,
    Start,
    Trainer,
    drawn_layers,
    fitting,
    schedule,
)

Event = Literal["training error 0", "dead unit", "saturated unit", "units alike", "diverged"]


@dataclass(frozen=True, eq=False, kw_only=True)
class EpochStep(Layered):
    """The network after `epoch` epochs.

    `loss`, `gradients` (of the weights) and `bias_gradients` are of the objective over all training
    points, at the weights of this step. `stuck` tells for every hidden layer which units have next
    to no slope at any training point, `dropped` which were left out in the last update.
    `velocity` and `squares` are what the optimiser keeps, layer by layer the weights, then the
    biases.

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
    dropped: tuple[Bool[ndarray, " _"], ...]
    velocity: Float[ndarray, " p"]
    squares: Float[ndarray, " p"]
    event: Event | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class MultilayerPerceptronStep(EpochStep, Network):
    """A network for classes; also a model, since `predict` works at every step.

    `training_error` is the share of the training points that is wrong. A further event: "training
    error 0" (for the first time).
    """

    training_error: float


@dataclass(frozen=True, eq=False, kw_only=True)
class MultilayerRegressionStep(EpochStep, NumberNetwork):
    """A network for numbers; also a model, since `predict` works at every step."""


def multilayer_perceptron(
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    *,
    hidden: Sequence[int],
    activation: Activation = "tanh",
    learning_rate: float = 0.5,
    epochs: int = 200,
    batch_size: int | None = None,
    penalty: float = 0.0,
    l1_penalty: float = 0.0,
    optimizer: Optimizer = "gradient",
    momentum: float = 0.0,
    dropout: float = 0.0,
    rng: Generator,
    start: Start | None = None,
    spread: float = 1.0,
    later: tuple[int, float] | None = None,
) -> Iterator[MultilayerPerceptronStep]:
    """Train a network with so many units in each `hidden` layer; there may be no such layer.

    A `batch_size` of None takes all points at once, without shuffling them. `start` gives the first
    weights (in, out) and biases (out,) of every layer; without it they are drawn, with `spread`
    times the usual width. The last layer has a unit per class, or only one for the second of two.
    Only the optimizer "gradient" may have momentum. `later` is the number of an epoch and the
    learning rate from there on.

    Raises ValueError, at the call, unless X is finite, y holds n integers of two classes or more,
    hidden holds at most 5 numbers of 1 or more, the numbers are in their ranges and the start fits.
    """
    X = validate.points(X)
    classes, codes = validate.labels(y, len(X))
    if start is None:
        layers = drawn_start(X.shape[1], hidden, len(classes), rng=rng, spread=spread)
    else:
        layers = fitting(start, X.shape[1], hidden, _outputs(len(classes), start))
    network = Trainer(layers, activation, losses, penalty, l1_penalty)
    plan = schedule(
        len(X), rng=rng, learning_rate=learning_rate, epochs=epochs, batch_size=batch_size,
        optimizer=optimizer, momentum=momentum, dropout=dropout, later=later,
    )  # fmt: skip

    def judged(scores: Float[ndarray, "n _"]) -> dict[str, Any]:
        said = (scores[:, 0] > 0).astype(int) if scores.shape[1] == 1 else scores.argmax(axis=1)
        wrong = np.count_nonzero(said != codes)
        return {"classes": classes, "training_error": float(wrong / len(said))}

    recorder = _Recorder(MultilayerPerceptronStep, network, judged)
    return _train(network, _Points(X, np.eye(len(classes))[codes]), plan, recorder)


def multilayer_regression(
    X: Float[ndarray, "n d"],
    y: Float[ndarray, " n"],
    *,
    hidden: Sequence[int],
    activation: Activation = "tanh",
    penalty: float = 0.0,
    l1_penalty: float = 0.0,
    rng: Generator,
    start: Start | None = None,
    spread: float = 1.0,
    **how: Any,
) -> Iterator[MultilayerRegressionStep]:
    """Train a network whose last layer is one unit without g, which says the number for a point.

    The rest of the parameters, `how`, and all that they have in common, are those of
    `multilayer_perceptron`.

    Raises ValueError, at the call, unless y holds n finite numbers; and as that one does.
    """
    X = validate.points(X)
    y = validate.targets(y, len(X))
    if start is None:
        layers = drawn_layers(X.shape[1], hidden, 1, rng=rng, spread=spread)
    else:
        layers = fitting(start, X.shape[1], hidden, 1)
    network = Trainer(layers, activation, half_squares, penalty, l1_penalty)
    recorder = _Recorder(MultilayerRegressionStep, network, lambda _: {})
    return _train(network, _Points(X, y[:, None]), schedule(len(X), rng=rng, **how), recorder)


def drawn_start(
    d: int, hidden: Sequence[int], classes: int, *, rng: Generator, spread: float = 1.0
) -> Start:
    """Draw the first weights of every layer; two classes get one output unit."""
    return drawn_layers(d, hidden, classes if classes > 2 else 1, rng=rng, spread=spread)


def _outputs(classes: int, start: Start) -> int:
    """Return how many output units a start has to have: for two classes it may be one."""
    last = np.size(start[-1][1]) if len(start) else 0
    return 1 if classes == 2 and last == 1 else classes


@dataclass(frozen=True, eq=False)
class _Points:
    """Training points, and what is true of them: a 1 in the column of the class, or a number."""

    X: Float[ndarray, "n d"]
    Y: Float[ndarray, "n k"]


def _train(
    network: Trainer, points: _Points, plan: Schedule, recorder: "_Recorder"
) -> Iterator[Any]:
    X, Y, kept = points.X, points.Y, None
    gradient = network.gradient(X, Y)
    yield (step := recorder.step(0, gradient))
    for epoch in range(1, plan.epochs + 1):
        rule = plan.rule_of(epoch)
        for rows in plan.batches(len(X)):
            kept = plan.kept(network.widths)
            known = kept is None and len(rows) == len(X)
            batch = gradient if known else network.gradient(X[rows], Y[rows], kept)
            if not network.update(batch, rule):
                yield replace(step, epoch=epoch, event="diverged")
                return
        gradient = network.gradient(X, Y)
        yield (step := recorder.step(epoch, gradient, kept))


class _Recorder:
    """Makes the steps, and remembers what has happened before.

    kind : of step. judged : of the scores of all points, the fields that steps of that kind have
    besides.
    """

    def __init__(
        self, kind: Callable[..., EpochStep], network: Trainer, judged: Callable[[ndarray], dict]
    ) -> None:
        self.kind, self.network, self.judged = kind, network, judged
        self.none = tuple(frozen(np.zeros(width, bool)) for width in network.widths)
        self.known = self.none  # which units were stuck at some step
        self.clean = False  # whether the training error was 0 at some step

    def step(self, epoch: int, gradient: Gradient, kept: Kept | None = None) -> EpochStep:
        """Record the network with the gradient at its weights. kept : in the last update."""
        network, more = self.network, self.judged(gradient.scores)
        idle = stuck(gradient.slopes, network.activation)
        return self.kind(
            activation=network.activation,
            weights=network.weights,
            biases=network.biases,
            epoch=epoch,
            gradients=gradient.weights,
            bias_gradients=gradient.biases,
            loss=gradient.loss,
            stuck=tuple(map(frozen, idle)),
            dropped=self.none if kept is None else tuple(frozen(k == 0) for k in kept),
            velocity=network.memory.velocity,
            squares=network.memory.squares,
            event=self._event(epoch, idle, more.get("training_error")),
            **more,
        )

    def _event(
        self, epoch: int, idle: tuple[Bool[ndarray, " _"], ...], error: float | None
    ) -> Event | None:
        """Name what happens for the first time at this step."""
        newly = False
        if any(units.any() for units in idle):
            newly = any((now & ~old).any() for now, old in zip(idle, self.known, strict=True))
            self.known = tuple(now | old for now, old in zip(idle, self.known, strict=True))
        clean = error == 0 and not self.clean
        self.clean |= clean
        if epoch == 0 and self.network.alike:
            return "units alike"
        if clean:
            return "training error 0"
        if newly:
            return "dead unit" if self.network.activation == "relu" else "saturated unit"
        return None
