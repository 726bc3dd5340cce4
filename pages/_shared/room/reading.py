"""Values that came from a browser as JSON; reading raises ValueError for what is not expected."""

import json
import math
from typing import Any

MOST_TEXT = 2000  # characters of a text
DIGITS = 4  # of a share of the picture


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


def share(value: float) -> float:
    """Return a share of the picture, moved into it and rounded."""
    return round(min(max(value, 0.0), 1.0), DIGITS)


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")
