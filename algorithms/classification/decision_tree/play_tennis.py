"""Tables of examples with categorical attributes, and Quinlan's 14 days (1986)."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from algorithms.core.record import Record


@dataclass(frozen=True, eq=False)
class Table(Record):
    """Examples with categorical attributes and a class, all as indices into their names."""

    attributes: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]  # of each attribute
    target: str
    classes: tuple[str, ...]
    examples: Int[ndarray, "n a"]
    labels: Int[ndarray, " n"]

    def class_counts(self, rows: Int[ndarray, " m"], attribute: int) -> Int[ndarray, "v k"]:
        """Return how many of the examples with each value of an attribute are of each class."""
        counts = np.zeros((len(self.values[attribute]), len(self.classes)), int)
        np.add.at(counts, (self.examples[rows, attribute], self.labels[rows]), 1)
        return counts


def table(text: str) -> Table:
    """Read a table from words: a line of names, then a line per example, the class last.

    Raises ValueError if there is no example, or a line has more or fewer words than the first.
    """
    (*attributes, target), *rows = [line.split() for line in text.strip().splitlines()]
    if not rows or not attributes:
        raise ValueError("a table needs a line of names and at least one example")
    for number, row in enumerate(rows, 1):
        if len(row) != len(attributes) + 1:
            raise ValueError(f"example {number} must have {len(attributes) + 1} words, got {row}")
    # In the order in which they appear, as the textbook writes them.
    columns = [tuple(dict.fromkeys(column)) for column in zip(*rows, strict=True)]
    codes = np.array(
        [[names.index(word) for names, word in zip(columns, row, strict=True)] for row in rows]
    )
    return Table(
        tuple(attributes), tuple(columns[:-1]), target, columns[-1], codes[:, :-1], codes[:, -1]
    )


PLAY_TENNIS = table("""
    Outlook  Temperature Humidity Wind   PlayTennis
    Sunny    Hot         High     Weak   No
    Sunny    Hot         High     Strong No
    Overcast Hot         High     Weak   Yes
    Rain     Mild        High     Weak   Yes
    Rain     Cool        Normal   Weak   Yes
    Rain     Cool        Normal   Strong No
    Overcast Cool        Normal   Strong Yes
    Sunny    Mild        High     Weak   No
    Sunny    Cool        Normal   Weak   Yes
    Rain     Mild        Normal   Weak   Yes
    Sunny    Mild        Normal   Strong Yes
    Overcast Mild        High     Strong Yes
    Overcast Hot         Normal   Weak   Yes
    Rain     Mild        High     Strong No
""")
