"""The question of a room, and the answers that phones may give.

There are three ways to answer: by a button for each option, by a tap on the picture, and by a
number on a slider. A tap and a number count for the nearest option. What comes from a browser is
data of any shape; reading it raises ValueError unless it has the shape that is expected.
"""

import json
import math
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

Way = Literal["buttons", "tap", "number"]
Answer = int | float | tuple[float, float]  # an option's index, a number, or a place in the picture

MOST_OPTIONS = 5
MOST_TEXT = 2000  # characters of a text
DIGITS = 4  # of a share of the picture


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
        return _share(x), _share(y)

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
        left, top, width, height = map(_share, numbers(raw["area"], 4))
        found = replace(found, area=(left, top, width, height))
    if way == "buttons":
        return found
    spots = raw.get("spots")
    if not isinstance(spots, list) or len(spots) != len(options):
        raise ValueError("spots must be a list with an answer for each option")
    return replace(found, spots=tuple(map(found.read, spots)))


def message(sent: Any, most: int) -> dict[str, Any]:
    """Return a message of at most `most` characters as a dictionary."""
    if not isinstance(sent, str) or len(sent) > most:
        raise ValueError(f"a message must be a text of {most} characters at most")
    try:
        found = json.loads(sent, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("a message may not be nested deeply") from None
    if not isinstance(found, dict):
        raise ValueError("a message must be an object")
    return found


def text(raw: Any) -> str:
    """Return a text of bounded length that can be sent again."""
    if not isinstance(raw, str) or len(raw) > MOST_TEXT:
        raise ValueError(f"a text may have {MOST_TEXT} characters")
    return raw.encode("utf-8", "replace").decode()  # half a surrogate pair cannot be sent


def number(raw: Any) -> float:
    """Return a finite number; a truth value is none."""
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        raise ValueError(f"a number is needed, got {raw!r:.40}")
    try:
        found = float(raw)
    except OverflowError:
        found = math.inf
    if not math.isfinite(found):
        raise ValueError("a number must be finite")
    return found


def numbers(raw: Any, count: int) -> tuple[float, ...]:
    """Return a list of `count` finite numbers."""
    if not isinstance(raw, list) or len(raw) != count:
        raise ValueError(f"{count} numbers are needed, got {raw!r:.40}")
    return tuple(map(number, raw))


def _share(value: float) -> float:
    return round(min(max(value, 0.0), 1.0), DIGITS)


def _distance(one: Answer, other: Answer) -> float:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return math.dist(one, other)
    assert not isinstance(one, tuple) and not isinstance(other, tuple)
    return abs(one - other)


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")
