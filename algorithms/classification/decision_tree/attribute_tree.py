"""A tree that asks about attributes: a branch for each value, as in ID3."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from algorithms.core.record import Record, frozen


@dataclass(frozen=True, eq=False)
class AttributeTree(Record):
    """The questions of a tree. Nodes are numbered in the order in which they are made.

    attribute : what a node asks about, -1 at a leaf. children : for every node and value the child,
    -1 where there is none.
    """

    attribute: Int[ndarray, " m"]
    children: Int[ndarray, "m v"]

    @cached_property
    def parent(self) -> Int[ndarray, " m"]:
        """Return the node above each node, -1 for the root."""
        parent = np.full(len(self.attribute), -1)
        for node, children in enumerate(self.children):
            parent[children[children >= 0]] = node
        return frozen(parent)

    def way(self, node: int) -> list[int]:
        """Return the nodes from the root to a node."""
        nodes = [node]
        while (node := int(self.parent[node])) >= 0:
            nodes.append(node)
        return nodes[::-1]

    def asked(self, node: int) -> set[int]:
        """Return the attributes that are asked about above a node."""
        return {int(self.attribute[above]) for above in self.way(node)[:-1]}
