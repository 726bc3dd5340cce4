"""Held-out points that a network gets wrong, by the means and variances it normalises with."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from algorithms.core.record import Record
from algorithms.core.work import spend
from algorithms.networks.multilayer_perceptron.batch_normalisation import BatchStep
from algorithms.networks.multilayer_perceptron.network import Network


@dataclass(frozen=True, eq=False)
class HeldOutErrors(Record):
    """How many held-out points are wrong after every step.

    held : which points are held out. running : with the running means and variances. batch : with
    those of the last mini-batch, 0 before there is one. alone : if every point is a batch of one.
    without : in the network without normalisation, which may have fewer steps.
    """

    held: Bool[ndarray, " n"]
    running: Int[ndarray, " t"]
    batch: Int[ndarray, " t"]
    alone: Int[ndarray, " t"]
    without: Int[ndarray, " s"]


def held_out_errors(
    steps: Sequence[BatchStep],
    plain: Sequence[BatchStep],
    features: Callable[[ndarray], ndarray],
    X: Float[ndarray, "n d"],
    y: Int[ndarray, " n"],
    held: Bool[ndarray, " n"],
) -> HeldOutErrors:
    """Count the held-out points that are wrong, with and without normalisation.

    features : turns the rows of `X` into what the networks see.
    """
    learned, judged, truth = features(X[~held]), features(X[held]), y[held]

    def wrong(network: Network) -> int:
        spend(2.0 * len(judged) * sum(W.size for W in network.weights))
        return int(np.count_nonzero(network.predict(judged) != truth))

    def counts(of: Callable[[BatchStep], Network], run: Sequence[BatchStep]) -> ndarray:
        """Count once for all steps with the same network and the same mini-batch."""
        found: list[int] = []
        for i, step in enumerate(run):
            same = i and step.weights is run[i - 1].weights and step.rows is run[i - 1].rows
            found.append(found[-1] if same else wrong(of(step)))
        return np.array(found, int)

    if len(judged) == 0:
        none = np.zeros(len(steps), int)
        return HeldOutErrors(held, none, none, none, np.zeros(len(plain), int))
    return HeldOutErrors(
        held,
        counts(lambda step: step.network, steps),
        counts(lambda step: on_its_batch(step, learned), steps),
        counts(lambda step: step.network_alone, steps),
        counts(lambda step: step.network, plain),
    )


def on_its_batch(step: BatchStep, learned: Float[ndarray, "m p"]) -> Network:
    """Return the network with the means and variances of its last mini-batch.

    learned : what the network sees of all training points. Before any mini-batch, it is the network
    with the running means.
    """
    return step.network_on(learned[step.rows]) if len(step.rows) else step.network
