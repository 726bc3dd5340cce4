"""All rooms of one process, and the bounds that keep strangers from filling it."""

import secrets
from collections import OrderedDict
from dataclasses import dataclass

from pages._shared.room.room import Look, Refused, Room

LETTERS = "ABCDEFGHJKMNPRSTUVWXYZ"  # without those that are taken for another one
LENGTH = 4  # of a code
MOST_ROOMS = 100
MOST_PHONES_IN_ALL = 10_000
IDLE = 600.0  # seconds after which a room may make way for a new one
LIFE = 3600.0  # seconds after which a room ends
MOST_ADDRESSES = 10_000  # that are remembered


@dataclass(slots=True)
class Bucket:
    """A number of tokens that fills again at a steady rate."""

    tokens: float
    at: float

    def takes(self, now: float, most: float, rate: float) -> bool:
        """Take a token if there is one. rate : tokens that come back in a second."""
        self.tokens = min(most, self.tokens + rate * (now - self.at))
        self.at = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True

    def is_empty(self, now: float, rate: float) -> bool:
        """Return whether no token could be taken now."""
        return self.tokens + rate * (now - self.at) < 1


class Limit:
    """How often something is allowed to each network address."""

    def __init__(self, most: int, seconds: float) -> None:
        """Allow `most` times at once; all of them come back within some seconds."""
        self.most, self.rate = most, most / seconds
        self.buckets: OrderedDict[str, Bucket] = OrderedDict()

    def takes(self, address: str, now: float) -> bool:
        """Count one use by an address; return whether it is allowed."""
        bucket = self.buckets.pop(address, None) or Bucket(self.most, now)
        self.buckets[address] = bucket
        if len(self.buckets) > MOST_ADDRESSES:
            self.buckets.popitem(last=False)
        return bucket.takes(now, self.most, self.rate)

    def is_over(self, address: str, now: float) -> bool:
        """Return whether an address has used up what it is allowed."""
        bucket = self.buckets.get(address)
        return bucket is not None and bucket.is_empty(now, self.rate)


class Rooms:
    """The rooms of one process, by code."""

    def __init__(self) -> None:
        """Start without rooms."""
        self.all: dict[str, Room] = {}
        self.wrong = Limit(60, 60.0)  # codes of a class behind one address, with its slips
        self.opened = Limit(30, 600.0)  # rooms

    def open(self, code: str, secret: str, look: Look, address: str, now: float) -> Room:
        """Open a room with a code that the teacher's browser has drawn, or return to one's own."""
        room = self.all.get(code)
        if room is not None:
            if not _same(room.secret, secret):
                raise Refused("taken")
            return room
        if not is_code(code):
            raise Refused("wrong")
        if not self.opened.takes(address, now):
            raise Refused("often")
        self.end_old(now)
        if len(self.all) >= MOST_ROOMS:
            self._end_idle(now)
        room = self.all[code] = Room(code, secret, now, look)
        return room

    def _end_idle(self, now: float) -> None:
        oldest = min(self.all.values(), key=lambda room: room.moved)
        if now - oldest.moved < IDLE and oldest.present:
            raise Refused("full")
        del self.all[oldest.code]

    def steer(self, code: str, secret: str, address: str, now: float) -> Room:
        """Return the room that a secret belongs to; another secret is as wrong as another code."""
        room = self.find(code, address, now)
        if not _same(room.secret, secret):
            self.wrong.takes(address, now)
            raise Refused("wrong")
        return room

    def find(self, code: str, address: str, now: float, phone: str = "") -> Room:
        """Return the room with a code. phone : one that is in the room may always come back."""
        room = self.all.get(code)
        known = room is not None and phone in room.phones
        if not known and self.wrong.is_over(address, now):
            raise Refused("often")
        if room is None:
            self.wrong.takes(address, now)
            raise Refused("wrong")
        if phone and not known and self._phones >= MOST_PHONES_IN_ALL:
            raise Refused("full")
        return room

    @property
    def _phones(self) -> int:
        return sum(len(room.phones) for room in self.all.values())

    def end_old(self, now: float) -> list[Room]:
        """End the rooms in which nothing has moved for an hour, and return them."""
        old = [room for room in self.all.values() if now - room.moved >= LIFE]
        for room in old:
            del self.all[room.code]
        return old


def is_code(text: str) -> bool:
    """Return whether a text has the form of a code."""
    return len(text) == LENGTH and set(text) <= set(LETTERS)


def _same(one: str, other: str) -> bool:
    return secrets.compare_digest(one.encode(), other.encode())
