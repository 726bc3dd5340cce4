"""The question of a room, and the answers that phones may give.

There are three ways to answer: by a button for each option, by a tap on the picture, and by a
number on a slider. A tap and a number count for the nearest option. A drawing has no options; see
sheet.py.
"""

import math
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from pages._shared.room.reading import number, numbers, share, text

Way = Literal["buttons", "tap", "number"]
# An option's index, a number, or a place in the picture; on a sheet, a tuple of places.
Answer = int | float | tuple[Any, ...]

MOST_OPTIONS = 5


@dataclass(frozen=True)
class Question:
    """What will the next step do?

    spots : for each option the answer that stands for it, unless the way is "buttons". bounds :
    the ends and the step of the slider. area : the axes in the picture (left, top, width and
    height as shares of it). alt : the picture in words.
    """

    text: str
    way: Way
    options: tuple[str, ...]
    right: int
    reason: str
    spots: tuple[Answer, ...] = ()
    bounds: tuple[float, float, float] = (0.0, 1.0, 1.0)
    area: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)
    alt: str = ""

    def read(self, raw: Any) -> Answer:
        """Return an answer that came as JSON; a place and a number are moved into their bounds."""
        if self.way == "buttons":
            if type(raw) is not int or not 0 <= raw < len(self.options):
                raise ValueError(f"an answer must be an option's index, got {raw!r:.40}")
            return raw
        if self.way == "number":
            low, high, _ = self.bounds
            return min(max(number(raw), low), high)
        x, y = numbers(raw, 2)
        return share(x), share(y)

    def option_of(self, answer: Answer) -> int:
        """Return the option that an answer counts for."""
        if self.way == "buttons":
            assert isinstance(answer, int)
            return answer
        return min(range(len(self.spots)), key=lambda i: _distance(self.spots[i], answer))

    def asked(self) -> dict[str, Any]:
        """Return what a phone may know before the answer is revealed."""
        told = {"text": self.text, "way": self.way, "alt": self.alt}
        if self.way == "buttons":
            return {**told, "options": self.options}
        return {**told, "bounds": self.bounds} if self.way == "number" else told

    def revealed(self) -> dict[str, Any]:
        """Return what a phone is told when the run has taken its step."""
        return {"right": self.options[self.right], "reason": self.reason}


def question(raw: dict[str, Any]) -> Question:
    """Return the question that a teacher's page has sent."""
    way: Way | None = next((each for each in get_args(Way) if each == raw.get("way")), None)
    options = raw.get("options")
    if way is None:
        raise ValueError(f"way must be one of {get_args(Way)}")
    if not isinstance(options, list) or not 2 <= len(options) <= MOST_OPTIONS:
        raise ValueError(f"options must be a list of 2 to {MOST_OPTIONS} texts")
    right = raw.get("right")
    if type(right) is not int or not 0 <= right < len(options):
        raise ValueError(f"right must be an option's index, got {right!r:.40}")
    found = Question(
        text(raw.get("text")),
        way,
        tuple(text(option) for option in options),
        right,
        text(raw.get("reason")),
        alt=text(raw.get("alt", "")),
    )
    if way == "number":
        low, high, step = numbers(raw.get("bounds"), 3)
        if not low < high or not 0 < step <= high - low:
            raise ValueError("bounds must be two ends in order and a positive step between them")
        found = replace(found, bounds=(low, high, step))
    if "area" in raw:
        left, top, width, height = map(share, numbers(raw["area"], 4))
        found = replace(found, area=(left, top, width, height))
    if way == "buttons":
        return found
    spots = raw.get("spots")
    if not isinstance(spots, list) or len(spots) != len(options):
        raise ValueError("spots must be a list with an answer for each option")
    return replace(found, spots=tuple(map(found.read, spots)))


def _distance(one: Answer, other: Answer) -> float:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return math.dist(one, other)
    assert not isinstance(one, tuple) and not isinstance(other, tuple)
    return abs(one - other)
