"""Belief propagation: neighbours tell each other what they know, and nobody needs the whole.

A variable x with parents u_1..u_k and children y_1..y_m has heard pi(u_i) from every parent, lambda
from every child, and has seen(x): 1 for the value that is seen and 0 for the others, or 1 for all.
It multiplies its table with everything it has heard, but not with what it heard from the neighbour
that it writes to, and sums:

    to a child y:     pi_y(x)    = a  sum_u  P(x | u)  prod_i pi(u_i)  seen(x)  prod_(z != y) lambda_z(x)
    to a parent u_i:  lambda_x(u_i) = a  sum_(x, other u)  P(x | u)  prod_(r != i) pi(u_r)  seen(x)  prod_z lambda_z(x)
    belief:           P(x | e)   = a  sum_u  P(x | u)  prod_i pi(u_i)  seen(x)  prod_z lambda_z(x)

with a so that each sums to 1. In a network without loops a message is sent once the others have
arrived: two per edge, and every belief is exact. With loops nobody can be first. Then messages that
have not come yet count as 1, and rounds go on until nothing changes by more than `tol`: the beliefs
are only near the posteriors, because a message comes back around the loop as if it were news.

Cost: O(size of the table) per message.

Source: 20APC3316 (002:3287; chains, trees, polytrees), Pearl 1988. Its lambda message along a chain
sums over the child y, where the source's second formula has u.
"""  # noqa: E501

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record, frozen
from algorithms.graphs.belief_networks import elimination
from algorithms.graphs.belief_networks.network import (
    Evidence,
    Network,
    checked,
    edges,
    normalised,
)

Way = tuple[str, str]  # who writes, and to whom


def belief_propagation(
    network: Mapping[str, Any],
    evidence: Mapping[str, Any],
    *,
    max_iter: int = 30,
    tol: float = 1e-4,
) -> Iterator["MessageStep"]:
    """Start without messages, and send one per step; with loops, at most `max_iter` rounds of them.

    The posteriors of the last step are exact on every network: see `MessageStep.posteriors`.

    Raises ValueError, at the call, if the network or the evidence is not one (see network.py); and
    at a message that finds the evidence impossible.
    """
    nodes, seen = checked(network, evidence)
    max_iter = validate.integer("max_iter", max_iter, 1)
    tol = validate.number("tol", tol)
    if has_loop(nodes):
        elimination.posteriors(
            nodes, seen
        )  # raises if the evidence is impossible; messages may not
    ways = schedule(nodes)
    ones = tuple(frozen(np.ones(_values(nodes, way))) for way in ways)
    most = len(ways) * (max_iter if has_loop(nodes) else 1)
    first = MessageStep(ones, 0, 0.0, nodes, seen, event=None if ways else "finished")
    return iterate(first, partial(advance, nodes, seen, tol), most=most)


def advance(network: Network, evidence: Evidence, tol: float, step: "MessageStep") -> "MessageStep":
    """Send the next message of the round."""
    ways = schedule(network)
    k = step.sent % len(ways)
    message = normalised(written(network, evidence, step.heard, ways[k]), evidence)
    before = step.change if k else 0.0
    change = max(before, float(np.abs(message - step.messages[k]).max()))
    messages = (*step.messages[:k], message, *step.messages[k + 1 :])
    event = None
    if k + 1 == len(ways):
        looped = has_loop(network)
        event = ("converged" if change <= tol else None) if looped else "finished"
    after = MessageStep(messages, step.sent + 1, change, network, evidence, event)
    belief(network, evidence, after.heard, ways[k][1])  # raises if nothing is possible any more
    return after


def written(
    network: Network, evidence: Evidence, heard: dict[Way, ndarray], way: Way
) -> Float[ndarray, " v"]:
    """Return the message from a variable to a neighbour, before it is divided by its sum."""
    x, receiver = way
    product = np.array(np.broadcast_to(1.0, network[x].table.shape))
    for part in parts(network, evidence, heard, x, receiver):
        product = product * part
    names = (*network[x].parents, x)
    kept = names.index(receiver if receiver in names else x)
    return product.sum(axis=tuple(i for i in range(len(names)) if i != kept))


def belief(
    network: Network, evidence: Evidence, heard: dict[Way, ndarray], x: str
) -> Float[ndarray, " v"]:
    """Return what a variable believes, by what it has heard."""
    return normalised(written(network, evidence, heard, (x, x)), evidence)


def parts(
    network: Network, evidence: Evidence, heard: dict[Way, ndarray], x: str, receiver: str
) -> list[ndarray]:
    """Return what a variable multiplies for a receiver, or for its belief if it is the receiver.

    First its table, then seen(x), then what it heard from every neighbour but the receiver; each
    has the axes of the table.
    """
    parents, table = network[x]
    seen = np.ones(table.shape[-1])
    if x in evidence:
        seen = np.eye(table.shape[-1])[evidence[x]]
    found = [table, _along(seen, table.ndim - 1, table.ndim)]
    for (sender, to), message in heard.items():
        if to == x and sender != receiver:
            axis = parents.index(sender) if sender in parents else table.ndim - 1
            found.append(_along(message, axis, table.ndim))
    return found


def _along(vector: ndarray, axis: int, ndim: int) -> ndarray:
    return vector.reshape([-1 if i == axis else 1 for i in range(ndim)])


def schedule(network: Network) -> list[Way]:
    """Return the order of a round's messages: each once all others have arrived, if that can be."""
    down = edges(network)
    ways = [(x, u) for u, x in reversed(down)] + down
    order: list[Way] = []
    while len(order) < len(ways):
        left = [way for way in ways if way not in order]
        ready = [way for way in left if not _awaited(left, way)]
        order.append((ready or left)[0])
    return order


def _awaited(left: list[Way], way: Way) -> bool:
    """Return whether the writer still waits for another neighbour."""
    writer, receiver = way
    return any(to == writer and sender != receiver for sender, to in left)


def has_loop(network: Network) -> bool:
    """Return whether some edges form a loop, whatever their directions."""
    group = {name: name for name in network}
    for u, x in edges(network):
        if group[u] == group[x]:
            return True
        old = group[u]
        group = {name: group[x] if each == old else each for name, each in group.items()}
    return False


def _values(network: Network, way: Way) -> int:
    """Return the length of a message: the values of the parent's variable on its edge."""
    writer, receiver = way
    parent = receiver if receiver in network[writer].parents else writer
    return network[parent].table.shape[-1]


@dataclass(frozen=True, eq=False)
class MessageStep(Record):
    """All messages, in the order of the schedule, after `sent` of them were sent.

    change : the largest change of a message in this round.
    """

    is_model = False

    messages: tuple[Float[ndarray, "_"], ...]
    sent: int
    change: float
    network: Network = field(repr=False, compare=False)
    evidence: Evidence = field(repr=False, compare=False)
    event: str | None = None

    @property
    def heard(self) -> dict[Way, Float[ndarray, "_"]]:
        """Return every message by its writer and receiver; those not sent yet are 1."""
        return dict(zip(schedule(self.network), self.messages, strict=True))

    @property
    def beliefs(self) -> dict[str, Float[ndarray, "_"]]:
        """Return what every variable believes, by what it has heard so far."""
        heard = self.heard
        return {x: belief(self.network, self.evidence, heard, x) for x in self.network}

    @property
    def posteriors(self) -> dict[str, Float[ndarray, "_"]]:
        """Return P(x | e): the beliefs, or where loops make them inexact, by elimination."""
        if has_loop(self.network):
            return elimination.posteriors(self.network, self.evidence)
        return self.beliefs
