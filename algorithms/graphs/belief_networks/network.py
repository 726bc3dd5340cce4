"""A belief network: a directed graph without cycles, and a table for every variable.

A network is {name: (parents, table)}. The table has an axis for every parent, in their order, and a
last axis for the variable itself; along this axis it sums to 1:

    P(x_1, ..., x_n) = prod_i P(x_i | parents(x_i))

Evidence is {name: index of the value}. A factor is a table with the names of its axes. The product
of factors has every name of any of them; entries that agree in the shared names are multiplied.

Source: 20APC3316 (002:1632, 002:3046).
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.record import frozen

SUM = 1e-6  # by which a row of probabilities may miss 1


class Node(NamedTuple):
    """A variable. table : P(variable | parents), with an axis per parent and a last one for it."""

    parents: tuple[str, ...]
    table: ndarray


class Factor(NamedTuple):
    """A table over some variables. of : the variable whose table it was, "" for a computed one."""

    names: tuple[str, ...]
    table: ndarray
    of: str = ""


Network = dict[str, Node]
Evidence = dict[str, int]


def checked(network: Mapping[str, Any], evidence: Mapping[str, Any]) -> tuple[Network, Evidence]:
    """Return the network, parents before their children, and the evidence.

    Raises ValueError unless the graph has no cycle, every table fits its parents and holds
    probabilities that sum to 1, and every piece of evidence is a value of a variable.
    """
    if not network:
        raise ValueError("network must have at least one variable, got none")
    nodes: Network = {}
    while len(nodes) < len(network):
        ready = [n for n in network if n not in nodes and all(p in nodes for p in network[n][0])]
        if not ready:
            stuck = ", ".join(name for name in network if name not in nodes)
            raise ValueError(
                f"network must name parents that are variables, without a cycle, got one at {stuck}"
            )
        for name in ready:
            parents = tuple(network[name][0])
            shape = tuple(nodes[p].table.shape[-1] for p in parents)
            nodes[name] = Node(parents, _probabilities(name, network[name][1], shape))
    for name, value in evidence.items():
        if name not in nodes:
            raise ValueError(f"evidence must name variables of the network, got {name!r}")
        validate.integer(f"evidence of {name}", value, 0, nodes[name].table.shape[-1] - 1)
    return nodes, {name: int(value) for name, value in evidence.items()}


def _probabilities(name: str, given: Any, shape: tuple[int, ...]) -> Float[ndarray, "..."]:
    """Return a table as frozen numbers; raises ValueError unless it is one of probabilities."""
    table = np.asarray(given, float)
    if table.ndim != len(shape) + 1 or table.shape[:-1] != shape or table.shape[-1] < 1:
        raise ValueError(
            f"network: the table of {name} must have shape {(*shape, 'values')}, got {table.shape}"
        )
    sums = table.sum(axis=-1, keepdims=True)
    if not (np.isfinite(table).all() and table.min() >= 0 and np.abs(sums - 1).max() <= SUM):
        raise ValueError(
            f"network: the table of {name} must hold probabilities that sum to 1 along its last "
            f"axis, got {table.tolist()}"
        )
    return frozen(table / sums)


def edges(network: Network) -> list[tuple[str, str]]:
    """Return every parent with its child."""
    return [(parent, name) for name, node in network.items() for parent in node.parents]


def factors(network: Network, evidence: Evidence) -> tuple[Factor, ...]:
    """Return the tables as factors, with only the entries that agree with the evidence."""
    found = []
    for name, (parents, table) in network.items():
        names = (*parents, name)
        at = tuple(evidence.get(each, slice(None)) for each in names)
        left = tuple(each for each in names if each not in evidence)
        found.append(Factor(left, frozen(table[at]), name))
    return tuple(found)


def multiply(factors: Sequence[Factor]) -> Factor:
    """Return the product of factors, over all names of any of them."""
    names = tuple(dict.fromkeys(name for factor in factors for name in factor.names))
    product = np.ones(())
    for factor in factors:
        own = [name for name in names if name in factor.names]
        table = factor.table.transpose([factor.names.index(name) for name in own])
        sizes = dict(zip(own, table.shape, strict=True))
        product = product * table.reshape([sizes.get(name, 1) for name in names])
    return Factor(names, frozen(product))


def sum_out(factor: Factor, name: str) -> Factor:
    """Return the sum over all values of a variable, over the other names."""
    left = tuple(each for each in factor.names if each != name)
    return Factor(left, frozen(factor.table.sum(axis=factor.names.index(name))))


def normalised(weights: Float[ndarray, " v"], evidence: Evidence) -> Float[ndarray, " v"]:
    """Return weights divided by their sum; raises ValueError if the evidence is impossible."""
    total = weights.sum()
    if total <= 0:
        raise ValueError(
            f"evidence must be possible, got {', '.join(evidence)} with probability 0. Change "
            "what is seen, or a probability of 0 in the tables."
        )
    return frozen(weights / total)
