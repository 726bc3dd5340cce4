"""Random models, and the probabilities of all paths through them, one by one."""

from itertools import product

from numpy import ndarray
from numpy.random import Generator

from algorithms.sequences.hidden_markov_model.model import Model


def some_model(rng: Generator, k: int, s: int, zeros: bool = False) -> Model:
    def rows(r: int, c: int) -> ndarray:
        table = rng.random((r, c)) + 0.02
        if zeros:
            table *= rng.random((r, c)) < 0.7
            table[table.sum(axis=1) == 0] = 1
        return table / table.sum(axis=1, keepdims=True)

    return Model(rows(1, k)[0], rows(k, k), rows(k, s))


def every_path(model: Model, o: ndarray) -> dict[tuple[int, ...], float]:
    """P(q, o) of all paths by the definition, multiplied out."""
    pi, A, B = model
    found = {}
    for path in product(range(len(pi)), repeat=len(o)):
        p = pi[path[0]] * B[path[0], o[0]]
        for t in range(1, len(o)):
            p *= A[path[t - 1], path[t]] * B[path[t], o[t]]
        found[path] = p
    return found
