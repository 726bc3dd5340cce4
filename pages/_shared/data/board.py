"""A session's data set, shared by all labs: its history and the stretch of plane it is on."""

import re
from dataclasses import dataclass, field

from algorithms.data.presets import Dataset
from pages._shared.data import edits, link
from viz.core import plane
from viz.core.scene import Bounds

HISTORY = 100


@dataclass
class Board:
    """What every lab of a session looks at."""

    data: Dataset
    bounds: Bounds
    past: list[tuple[Dataset, Bounds]] = field(default_factory=list)
    future: list[tuple[Dataset, Bounds]] = field(default_factory=list)
    preset: tuple | None = None  # its name and settings; None: these points are one's own
    measured: bool = False  # they came from a table, whose numbers painting leaves alone
    edited: bool = False  # and they are not those of the file either
    revision: int = 0  # changes when other data are loaded, and edits of the old ones are void
    page: str = ""  # the browser page whose edits were carried out last,
    done: int = 0  # and how many of them

    @property
    def own(self) -> bool:
        """Whether the points are not those of a preset: they go into the address."""
        return self.preset is None

    def load(
        self,
        data: Dataset,
        *,
        preset: tuple | None = None,
        bounds: Bounds | None = None,
        measured: bool = False,
    ) -> None:
        """Put another data set in place, a preset or one's own; undo brings the old one back."""
        self._remember()
        self.measured = measured
        alike = not measured or _one_unit(data)
        self.data, self.bounds = data, bounds or plane.bounds(data.X, alike=alike)
        self.preset, self.edited = preset, False
        self.revision += 1

    def clear(self) -> None:
        """Leave an empty plane of the same size."""
        self.load(edits.empty(), bounds=self.bounds)

    def carry_out(self, sent: dict) -> None:
        """Do the edits of one browser page that were not done before, in their order.

        sent : {"page": a token of the page, "edits": [{"number": 1, "revision": 0, ...}, ...]}.
        The page repeats an edit until it sees it done, so none is lost and none done twice.
        """
        try:
            page = str(sent["page"])
            requests = [(int(request["number"]), request) for request in sent["edits"]]
        except (KeyError, TypeError, ValueError, OverflowError):
            return  # nothing our own page would send
        for number, request in requests:
            if page == self.page and number <= self.done:
                continue
            self.page, self.done = page, number
            if request.get("revision") == self.revision:
                self._carry_out(request)

    def _carry_out(self, request: dict) -> None:
        op = request.get("op")
        if op == "undo":
            self._swap(self.past, self.future)
        elif op == "redo":
            self._swap(self.future, self.past)
        else:
            try:
                data = edits.edit(self.data, request)
            except ValueError:
                return  # the data stay as they are
            self._remember()
            # What is painted is what a link to it says, to the last digit.
            self.data = data if self.measured else link.as_read(data, self.bounds)
            self.preset, self.edited = None, True

    def _remember(self) -> None:
        self.past = [*self.past[-HISTORY + 1 :], (self.data, self.bounds)]
        self.future = []

    def _swap(self, source: list, target: list) -> None:
        if source:
            target.append((self.data, self.bounds))
            self.data, self.bounds = source.pop()
            self.preset, self.edited = None, True


def _one_unit(data: Dataset) -> bool:
    """Whether the columns on the axes name the same unit, as “petal length (cm)” does."""
    ends = [re.search(r"[(\[]([^()\[\]]+)[)\]]\s*$", data.columns[i]) for i in (data.x, data.y)]
    return None not in ends and len({end[1] for end in ends if end}) == 1
