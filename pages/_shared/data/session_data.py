"""A session's data: the board, and the visitor's own table."""

from dataclasses import dataclass, field

from algorithms.data.presets import Dataset
from pages._shared.data.board import Board, empty_board
from pages._shared.data.table import NO_ANSWERS, Answers, Picks, Table
from pages._shared.session.state import session
from viz.core.scene import Bounds


@dataclass
class OwnTable:
    """The table that was loaded last, and the data set made from it."""

    table: Table | None = None
    raw: bytes = b""  # kept to be read again with other answers
    name: str = ""
    picks: Picks | None = None
    data: Dataset | None = None  # the data set made from it
    notes: tuple[str, ...] = ()
    error: str | None = None  # why the last attempt failed
    answers: Answers = NO_ANSWERS  # what the user has said about the file
    chosen: bool = False  # the user has picked columns


@dataclass
class SessionData:
    """The data of one session.

    own : the table in use. loading : the one in the dialog, which is not used yet; None if the
    dialog is shut. yours : own data that a preset has replaced.
    """

    board: Board = field(default_factory=empty_board)
    own: OwnTable = field(default_factory=OwnTable)
    loading: OwnTable | None = None
    yours: tuple[Dataset, Bounds] | None = None

    def forget(self) -> bool:
        """Drop the history and the loaded files; return whether there were any."""
        had_any = bool(self.board.past or self.board.future or self.own.raw or self.yours)
        self.board.past, self.board.future = [], []
        self.own, self.yours = OwnTable(), None
        return had_any


def session_data() -> SessionData:
    """Return the data of this visitor's session."""
    return session().part(SessionData)


def board() -> Board:
    """Return the data set that all labs of this session share."""
    return session_data().board
