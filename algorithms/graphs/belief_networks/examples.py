"""Belief networks with names, tables for no and yes, and places for a picture.

Sources: wet grass in its three forms, 20APC3316 (002:3046); the alarm, Pearl 1988, with the numbers
of Russell and Norvig. The storm has the graph of the notes' example of d-separation (002:3270; its
B, C, D, E, F and G are power cut, storm, fallen tree, dark lights, jam and late), with numbers of
our own.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from algorithms.graphs.belief_networks.network import Network, Node

NO, YES = 0, 1


class NamedNetwork(NamedTuple):
    """A network of variables that are yes or no.

    places : of the variables in a picture, across and up. seen : the evidence to begin with, in the
    order in which it is found. asked : two variables that it is about.
    """

    network: Network
    places: dict[str, tuple[float, float]]
    seen: tuple[str, ...]
    asked: tuple[str, str]

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Return the left, right, bottom and top edge of a picture with room around all places."""
        across, up = zip(*self.places.values(), strict=True)
        return min(across) - 0.5, max(across) + 0.5, min(up) - 0.4, max(up) + 0.4


def yes(*shares: float, parents: tuple[str, ...] = ()) -> Node:
    """Return a variable by its probabilities of yes, for the parents' values.

    These are in the order of the notes: yes and yes, yes and no, no and yes, no and no.
    """
    shape = (2,) * len(parents)
    return Node(parents, with_yes(np.array(shares[::-1]).reshape(shape)))


def with_yes(shares: Float[ndarray, "..."]) -> Float[ndarray, "... 2"]:
    """Return a table by its probabilities of yes."""
    return np.stack([1 - shares, shares], axis=-1)


BELIEF_NETWORKS = {
    "wet grass": NamedNetwork(
        {
            "Clouds": yes(0.5),
            "Sprinkler": yes(0.1, 0.5, parents=("Clouds",)),
            "Rain": yes(0.8, 0.1, parents=("Clouds",)),
            "Wet grass": yes(0.95, 0.9, 0.9, 0.1, parents=("Rain", "Sprinkler")),
        },
        {"Clouds": (1, 0), "Sprinkler": (0, -1), "Rain": (2, -1), "Wet grass": (1, -2)},
        ("Wet grass", "Rain"),
        ("Sprinkler", "Rain"),
    ),
    "two causes": NamedNetwork(
        {
            "Sprinkler": yes(0.2),
            "Rain": yes(0.4),
            "Wet grass": yes(0.95, 0.9, 0.9, 0.1, parents=("Rain", "Sprinkler")),
        },
        {"Sprinkler": (0, 0), "Rain": (2, 0), "Wet grass": (1, -1.4)},
        ("Wet grass", "Rain"),
        ("Sprinkler", "Rain"),
    ),
    "a chain": NamedNetwork(
        {
            "Clouds": yes(0.4),
            "Rain": yes(0.8, 0.1, parents=("Clouds",)),
            "Wet grass": yes(0.9, 0.2, parents=("Rain",)),
        },
        {"Clouds": (0, 0), "Rain": (1, -1), "Wet grass": (2, -2)},
        ("Wet grass",),
        ("Clouds", "Wet grass"),
    ),
    "burglar alarm": NamedNetwork(
        {
            "Burglary": yes(0.001),
            "Earthquake": yes(0.002),
            "Alarm": yes(0.95, 0.94, 0.29, 0.001, parents=("Burglary", "Earthquake")),
            "John calls": yes(0.9, 0.05, parents=("Alarm",)),
            "Mary calls": yes(0.7, 0.01, parents=("Alarm",)),
        },
        {
            "Burglary": (0, 0), "Earthquake": (2, 0), "Alarm": (1, -1),
            "John calls": (0, -2), "Mary calls": (2, -2),
        },
        ("Mary calls", "John calls"),
        ("Burglary", "Earthquake"),
    ),
    "storm": NamedNetwork(
        {
            "Storm": yes(0.2),
            "Power cut": yes(0.4, 0.05, parents=("Storm",)),
            "Fallen tree": yes(0.5, 0.05, parents=("Storm",)),
            "Dark lights": yes(0.9, 0.1, parents=("Power cut",)),
            "Jam": yes(0.95, 0.8, 0.7, 0.2, parents=("Fallen tree", "Dark lights")),
            "Late": yes(0.9, 0.2, parents=("Jam",)),
        },
        {
            "Storm": (1, 0), "Power cut": (0, -0.8), "Fallen tree": (2, -1.2),
            "Dark lights": (0, -1.9), "Jam": (1, -2.6), "Late": (2, -3.3),
        },
        ("Late", "Fallen tree"),
        ("Power cut", "Fallen tree"),
    ),
}  # fmt: skip


def table_rows(network: Network) -> list[tuple[str, tuple[int, ...]]]:
    """Return every row of every table: its variable and the parents' values, yes first."""
    return [
        (name, tuple(YES - i for i in index))
        for name, node in network.items()
        for index in np.ndindex(*node.table.shape[:-1])
    ]


def row_places(network: Network) -> ndarray:
    """Return where the tops of the bars of all tables are: x, with gaps, and P(yes)."""
    found, x, last = [], 0.0, None
    for name, index in table_rows(network):
        x += 0.0 if last is None else 1.0 if name == last else 2.0
        found.append([x, network[name].table[index][YES]])
        last = name
    return np.array(found)
