"""A sheet that everybody in a room draws on: a drawing is a few places in the picture.

The room knows neither the algorithm nor the data. What the drawings cost comes from the teacher's
page when the answer is shown; see pages/_shared/stage/judging.py.
"""

from dataclasses import dataclass
from typing import Any, get_args

from pages._shared.room.reading import number, numbers, share, text
from viz.core.drawing import MOST_PLACES, Shape

MOST_JUDGED = 4000  # drawings: two rounds of all phones

Places = tuple[tuple[float, float], ...]  # in the picture, as shares of its axes


@dataclass(frozen=True)
class Sheet:
    """What is to be drawn.

    text : the task. shape : see viz.core.drawing. names : of the places. start : where they begin.
    axes : the ranges of the axes (left, right, bottom, top), in data. measure : what a drawing
    costs, in words. area : the axes in the picture (left, top, width and height as shares of it).
    alt : the picture in words.
    """

    text: str
    shape: Shape
    names: tuple[str, ...]
    start: Places
    axes: tuple[float, ...]
    measure: str
    area: tuple[float, ...]
    alt: str

    def read(self, raw: Any) -> Places:
        """Return a drawing that came as JSON; places are moved into the picture."""
        return places(raw, len(self.start))

    def asked(self) -> dict[str, Any]:
        """Return what a phone may know before the answer is revealed."""
        return {**vars(self), "way": "draw"}


@dataclass(frozen=True)
class Verdict:
    """What drawings cost, None for what is no drawing; and the algorithm's with its cost."""

    costs: dict[Any, float | None]  # by drawing
    best: Places
    least: float

    def revealed(self) -> dict[str, Any]:
        """Return what every phone is told: the algorithm's drawing, and the best of the room."""
        known = [cost for cost in self.costs.values() if cost is not None]
        return {"best": self.best, "least": self.least, "room": min(known, default=None)}


def sheet(raw: dict[str, Any]) -> Sheet:
    """Return the sheet that a teacher's page has sent."""
    shape: Shape | None = next((each for each in get_args(Shape) if each == raw.get("shape")), None)
    names = raw.get("names")
    if shape is None or not isinstance(names, list) or not 1 <= len(names) <= MOST_PLACES:
        raise ValueError(f"a sheet needs a shape of {get_args(Shape)} and 1 to {MOST_PLACES} names")
    axes = numbers(raw.get("axes"), 4)
    if not (axes[0] < axes[1] and axes[2] < axes[3]):
        raise ValueError("axes must be ranges in order")
    return Sheet(
        text(raw.get("text")),
        shape,
        tuple(map(text, names)),
        places(raw.get("start"), len(names)),
        axes,
        text(raw.get("measure")),
        tuple(map(share, numbers(raw.get("area"), 4))),
        text(raw.get("alt", "")),
    )


def verdict(asked: Sheet, raw: dict[str, Any]) -> Verdict:
    """Return the verdict that a teacher's page has sent. The best drawing may leave the picture."""
    costs = raw.get("costs")
    if not isinstance(costs, list) or len(costs) > MOST_JUDGED:
        raise ValueError(f"costs must be a list of {MOST_JUDGED} pairs at most")
    best = raw.get("best")
    if not isinstance(best, list) or len(best) != len(asked.start):
        raise ValueError("best must be a drawing")
    return Verdict(
        dict(_priced(asked, pair) for pair in costs),
        tuple((x, y) for x, y in (numbers(place, 2) for place in best)),
        number(raw.get("least")),
    )


def places(raw: Any, count: int) -> Places:
    """Return `count` places in the picture."""
    if not isinstance(raw, list) or len(raw) != count:
        raise ValueError(f"{count} places are needed, got {raw!r:.40}")
    return tuple((share(x), share(y)) for x, y in (numbers(place, 2) for place in raw))


def _priced(asked: Sheet, pair: Any) -> tuple[Places, float | None]:
    if not isinstance(pair, list) or len(pair) != 2:
        raise ValueError("a drawing and its cost are needed")
    drawn, cost = pair
    return asked.read(drawn), None if cost is None else number(cost)
