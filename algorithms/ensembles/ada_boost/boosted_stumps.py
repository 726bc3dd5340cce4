r"""AdaBoost on given stumps: it grows no tree, but takes one of the class's stumps in every round.

Model and objective are those of AdaBoost (ada_boost.py), with the V stumps h_1, ..., h_V that
somebody has placed in the place of all trees:

    F_t(x) = sum of alpha_s h_(j_s)(x) over the rounds s = 1..t,   class +1 where F_t(x) > 0

Every point has a weight, initially w_i = 1/n. Update rule of round t:

    error:     eps_j = sum of w_i over the points with h_j(x_i) != y_i,   for every stump j
    choose:    j_t <- the stump with the smallest eps_j
    merit:     alpha_t = 1/2 ln((1 - eps) / eps)    with eps = eps_(j_t)
    reweight:  w_i <- w_i exp(-alpha_t y_i h_(j_t)(x_i)) / Z_t

with Z_t such that the weights add up to 1 again. A stump may be taken again in a later round; its
votes add up. A stump that is never taken has no vote. In a tie (errors within 1e-11) the first
stump is taken.

If no stump is better than chance, eps >= 1/2, the run ends: alpha = 0. It also ends with a stump
that gets nothing wrong, eps = 0, whose alpha is 1 more than all earlier ones together.

Cost: O(V n) a round.

Source: Freund and Schapire 1997; CIS787 (004:404).
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.ensembles.ada_boost.ada_boost import CHANCE, LIGHTEST, merit
from algorithms.ensembles.ada_boost.class_vote import ClassVoteStep, Event, nobody, voted
from algorithms.ensembles.ada_boost.stumps import Stumps

TIE = 1e-11  # of all weight: errors that differ by less count as equal


def boosted_stumps(
    X: Float[ndarray, "n d"], y: Int[ndarray, " n"], *, stumps: Stumps, rounds: int = 50
) -> Iterator[ClassVoteStep]:
    """Take one of the given stumps in each of up to `rounds` rounds, and let it vote.

    Raises ValueError, at the call, unless X is finite, y holds n integers of exactly two classes,
    rounds >= 1, and there is at least one stump, on a feature of X.
    """
    before = nobody(X, y, stumps)
    rounds = validate.integer("rounds", rounds, 1)
    return iterate(chosen(before), advance, most=rounds - 1, stopped=None)


def advance(step: ClassVoteStep) -> ClassVoteStep:
    """Return the round that follows: new weights, and the best stump with them."""
    return chosen(replace(step, weights=reweighted(step)))


def chosen(step: ClassVoteStep) -> ClassVoteStep:
    """Take the stump with the smallest weighted error, and let it vote: F <- F + alpha h_j."""
    epsilons = errors(step)
    j = int((epsilons <= epsilons.min() + TIE).argmax())
    epsilon = float(epsilons[j])
    alpha = merit(epsilon, (float(step.alphas.sum()),))
    after = voted(step, j, alpha)
    return replace(after, event=_event(epsilon, step, after))


def errors(step: ClassVoteStep) -> Float[ndarray, " V"]:
    """Return eps_j of every stump: the weight of the points that it gets wrong."""
    return (step.said != step.signs) @ step.weights


def reweighted(step: ClassVoteStep) -> Float[ndarray, " n"]:
    """Return w_i exp(-alpha y_i h(x_i)) / Z, where Z makes the weights add up to 1."""
    w = step.weights * np.exp(-step.alpha * step.signs * step.said[step.voter])
    return np.maximum(w / w.sum(), LIGHTEST)


def _event(epsilon: float, before: ClassVoteStep, after: ClassVoteStep) -> Event | None:
    """Name what happened: an end, or that the vote now gets every training point right."""
    if epsilon == 0:
        return "perfect learner"
    if epsilon >= 1 / 2 - CHANCE:
        return "no better than chance"
    return "training error 0" if before.missed.any() and not after.missed.any() else None
