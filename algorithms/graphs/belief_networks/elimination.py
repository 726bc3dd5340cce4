"""Variable elimination: sum out one variable at a time, and multiply only what it needs.

    P(q, e) = sum over the other variables of prod_i P(x_i | parents(x_i)),  at the evidence e

The sum over v goes inside the product, past every table without v:

    tau(...) = sum_v  prod of the factors with v

The factors with v are replaced by tau. When only the query q is left, P(q | e) is the product of
what is left, divided by its sum. The order of the variables does not change the answer, but the
sizes of the tables: `order` takes the variable whose product has the fewest entries next, or the
most.

Cost: as many multiplications as the largest product has entries, per step; 2^w for w variables.

Source: 20APC3316 (002:3046, "propagated over the graph"), Zhang and Poole 1994.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any, Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record, frozen, last
from algorithms.graphs.belief_networks.network import (
    Evidence,
    Factor,
    Network,
    checked,
    factors,
    multiply,
    normalised,
    sum_out,
)

ORDERS = ("smallest", "largest")
NOTHING = Factor((), frozen(np.ones(())))


def variable_elimination(
    network: Mapping[str, Any],
    evidence: Mapping[str, Any],
    query: str,
    *,
    order: Literal["smallest", "largest"] = "smallest",
) -> Iterator["EliminationStep"]:
    """Start with all tables at the evidence, and sum out a variable per step.

    Raises ValueError, at the call, if the network or the evidence is not one (see network.py) or
    the query is not another variable; and at the end if the evidence is impossible.
    """
    nodes, seen = checked(network, evidence)
    if query not in nodes or query in seen:
        raise ValueError(f"query must be a variable that is not seen, got {query!r}")
    validate.choice("order", order, ORDERS)
    first = EliminationStep(factors(nodes, seen), query)
    hidden = len(nodes) - len(seen) - 1
    return iterate(first, partial(advance, nodes, seen, order), most=hidden + 1)


def advance(
    network: Network, evidence: Evidence, order: str, step: "EliminationStep"
) -> "EliminationStep":
    """Sum out the next variable; if only the query is left, normalise."""
    v = following(network, evidence, order, step)
    used = tuple(factor for factor in step.factors if v is None or v in factor.names)
    product = multiply(used)
    rows = step.rows + product.table.size
    if v is None:
        posterior = Factor((step.query,), normalised(product.table, evidence))
        return EliminationStep(
            (posterior,), step.query, None, used, product, posterior, rows, "finished"
        )
    tau = sum_out(product, v)
    left = (*(factor for factor in step.factors if v not in factor.names), tau)
    return EliminationStep(left, step.query, v, used, product, tau, rows)


def following(
    network: Network, evidence: Evidence, order: str, step: "EliminationStep"
) -> str | None:
    """Return the variable that is summed out next, or None if only the query is left."""
    hidden = [n for n in network if n != step.query and any(n in f.names for f in step.factors)]
    sign = 1 if order == "smallest" else -1
    sizes = [sign * entries(step.factors, name) for name in hidden]
    return hidden[int(np.argmin(sizes))] if hidden else None


def entries(factors: tuple[Factor, ...], name: str) -> int:
    """Return how many entries the product of the factors with a variable has."""
    sizes: dict[str, int] = {}
    for factor in factors:
        if name in factor.names:
            sizes |= zip(factor.names, factor.table.shape, strict=True)
    return prod(sizes.values())


def posteriors(
    network: Mapping[str, Any], evidence: Mapping[str, Any]
) -> dict[str, Float[ndarray, "_"]]:
    """Return P(x | e) of every variable, by one elimination each; 0 and 1 for what is seen."""
    nodes, seen = checked(network, evidence)
    return {
        name: np.eye(node.table.shape[-1])[seen[name]]
        if name in seen
        else last(variable_elimination(nodes, seen, name)).left.table
        for name, node in nodes.items()
    }


def conditional(
    network: Mapping[str, Any], evidence: Mapping[str, Any], b: str, a: str
) -> Float[ndarray, "v w"]:
    """Return P(b | a, e), a row per value of a; NaN in the rows of values that cannot be."""
    nodes, seen = checked(network, evidence)
    product = multiply(factors(nodes, seen))
    for name in product.names:
        if name not in (a, b):
            product = sum_out(product, name)
    both = product.table if product.names == (a, b) else product.table.T
    sums = both.sum(axis=1, keepdims=True)
    return np.divide(both, sums, out=np.full(both.shape, np.nan), where=sums > 0)


@dataclass(frozen=True, eq=False)
class EliminationStep(Record):
    """The factors after `variable` was summed out of the product of those `used`.

    left : what the step made of its product: tau, or the posterior at the end. rows : how many
    entries all products so far had. At step 0 nothing is used yet.
    """

    is_model = False

    factors: tuple[Factor, ...]
    query: str
    variable: str | None = None
    used: tuple[Factor, ...] = ()
    product: Factor = NOTHING
    left: Factor = NOTHING
    rows: int = 0
    event: str | None = None

    @property
    def posterior(self) -> Float[ndarray, " v"] | None:
        """P(query | e), at the end."""
        return self.left.table if self.event == "finished" else None
