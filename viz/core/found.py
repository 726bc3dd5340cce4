"""The kinds of results of a step that Compare can compare with those of another run."""

from dataclasses import dataclass

from numpy import ndarray


@dataclass(frozen=True, eq=False)
class Regions:
    """The class of every cell of a square grid over the picture, row 0 at the bottom. (s, s)."""

    classes: ndarray


@dataclass(frozen=True, eq=False)
class Groups:
    """The group of every point of the board; the numbers of the groups mean nothing. (n,)."""

    labels: ndarray


@dataclass(frozen=True, eq=False)
class Inside:
    """Which points of the board are inside a region. (n,) of bool."""

    inside: ndarray


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve over x: (m, 2) places from left to right, joined by straight lines.

    steps : it stays at the height of a place until the next one.
    """

    path: ndarray
    steps: bool = False


@dataclass(frozen=True, eq=False)
class Axis:
    """A straight line by its two ends, (2, 2); None as long as there is none."""

    ends: ndarray | None


Found = Regions | Groups | Inside | Curve | Axis
