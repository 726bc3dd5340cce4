"""The part of the address that is not a parameter: step, zoom, presenter mode and layers.

The browser writes these while the user plays and zooms (stage/address.js); Python reads them when a
link is opened. Everything else in the address is a parameter, which Python writes.
"""

from collections.abc import Mapping
from typing import NamedTuple

from pages._shared.session.values import MOST_QUOTED, Parse, number

Shares = tuple[float, float, float, float]
NAMES = ("step", "zoom", "present", "layers")
MOST_LAYERS = 200  # characters of their names


class Look(NamedTuple):
    """What a link asks for besides parameters.

    zoom : left, right, bottom, top as shares. layers : the names of those that were switched.
    """

    step: int = 0
    zoom: Shares | None = None
    present: bool = False
    layers: tuple[str, ...] = ()


def parameters_of(address: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters in an address."""
    return {name: text for name, text in address.items() if name not in NAMES}


def look_of(address: Mapping[str, str]) -> dict[str, str]:
    """Return step, zoom, presenter mode and layers in an address, as texts."""
    return {name: text for name, text in address.items() if name in NAMES}


def read_look(address: Mapping[str, str], end: int) -> tuple[Look, list[str]]:
    """Read the look of a run whose last step is `end`, and return it with a list of errors.

    Entries that are missing or cannot be read have their defaults.
    """
    ways: dict[str, tuple[str, Parse]] = {
        "step": ("Step", number(int, 0, end)),
        "zoom": ("Zoom", _shares),
        "present": ("Presenter mode", _yes),
        "layers": ("Layers", _names),
    }
    found, refused = {}, []
    for name, text in look_of(address).items():
        label, parse = ways[name]
        try:
            found[name] = parse(text)
        except ValueError as error:
            refused.append(f"{label}: {error}")
    return Look(**found), refused


def look_texts(look: Look) -> dict[str, str]:
    """Return the entries that differ from their defaults, as texts."""
    texts = {
        "step": str(look.step) if look.step else "",
        "zoom": ",".join(f"{share:g}" for share in look.zoom or ()),
        "present": "1" if look.present else "",
        "layers": ",".join(look.layers),
    }
    return {name: text for name, text in texts.items() if text}


def _yes(text: str) -> bool:
    if text != "1":
        raise ValueError(f"“{text[:MOST_QUOTED]}” is not 1")
    return True


def _names(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if len(text) > MOST_LAYERS or not all(names):
        raise ValueError(f"“{text[:MOST_QUOTED]}” does not name layers")
    return names


def _shares(text: str) -> Shares:
    try:
        left, right, bottom, top = map(float, text.split(","))
    except ValueError:
        raise ValueError(f"“{text[:MOST_QUOTED]}” is not left,right,bottom,top") from None
    if not (0 <= left < right <= 1 and 0 <= bottom < top <= 1):
        raise ValueError(f"{text[:MOST_QUOTED]} is not a part of the picture")
    return left, right, bottom, top
