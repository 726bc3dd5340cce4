"""A session's data set, shared by all labs: its history, and the bounds of the plane it is on."""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from algorithms.data.presets import Dataset
from pages._shared.data import edits, link
from pages._shared.data.decimals import FINE
from viz.core import plane
from viz.core.scene import Bounds

HISTORY = 100  # undo steps that are kept at most
MOST_BYTES = 8 * 2**20  # of all data sets in one history
FEW, FINER = 300, 6  # so many points have room in an address for a 1,000,000th of the picture
MOST_EDITS = 500  # that are read from one message; the page repeats the others


class InAddress(NamedTuple):
    """The text that stands for the points in the address."""

    text: str
    note: str  # says what the address leaves out; "" if it holds everything


# data, bounds of the picture, and the preset if the data are one
Held = tuple[Dataset, Bounds, tuple | None]


@dataclass
class Board:
    """The data that every lab of a session shows."""

    data: Dataset
    bounds: Bounds
    past: list[Held] = field(default_factory=list)
    future: list[Held] = field(default_factory=list)
    preset: tuple | None = None  # its name and settings; None for the visitor's own points
    edited: bool = False  # the visitor's own points differ from those of the loaded file
    revision: int = 0  # changes when other data are loaded; edits of an older revision are void
    page: str = ""  # the browser page whose edits were carried out last
    done: int = 0  # number of its edits that were carried out
    # edits that came too late, since the data had been replaced; the page has not said so yet
    void: int = 0
    _written: tuple[Dataset, Bounds, InAddress] | None = None

    @property
    def own(self) -> bool:
        """Return whether the points are the visitor's own; only such points go into the address."""
        return self.preset is None

    def load(
        self,
        data: Dataset,
        *,
        preset: tuple | None = None,
        bounds: Bounds | None = None,
        measured: bool = False,
    ) -> None:
        """Put other data on the board, a preset or the visitor's own; undo brings back the old.

        measured : the data came from a table, whose columns may have different units.
        """
        self._remember()
        # The menus will name another preset, so the old points come back as the visitor's own.
        self.past = [(held, around, None) for held, around, _ in self.past]
        alike = not measured or _one_unit(data)
        self.data, self.bounds = data, bounds or plane.bounds(data.X, alike=alike)
        self.preset, self.edited = preset, False
        self.revision += 1

    def clear(self) -> None:
        """Leave an empty plane of the same size."""
        self.load(edits.empty(), bounds=self.bounds)

    def in_address(self) -> InAddress:
        """Return what goes into the address; it is computed once for the same data."""
        if self.own is False:
            return InAddress("", "")
        data, bounds = self.data, self.bounds
        if not self._written or self._written[0] is not data or self._written[1] != bounds:
            self._written = (data, bounds, _in_address(data, bounds))
        return self._written[2]

    def carry_out(self, sent: dict) -> None:
        """Carry out the edits of a browser page that were not carried out before, in their order.

        sent : {"page": a token of the page, "edits": [{"number": 1, "revision": 0, ...}, ...]}. The
        page repeats an edit until Python confirms it, so every edit is carried out exactly once.
        """
        try:
            page = str(sent["page"])
            edits_sent = sent["edits"][:MOST_EDITS]
            requests = [(int(request["number"]), request) for request in edits_sent]
        except (KeyError, TypeError, ValueError, OverflowError):
            return  # Our own page would not send this.
        for number, request in requests:
            if page == self.page and number <= self.done:
                continue
            self.page, self.done = page, number
            if request.get("revision") == self.revision:
                self._carry_out(request)
            else:
                self.void += 1

    def _carry_out(self, request: dict) -> None:
        op = request.get("op")
        if op == "undo":
            self._swap(self.past, self.future)
        elif op == "redo":
            self._swap(self.future, self.past)
        else:
            try:
                data = edits.edit(self._as_own(), request, self.bounds)
            except ValueError:
                return  # the edit is ignored
            self._remember()
            self.data = data
            self.preset, self.edited = None, True

    def _as_own(self) -> Dataset:
        """Return the points as the visitor's own.

        Those of a preset are rounded for the address: not seen in any number while they are few.
        """
        if self.own:
            return self.data
        fine = FINER if len(self.data.table) <= FEW else FINE
        return link.as_painted(self.data, self.bounds, fine)

    def _remember(self) -> None:
        self.past, self.future = [*self.past, (self.data, self.bounds, self.preset)], []
        _bound(self.past)

    def _swap(self, source: list, target: list) -> None:
        if source:
            target.append((self.data, self.bounds, self.preset))
            _bound(target)
            self.data, self.bounds, self.preset = source.pop()
            self.edited = self.own


def empty_board() -> Board:
    """Return a board without points."""
    nothing = edits.empty()
    return Board(nothing, plane.bounds(nothing.X))


def _one_unit(data: Dataset) -> bool:
    """Return whether the columns on the axes name the same unit, as “petal length (cm)” does."""
    ends = [re.search(r"[(\[]([^()\[\]]+)[)\]]\s*$", data.columns[i]) for i in (data.x, data.y)]
    return None not in ends and len({end[1] for end in ends if end}) == 1


def _bound(history: list[Held]) -> None:
    """Drop the oldest data sets until the history is within its bounds."""
    kept, used = 0, 0
    for data, *_ in reversed(history):
        used += data.table.nbytes + data.labels.nbytes
        if used > MOST_BYTES or kept == HISTORY:
            break
        kept += 1
    del history[: len(history) - kept]


def _in_address(data: Dataset, bounds: Bounds) -> InAddress:
    note = ""
    text = link.encode(data, bounds)
    if text is None and (text := link.encode(link.on_plane(data), bounds)):
        data, note = link.on_plane(data), "Only the columns on the axes fit into the address. "
    if text is None:
        note = "There are too many points for the address. To keep or share them, download them."
        return InAddress(link.absent(len(data.table)), note)
    if not link.is_exact(text, data):
        note += "In the address, numbers are rounded by at most 1 part in 4,096. "
    return InAddress(text, f"{note}To keep everything, download the points." if note else "")
