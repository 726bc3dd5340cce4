"""The session's data set, shared by all labs: its history and the stretch of plane it is on."""

from dataclasses import dataclass, field

import streamlit as st

from algorithms.datasets import Dataset
from pages._shared import edits
from viz import plane

HISTORY = 100


@dataclass
class Board:
    """What every lab of a session looks at."""

    data: Dataset
    bounds: plane.Bounds
    past: list[tuple[Dataset, plane.Bounds]] = field(default_factory=list)
    future: list[tuple[Dataset, plane.Bounds]] = field(default_factory=list)
    edited: bool = False  # the points are no longer those of the preset or file
    revision: int = 0  # changes when other data are loaded, and edits of the old ones are void
    page: str = ""  # the browser page whose edits were carried out last,
    done: int = 0  # and how many of them

    def load(self, data: Dataset) -> None:
        """Put another data set in place; undo brings the old one back."""
        self._remember()
        self.data, self.bounds = data, plane.bounds(data.X)
        self.edited = False
        self.revision += 1

    def clear(self) -> None:
        """Leave an empty plane of the same size."""
        bounds = self.bounds
        self.load(edits.empty())
        self.bounds, self.edited = bounds, True

    def carry_out(self, sent: dict) -> None:
        """Do the edits of one browser page that were not done before, in their order.

        sent : {"page": a token of the page, "edits": [{"number": 1, "revision": 0, ...}, ...]}.
        The page repeats an edit until it sees it done, so none is lost and none done twice.
        """
        page = str(sent["page"])
        for request in sent["edits"]:
            number = int(request["number"])
            if page == self.page and number <= self.done:
                continue
            self.page, self.done = page, number
            if request.get("revision") == self.revision:
                self._carry_out(request)

    def _carry_out(self, request: dict) -> None:
        if request["op"] == "undo":
            self._swap(self.past, self.future)
        elif request["op"] == "redo":
            self._swap(self.future, self.past)
        else:
            try:
                data = edits.edit(self.data, request)
            except (ValueError, KeyError, TypeError, IndexError):
                return  # not an edit our own page would send: the data stay as they are
            self._remember()
            self.data, self.edited = data, True

    def _remember(self) -> None:
        self.past = [*self.past[-HISTORY + 1 :], (self.data, self.bounds)]
        self.future = []

    def _swap(self, source: list, target: list) -> None:
        if source:
            target.append((self.data, self.bounds))
            self.data, self.bounds = source.pop()
            self.edited = True


def board() -> Board:
    """Give this session's board."""
    if "board" not in st.session_state:
        data = edits.empty()
        st.session_state.board = Board(data, plane.bounds(data.X))
    return st.session_state.board
