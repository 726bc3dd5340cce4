"""d-separation: the graph alone says what is independent of what, whatever the tables are.

A and B are d-separated by what is given if every path between them is blocked. A path goes along
edges in any direction. It is blocked if one variable on the way does not let it through:

    chain     u -> x -> v    x lets it through unless x is given
    fork      u <- x -> v    x lets it through unless x is given
    collider  u -> x <- v    x lets it through only if x, or a descendant of x, is given

Separated variables are independent given the evidence, for all tables. For nearly all tables the
others are dependent.

Cost: there may be exponentially many paths; each costs O(length) look-ups.

Source: 20APC3316 (002:3085 for the three cases, 002:3270 for the rule), CS725 17, Pearl 1988.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from algorithms.core.iterate import iterate
from algorithms.core.record import Record
from algorithms.graphs.belief_networks.network import Network, checked, edges

Kind = Literal["chain", "fork", "collider"]
Path = tuple[str, ...]


def d_separation(
    network: Mapping[str, Any], a: str, b: str, given: Iterable[str]
) -> Iterator["SeparationStep"]:
    """Walk along every path from a to b, a step per variable on the way, until one blocks it.

    Raises ValueError, at the call, if the network is not one (see network.py), or unless a, b and
    what is given are different variables of it.
    """
    known = tuple(given)
    nodes, _ = checked(network, dict.fromkeys(known, 0))
    if len({a, b} & (nodes.keys() - set(known))) < 2:
        raise ValueError(f"a and b must be two variables that are not given, got {a!r} and {b!r}")
    found = paths(nodes, a, b)
    direct = tuple(path for path in found if len(path) == 2)
    event = "finished" if direct == found else None
    first = SeparationStep(found, 0, 0, None, None, direct, nodes, known, event)
    return iterate(first, partial(advance, nodes, known), most=sum(map(len, found)))


def advance(network: Network, given: Path, step: "SeparationStep") -> "SeparationStep":
    """Look at the next variable: on this path, or on the next one if it was blocked or ends."""
    index, at = step.following
    path, opened = step.paths[index], step.open_paths
    kind = kind_of(network, path, at)
    lets = lets_through(network, path[at], kind, given)
    if lets and at + 2 == len(path):
        opened = (*opened, path)
    after = SeparationStep(step.paths, index, at, kind, lets, opened, network, given)
    if after.following[0] < len(step.paths):
        return after
    return SeparationStep(step.paths, index, at, kind, lets, opened, network, given, "finished")


def kind_of(network: Network, path: Path, at: int) -> Kind:
    """Return how the edges of a path meet at a variable between its ends."""
    before, x, after = path[at - 1 : at + 2]
    into = (before in network[x].parents) + (after in network[x].parents)
    return ("fork", "chain", "collider")[into]


def lets_through(network: Network, x: str, kind: Kind, given: Path) -> bool:
    """Return whether a variable lets a path through."""
    if kind == "collider":
        return any(each in given for each in (x, *descendants(network, x)))
    return x not in given


def descendants(network: Network, x: str) -> list[str]:
    """Return the variables that x leads to along edges."""
    found = {x}
    for name, node in network.items():  # parents come first
        if found & set(node.parents):
            found.add(name)
    return [name for name in network if name in found and name != x]


def paths(network: Network, a: str, b: str) -> tuple[Path, ...]:
    """Return every way from a to b that meets no variable twice, the shortest first."""
    beside: dict[str, list[str]] = {name: [] for name in network}
    for u, x in edges(network):
        beside[u].append(x)
        beside[x].append(u)

    def onward(path: Path) -> Iterator[Path]:
        if path[-1] == b:
            yield path
            return
        for name in beside[path[-1]]:
            if name not in path:
                yield from onward((*path, name))

    return tuple(sorted(onward((a,)), key=len))


@dataclass(frozen=True, eq=False)
class SeparationStep(Record):
    """The variable at place `at` of path `index`, its kind there, and whether it lets through.

    open_paths : those found open so far. At step 0 no variable has been looked at. Paths without a
    variable between their ends are open.
    """

    is_model = False

    paths: tuple[Path, ...]
    index: int
    at: int
    kind: Kind | None
    lets: bool | None
    open_paths: tuple[Path, ...]
    network: Network = field(repr=False, compare=False)
    given: Path = field(repr=False, compare=False)
    event: str | None = None

    @property
    def following(self) -> tuple[int, int]:
        """Return the path and the place that the next step looks at; after all, len(paths), 1."""
        index, at = self.index, self.at + 1
        if self.lets is False or at + 1 >= len(self.paths[index]):
            index, at = index + 1, 1
        return index, at

    @property
    def separated(self) -> bool:
        """Return whether no path is open; this is the verdict at the last step."""
        return not self.open_paths
