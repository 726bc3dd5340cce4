"""The lattice of all subsets of a few things, level by level: the empty set above, all below."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy import ndarray

from viz.core import plane
from viz.core.graph import Graph, Look, note
from viz.core.scene import Figure
from viz.core.theme import GREY

_WIDE, _HIGH = 520.0, 510.0  # pixels of a picture at the usual size
_ABOVE = 13.0  # pixels from the middle of a node to the ends of its links
_LINE = 20.0  # pixels from line to line of the key
_WORDS, _SLOPE = 15.0, 24.0  # pixels on a phone: a line of words, and the links below all of them
_OVER, _UNDER = 22.0, 30.0  # pixels on a phone, above the first node and below the last
_UPPER = 28.0  # more above the first node, so that a key there ends above the second level

Subset = tuple[int, ...]  # of indices, in increasing order


class Lattice:
    """Where every subset is drawn, and what is drawn of a step.

    subsets : the empty set first, level by level. index : of each subset. links : (e, 2) of a set
    and one with one thing more.
    """

    def __init__(
        self,
        letters: Sequence[str],
        signs: dict[str, str],
        *,
        size: float = 0.0,
        key: Sequence[str] = (),
        above: bool = False,
        lines: Sequence[int] = (),
    ) -> None:
        """Lay out the subsets of things that have a letter each. signs : see `Graph`.

        size : of the nodes, at whose rims the links end. key : lines for the lower right corner, or
        for the upper left one if `above`. lines : of words below the nodes of each level. The links
        begin below them, and the levels are as far apart as a phone needs for that.
        """
        m = len(letters)
        self.letters = letters
        self.subsets: list[Subset] = [S for k in range(m + 1) for S in combinations(range(m), k)]
        self.index = {S: i for i, S in enumerate(self.subsets)}
        self.names = [self.name(S) for S in self.subsets]
        places = np.empty((len(self.subsets), 2))
        level = np.array([len(S) for S in self.subsets])
        for k in range(m + 1):
            (members,) = np.nonzero(level == k)
            across = np.linspace(-1, 1, 2 * len(members) + 1)[1::2]
            places[members] = np.column_stack([across, np.full(len(members), -float(k))])
        words = _WORDS * np.array([n + 1 if n else 0 for n in lines])  # the first has a name above
        if lines:
            down = np.maximum(words, _WORDS) + _SLOPE
            places[:, 1] = -np.concatenate([[0.0], np.cumsum(down[:-1])])[level]
        self.links = np.array(
            [
                (i, self.index[tuple(sorted((*S, j)))])
                for i, S in enumerate(self.subsets)
                for j in range(m)
                if j not in S
            ]
        )
        over, under = (_OVER + _UPPER * above, _UNDER) if lines else (0.7, 0.55)
        box = (-1.02, 1.02, float(places[-1, 1]) - under, over)
        wide, high = (box[1] - box[0]) / _WIDE, (box[3] - box[2]) / _HIGH  # of a pixel
        radius = 0.48 * plane.DIAMETER * size  # a little under the rim
        last = box[3] - high * _LINE * len(key) if above else box[2]  # the lower edge of the key
        x, side = (-1.0, "left") if above else (1.0, "right")
        notes = [
            note(x, last + high * _LINE * (len(key) - i - 0.5), text, anchor=side)
            for i, text in enumerate(key)
        ]
        group = np.zeros(len(self.subsets), int)
        sides = ["bottom" if k else "top" for k in level]  # above the first, no link starts
        self.graph = Graph(
            places, group, self.links, box, self.names, notes, signs, sides,
            rim=(radius * wide, radius * high),
            below=words[level] if lines else None,
            above=_ABOVE * high if lines else 0.0,
        )  # fmt: skip

    def name(self, subset: Subset) -> str:
        """Return the letters of a subset, ∅ for the empty one."""
        return "".join(self.letters[j] for j in subset) or "∅"

    def draw(self, group: ndarray, look: Look) -> Figure:
        """Draw a step. group : of every subset; those without a node have a grey name."""
        written = [
            text if size else f'<span style="color:{GREY}">{text}</span>'
            for text, size in zip(look.texts, look.size, strict=True)
        ]
        return replace(self.graph, group=group).draw(replace(look, texts=written))
