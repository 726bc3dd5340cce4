"""Places that the user drags, as text in the address: "x,y;x,y"."""

from collections.abc import Iterable

import numpy as np
from numpy import ndarray

from pages._shared.session.values import plain_minus
from viz.core.words import number


def places_text(places: Iterable) -> str:
    """Write (k, 2) places, with four digits each."""
    return ";".join(f"{float(x):.4g},{float(y):.4g}" for x, y in places)


def parse_places(count: int, text: str) -> str:
    """Return the text if it has `count` places; raise ValueError, with a sentence, otherwise."""
    try:
        places = read_places(text)
    except ValueError:
        raise ValueError(f"“{text[:40]}” is not a list of places x,y;x,y") from None
    if places.shape != (count, 2) or not np.isfinite(places).all():
        raise ValueError(f"it needs {count} places x,y")
    return text


def read_places(text: str) -> ndarray:
    """Return the (k, 2) places that `places_text` wrote."""
    places = plain_minus(text).split(";")
    return np.array([list(map(float, place.split(","))) for place in places])


def places_told(text: str) -> str:
    """Write places as captions do: (0.5, −1), (2, 0)."""
    return ", ".join(f"({number(x, 4)}, {number(y, 4)})" for x, y in read_places(text).tolist())
