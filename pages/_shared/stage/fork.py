"""Which step of a run is changed: a parameter of the lab, with others that say how.

Those others have a scope of their own, so that each time they start anew. In some labs points of
the data can be among what is otherwise from there on: "row,x,y;row,x,y" in the address.
"""

import numpy as np
from numpy import ndarray

from pages._shared.data import edits
from pages._shared.data.decimals import MAX_VALUE
from pages._shared.data.session_data import SessionData
from pages._shared.session.state import Session
from pages._shared.session.values import plain_minus
from viz.core.words import number

NAME = "fork"  # in the address; 0: every step is as it was
WAYS = "if."  # before the names of those that say how
MOVED = "points"  # the name of the points moved by hand
MOST_TOLD = 3  # of these points

Moved = dict[int, tuple[float, float]]  # where points were moved to, by their rows


def scope(page: str) -> str:
    """Name the scope of the parameters that say how; it begins as that of the page does."""
    return f"{page} forked"


def turn(here: Session, step: int) -> None:
    """Change a step; if one is changed already, have all of them as they were."""
    if NAME not in here.declared:
        return  # this mode has no such steps
    forked = here.declared[NAME].value
    end(here, here.page)
    if not forked:
        here.kept[here.page][NAME] = step


def move(here: Session, request: dict) -> None:
    """Have a point elsewhere from that step on. request : its "index", and "to" where.

    Raises ValueError, LookupError, TypeError or OverflowError if it is no such thing.
    """
    board = here.part(SessionData).board
    row, (x, y) = edits.moved(board.data, request, board.bounds)
    if NAME not in here.declared or not here.declared[NAME].value:
        return  # no step is changed
    kept = here.kept.setdefault(scope(here.page), {})
    moved = read_moved(kept.get(MOVED, "")) | {row: (float(x), float(y))}
    kept[MOVED] = ";".join(f"{row},{x!r},{y!r}" for row, (x, y) in moved.items())


def parse_moved(count: int, text: str) -> str:
    """Give the text back if it moves some of so many points; raises ValueError, with a sentence."""
    try:
        rows, places = list(read_moved(text)), list(read_moved(text).values())
    except ValueError:
        raise ValueError(f"“{text[:40]}” is not a list of moved points row,x,y;row,x,y") from None
    if rows and not 0 <= min(rows) <= max(rows) < count:
        raise ValueError(f"its rows are not all between 0 and {count - 1}")
    if not (np.abs(np.array(places)) <= MAX_VALUE).all():
        raise ValueError(f"its places are not all within ±{MAX_VALUE:g}")
    return text


def read_moved(text: str) -> Moved:
    """Return the rows and places of the points that were moved by hand, as the address has them."""
    each = (point.split(",") for point in plain_minus(text).split(";") if text)
    return {int(row): (float(x), float(y)) for row, x, y in each}


def moved_told(text: str) -> str:
    """Say which points were moved by hand, and where to."""
    moved = read_moved(text)
    if len(moved) > MOST_TOLD:
        return f"{len(moved)} points"
    each = [f"point {row + 1} to ({number(x, 4)}, {number(y, 4)})" for row, (x, y) in moved.items()]
    return ", ".join(each) or "none"


def rows_and_places(text: str) -> tuple[ndarray, ndarray]:
    """Give the (m,) rows of the points that were moved, and the (m, 2) places they went to."""
    moved = read_moved(text)
    return np.array(list(moved), int), np.array(list(moved.values()))


def end(here: Session, page: str) -> None:
    """Have all steps as they were."""
    here.kept.pop(scope(page), None)
    here.kept[page].pop(NAME, None)
