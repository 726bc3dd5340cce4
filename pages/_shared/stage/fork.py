"""The changed step of a run ("What if"): a parameter of the lab, and others for the change.

The other parameters have a scope of their own, so that they start from their defaults each time. In
some labs, points of the data can be moved from this step on: "row,x,y;row,x,y" in the address.
"""

import numpy as np
from numpy import ndarray

from pages._shared.data import edits
from pages._shared.data.decimals import MAX_VALUE
from pages._shared.data.session_data import SessionData
from pages._shared.session.state import Session
from pages._shared.session.values import plain_minus
from viz.core.words import number

NAME = "fork"  # of the parameter; 0: no step is changed
WAYS = "if."  # the start of the names of the other parameters
MOVED = "points"  # the parameter for the points moved by hand
MOST_TOLD = 3  # moved points that a text lists

Moved = dict[int, tuple[float, float]]  # where points were moved to, by their rows


def scope(page: str) -> str:
    """Return the scope of the parameters of the change; it begins with the page's name."""
    return f"{page} forked"


def turn(here: Session, step: int) -> None:
    """Change a step; if a step is changed already, go back to the original run."""
    if NAME not in here.declared:
        return  # in this mode, steps cannot be changed
    forked = here.declared[NAME].value
    end(here, here.page)
    if not forked:
        here.kept[here.page][NAME] = step


def move(here: Session, request: dict) -> None:
    """Move a point from the changed step on. request : its "index", and where "to".

    Raise ValueError, LookupError, TypeError or OverflowError for anything else.
    """
    board = here.part(SessionData).board
    row, (x, y) = edits.moved(board.data, request, board.bounds)
    if NAME not in here.declared or not here.declared[NAME].value:
        return  # no step is changed
    kept = here.kept.setdefault(scope(here.page), {})
    moved = read_moved(kept.get(MOVED, "")) | {row: (float(x), float(y))}
    kept[MOVED] = ";".join(f"{row},{x!r},{y!r}" for row, (x, y) in moved.items())


def parse_moved(count: int, text: str) -> str:
    """Return the text if it moves some of `count` points; raise ValueError otherwise."""
    try:
        rows, places = list(read_moved(text)), list(read_moved(text).values())
    except ValueError:
        raise ValueError(f"“{text[:40]}” is not a list of moved points row,x,y;row,x,y") from None
    if rows and not 0 <= min(rows) <= max(rows) < count:
        raise ValueError(f"not all rows are between 0 and {count - 1}")
    if not (np.abs(np.array(places)) <= MAX_VALUE).all():
        raise ValueError(f"not all places are within ±{MAX_VALUE:g}")
    return text


def read_moved(text: str) -> Moved:
    """Return the rows and places of the moved points from their text in the address."""
    each = (point.split(",") for point in plain_minus(text).split(";") if text)
    return {int(row): (float(x), float(y)) for row, x, y in each}


def moved_told(text: str) -> str:
    """Write which points were moved by hand, and where to."""
    moved = read_moved(text)
    if len(moved) > MOST_TOLD:
        return f"{len(moved)} points"
    each = [f"point {row + 1} to ({number(x, 4)}, {number(y, 4)})" for row, (x, y) in moved.items()]
    return ", ".join(each) or "none"


def rows_and_places(text: str) -> tuple[ndarray, ndarray]:
    """Return the (m,) rows of the moved points, and their new (m, 2) places."""
    moved = read_moved(text)
    return np.array(list(moved), int), np.array(list(moved.values()))


def end(here: Session, page: str) -> None:
    """Go back to the original run."""
    here.kept.pop(scope(page), None)
    here.kept[page].pop(NAME, None)
