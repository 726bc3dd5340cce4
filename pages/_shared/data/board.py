"""The session's data set, shared by all labs: its history and the stretch of plane it is on."""

from dataclasses import dataclass, field

import streamlit as st

from algorithms.data.presets import Dataset
from pages._shared.data import edits
from viz.core import plane

HISTORY = 100


@dataclass
class Board:
    """What every lab of a session looks at."""

    data: Dataset
    bounds: plane.Bounds
    past: list[tuple[Dataset, plane.Bounds]] = field(default_factory=list)
    future: list[tuple[Dataset, plane.Bounds]] = field(default_factory=list)
    own: bool = False  # the points are not those of the preset: they go into the address
    edited: bool = False  # and they are not those of the file either
    revision: int = 0  # changes when other data are loaded, and edits of the old ones are void
    page: str = ""  # the browser page whose edits were carried out last,
    done: int = 0  # and how many of them

    def load(self, data: Dataset, *, own: bool, bounds: plane.Bounds | None = None) -> None:
        """Put another data set in place, a preset or one's own; undo brings the old one back."""
        self._remember()
        self.data, self.bounds = data, bounds or plane.bounds(data.X)
        self.own, self.edited = own, False
        self.revision += 1

    def clear(self) -> None:
        """Leave an empty plane of the same size."""
        self.load(edits.empty(), own=True, bounds=self.bounds)

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
            self.data = data
            self.own = self.edited = True

    def _remember(self) -> None:
        self.past = [*self.past[-HISTORY + 1 :], (self.data, self.bounds)]
        self.future = []

    def _swap(self, source: list, target: list) -> None:
        if source:
            target.append((self.data, self.bounds))
            self.data, self.bounds = source.pop()
            self.own = self.edited = True


def board() -> Board:
    """Give this session's board."""
    if "board" not in st.session_state:
        data = edits.empty()
        st.session_state.board = Board(data, plane.bounds(data.X))
    return st.session_state.board
