"""Follow me: what the teacher's page shows, as an address that others can go to.

A room keeps the newest address only. It is a lab of this app with its parameters. A page that
follows opens it on its own server, so it can name no other place.
"""

from collections.abc import Container
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

from pages._shared.room.reading import number

MOST_ADDRESS = 12_000  # characters; points take 8,000 of them at most (data/link.py)
MOST_FIELDS = 100
MOST_FOLLOWERS = 300  # of a room: each is a visitor of the app, too
MOST_FOLLOWERS_IN_ALL = 1000


@dataclass(frozen=True)
class Place:
    """A lab and its parameters, "k_means?k=5&step=3". absent : points that are too many for it."""

    address: str
    absent: int


def place(said: dict[str, Any], labs: Container[str]) -> Place | None:
    """Return the place that a teacher's page has sent, or None if it leads no more."""
    raw = said.get("address")
    if raw is None:
        return None
    if not isinstance(raw, str) or len(raw) > MOST_ADDRESS:
        raise ValueError(f"an address may have {MOST_ADDRESS} characters")
    lab, _, query = raw.partition("?")
    if lab not in labs:
        raise ValueError(f"an address must begin with the name of a lab, got {lab!r:.40}")
    fields = parse_qsl(query, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    address = f"{lab}?{urlencode(fields)}"
    if len(address) > MOST_ADDRESS:
        raise ValueError(f"an address may have {MOST_ADDRESS} characters")
    return Place(address, max(0, int(number(said.get("absent", 0)))))
