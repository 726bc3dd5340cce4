"""Parts that the modes share: the names of sets, and the baskets as a table."""

from collections.abc import Iterable, Sequence
from html import escape

import numpy as np
from numpy import ndarray

from algorithms.clustering.apriori.examples import Baskets
from viz.core import plane
from viz.core.graph import note, strokes, without_axes
from viz.core.scene import Figure
from viz.core.theme import GREY, PALETTE
from viz.core.words import number

FREQUENT, INFREQUENT, PRUNED = 0, 1, 2  # groups, for colours and symbols
_FRAME = np.array([[-0.45, -0.5], [-0.45, 0.5], [0.45, 0.5], [0.45, -0.5], [-0.45, -0.5]])
_FEW = 12  # baskets whose numbers are all written


def letters(table: Baskets) -> list[str]:
    """Return the initials of the items."""
    return [name[0].upper() for name in table.items]


def words(table: Baskets, itemset: Iterable[int]) -> str:
    """Write a set with the names of its items: bread + milk."""
    return " + ".join(table.items[j] for j in itemset)


def share(count: int, total: int) -> str:
    """Write a share with its counts: 4/10 = 0.4."""
    return f"{count}/{total} = {number(count / total)}"


class Table:
    """The baskets side by side, and a row for each item: the inverted index."""

    def __init__(self, table: Baskets, edited: int) -> None:
        """Lay out the table. edited : the basket whose items can be changed."""
        self.held = np.array([[item in held for item in table.items] for held in table.held])
        n, m = self.held.shape
        every = 1 if n <= _FEW else 5
        shown = [i for i in range(n) if i == 0 or (i + 1) % every == 0]
        rows = [
            note(-0.7, -j, f"<b>{letter}</b> {escape(name)}", anchor="right")
            for j, (letter, name) in enumerate(zip(letters(table), table.items, strict=True))
        ]
        columns = [note(i, -m, str(i + 1)) for i in shown]
        self.notes = [*rows, *columns, note(-0.7, -m, "basket", anchor="right")]
        wide = max(len(name) for name in (*table.items, "basket")) + 2
        self.box = (-0.7 - 0.026 * wide * n, n - 0.4, -m - 1.1, 0.7)
        self.edited = np.array([[edited, -m - 0.75]])

    def draw(self, itemset: Sequence[int], group: int = FREQUENT) -> Figure:
        """Draw the table, with a set's items and the baskets that hold all of it.

        group : of the set, for its colour.
        """
        chosen = np.zeros(self.held.shape[1], bool)
        chosen[list(itemset)] = True
        (whole,) = np.nonzero(self.held[:, chosen].all(axis=1) & chosen.any())
        top, bottom = min(itemset, default=0), max(itemset, default=0)
        frames = [_FRAME * [1, bottom - top + 1] + [i, -(top + bottom) / 2] for i in whole.tolist()]
        up, left = {"symbol": 5, "size": 11}, self.edited[0, 0] < len(self.held) / 2
        traces = [
            self._squares(self.held & ~chosen, GREY, "the basket holds the item"),
            self._squares(
                self.held & chosen, PALETTE[group], "it holds an item of the set at hand"
            ),
            strokes(
                np.array(frames).reshape(-1, 5, 2), line={"width": 2.5},
                name="frame: it holds the whole set",
            ),
            plane.line(
                self.edited, mode="markers+text", marker=up, cliponaxis=False,
                text=["\u00a0to change\u00a0"],
                textposition=f"middle {'right' if left else 'left'}",
                name="the basket whose items can be changed",
            ),
        ]  # fmt: skip
        return {"data": traces, "layout": without_axes(self.box, self.notes)}

    def _squares(self, where: ndarray, color: str, name: str) -> dict:
        """Draw squares in some cells."""
        cells = np.argwhere(where)
        places = cells * np.array([1.0, -1.0]) if len(cells) else plane.GAP
        look = {"symbol": 1, "size": 13, "color": color}
        ids = [*map(str, cells.tolist())]  # no square travels to another cell
        return plane.line(places, mode="markers", marker=look, name=name, ids=ids)
