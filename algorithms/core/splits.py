"""Held-out points: each is drawn independently, in the order of the data.

The draw for a point depends only on its index, so adding points does not change it. If learning
from the rest would take too long, only some of them are drawn. Folds are dealt, so that every point
is held out once.
"""

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core.record import frozen


def held_out(
    n: int,
    share: float,
    *,
    rng: Generator,
    at_least: int = 0,
    codes: Int[ndarray, " n"] | None = None,
) -> Bool[ndarray, " n"]:
    """Draw which of `n` points to hold out, each with probability `share`.

    The first `at_least` points always stay to learn from. With the `codes` of the points' classes,
    the first point of a class that would lose all of them stays.
    """
    out = rng.random(n) < share
    out[:at_least] = False
    if codes is not None:
        for k in np.unique(codes):
            members = np.flatnonzero(codes == k)
            out[members[0]] &= not out[members].all()
    return frozen(out)


def some_of(
    allowed: Bool[ndarray, " n"], most: int, *, rng: Generator, codes: Int[ndarray, " n"]
) -> Bool[ndarray, " n"]:
    """Draw at most `most` of the allowed points, with at least one of every class.

    codes : the indices of the points' classes.
    """
    order = rng.permutation(np.flatnonzero(allowed))
    chosen = np.zeros(len(codes), bool)
    chosen[order[:most]] = True
    chosen[order[np.unique(codes[order], return_index=True)[1]]] = True
    return frozen(chosen)


def deal(
    codes: Int[ndarray, " n"], folds: int, stratified: bool, rng: Generator
) -> Int[ndarray, " n"]:
    """Return the fold of every point: dealt in turn, in a random order, or class by class."""
    order = rng.permutation(len(codes))
    if stratified:
        order = order[np.argsort(codes[order], kind="stable")]
    fold = np.empty(len(codes), int)
    fold[order] = np.arange(len(codes)) % folds
    return fold
