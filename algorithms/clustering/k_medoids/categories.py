"""Tables of categories: animals, and answers by chance."""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Int
from numpy import ndarray
from numpy.random import Generator

from algorithms.core.record import Record


@dataclass(frozen=True, eq=False)
class Categories(Record):
    """Rows with a name each. rows : (n, d) indices into the values of each column."""

    names: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    rows: Int[ndarray, "n d"]

    def changed(self, row: int, column: int, value: int) -> "Categories":
        """Return the table with another value in one cell."""
        rows = self.rows.copy()
        rows[row, column] = value
        return replace(self, rows=rows)


def _read(text: str) -> Categories:
    """Read a table from words: a line of names, then a line for each row, its name first."""
    (_, *columns), *lines = [line.split() for line in text.strip().splitlines()]
    names, *cells = zip(*lines, strict=True)
    values = [tuple(dict.fromkeys(column)) for column in cells]
    codes = [[list(v).index(x) for x in col] for v, col in zip(values, cells, strict=True)]
    return Categories(tuple(names), tuple(columns), tuple(values), np.array(codes).T)


ANIMALS = _read("""
animal   skin     legs moves food   young
fox      fur      4    walks both   born
eagle    feathers 2    flies meat   eggs
trout    scales   0    swims meat   eggs
cow      fur      4    walks plants born
penguin  feathers 2    swims meat   eggs
shark    scales   0    swims meat   born
sparrow  feathers 2    flies both   eggs
lion     fur      4    walks meat   born
carp     scales   0    swims both   eggs
bat      fur      2    flies meat   born
ostrich  feathers 2    walks both   eggs
lizard   scales   4    walks meat   eggs
goose    feathers 2    flies plants eggs
mouse    fur      4    walks both   born
""")


def by_chance(n: int = 14, columns: int = 5, values: int = 3, *, rng: Generator) -> Categories:
    """Return rows whose values are drawn by chance, each column for itself."""
    names = tuple(f"row {i}" for i in range(1, n + 1))
    questions = tuple(f"column {j}" for j in range(1, columns + 1))
    letters = tuple("abcdefgh"[:values])
    return Categories(
        names, questions, (letters,) * columns, rng.integers(values, size=(n, columns))
    )
