"""Random networks, and every question answered by adding up the rows of the joint table."""

from itertools import product

import numpy as np
from numpy import ndarray

from algorithms.graphs.belief_networks.network import Evidence, Network, Node


def random_network(rng: np.random.Generator, *, tree: bool = False) -> Network:
    """Draw 2 to 6 variables with 2 or 3 values. tree : without loops, up to two parents each."""
    names = list("ABCDEF"[: rng.integers(2, 7)])
    values = dict(zip(names, rng.integers(2, 4, len(names)).tolist(), strict=True))
    parents: dict[str, list[str]] = {name: [] for name in names}
    for i, name in enumerate(names[1:], 1):
        if tree:  # one more edge to what is there, in either direction
            other = names[rng.integers(i)]
            child, parent = (name, other) if rng.random() < 0.5 else (other, name)
            parents[child].append(parent)
        else:
            parents[name] = [each for each in names[:i] if rng.random() < 0.5][:3]
    return {
        name: Node(tuple(own), rng.dirichlet(np.ones(values[name]), [values[p] for p in own]))
        for name, own in parents.items()
    }


def random_evidence(rng: np.random.Generator, network: Network) -> Evidence:
    """Draw values for some of the variables, but not for all."""
    seen = rng.permutation(list(network))[: rng.integers(0, len(network))].tolist()
    return {name: int(rng.integers(network[name].table.shape[-1])) for name in seen}


def posteriors(network: Network, evidence: Evidence) -> dict[str, ndarray]:
    """Return P(x | e) of every variable, row by row."""
    names = list(network)
    sizes = [network[name].table.shape[-1] for name in names]
    found = {name: np.zeros(size) for name, size in zip(names, sizes, strict=True)}
    for row in product(*map(range, sizes)):
        values = dict(zip(names, row, strict=True))
        if all(values[name] == value for name, value in evidence.items()):
            p = 1.0
            for name, (parents, table) in network.items():
                p *= float(table[(*(values[each] for each in parents), values[name])])
            for name in names:
                found[name][values[name]] += p
    return {name: p / p.sum() for name, p in found.items()}


def separated(network: Network, a: str, b: str, given: tuple[str, ...]) -> bool:
    """Return whether a and b are apart in the moral graph of the ancestors, without the given."""
    ancestors, found = {a, b, *given}, 0
    while found < len(ancestors):
        found = len(ancestors)
        ancestors |= {p for name in ancestors for p in network[name].parents}
    families = [{name, *network[name].parents} for name in ancestors]
    reached, found = {a}, 0
    while found < len(reached):
        found = len(reached)
        for family in families:
            if (family & reached) - set(given):
                reached |= family - set(given)
    return b not in reached
