"""The joint table of a belief network: strike the rows that disagree with what is seen.

    P(x_1, ..., x_n) = prod_i P(x_i | parents(x_i))
    P(e)     = sum of the rows that agree with the evidence e
    P(x | e) = sum of those among them with x, divided by P(e)

Nothing else is needed to answer every question, but the table has 2^n rows for n variables with two
values. The other files of this folder give the same answers without it.

Cost: O(2^n) per step.

Source: 20APC3316 (002:1632, 002:3046; explaining away at P(S | R, W)).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core.iterate import iterate
from algorithms.core.record import Record
from algorithms.graphs.belief_networks.network import (
    Evidence,
    Network,
    checked,
    factors,
    multiply,
    normalised,
)

MOST = 2**20  # rows


def joint_table(
    network: Mapping[str, Any], evidence: Mapping[str, Any]
) -> Iterator["JointTableStep"]:
    """Start with all rows; then a step per piece of evidence, in its order.

    Raises ValueError, at the call, if the network or the evidence is not one (see network.py), or
    the table has more than 2^20 rows; and at the first piece of evidence that is impossible.
    """
    nodes, seen = checked(network, evidence)
    rows = int(np.prod([float(node.table.shape[-1]) for node in nodes.values()]))
    if rows > MOST:
        raise ValueError(f"network must have at most {MOST} rows in its joint table, got {rows}")
    joint = multiply(factors(nodes, {})).table
    first = JointTableStep(joint, (), nodes, event=None if seen else "finished")
    return iterate(first, partial(advance, nodes, seen), most=len(seen))


def advance(network: Network, evidence: Evidence, step: "JointTableStep") -> "JointTableStep":
    """Strike the rows that disagree with the next piece of evidence."""
    name = list(evidence)[len(step.seen)]
    axis = list(network).index(name)
    agrees = np.arange(step.joint.shape[axis]) == evidence[name]
    joint = step.joint * agrees.reshape([-1 if i == axis else 1 for i in range(step.joint.ndim)])
    seen = (*step.seen, name)
    normalised(joint.ravel(), {each: evidence[each] for each in seen})
    return JointTableStep(joint, seen, network, "finished" if len(seen) == len(evidence) else None)


@dataclass(frozen=True, eq=False)
class JointTableStep(Record):
    """The joint table, an axis per variable, with 0 in the rows that are struck.

    seen : the evidence so far.
    """

    is_model = False

    joint: Float[ndarray, "..."]
    seen: tuple[str, ...]
    network: Network = field(repr=False, compare=False)
    event: str | None = None

    @property
    def probability(self) -> float:
        """P(e): the sum of the rows that are left."""
        return float(self.joint.sum())

    @property
    def posteriors(self) -> dict[str, Float[ndarray, "_"]]:
        """P(x | e) of every variable: its share of what is left."""
        return {name: self.rows_with(name) / self.probability for name in self.network}

    def rows_with(self, name: str) -> Float[ndarray, " v"]:
        """P(x, e): the sums of the rows that are left, by the value of a variable."""
        axis = list(self.network).index(name)
        others = tuple(i for i in range(self.joint.ndim) if i != axis)
        return self.joint.sum(axis=others)
