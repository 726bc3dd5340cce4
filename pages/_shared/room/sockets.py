"""The connections of phones and teachers to the rooms of this process.

A connection is sent states, not events: whenever something has changed, each gets the newest state
as soon as it can take it. So a slow phone holds nobody up and fills no queue, and a phone that
connects again gets the same message as everybody else.
"""

import asyncio
import json
import re
import time
from base64 import b64decode
from collections.abc import Awaitable, Callable, Container
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from starlette.websockets import WebSocket, WebSocketDisconnect

from pages._shared.room.following import MOST_FOLLOWERS, MOST_FOLLOWERS_IN_ALL, place
from pages._shared.room.lines import Line, Seats, talk
from pages._shared.room.question import question
from pages._shared.room.reading import message, number
from pages._shared.room.room import GRACE, Look, Refused, Room
from pages._shared.room.rooms import Rooms
from pages._shared.room.sheet import Sheet, sheet, verdict

FROM_PHONE, FROM_TEACHER = 300, 700_000  # characters of a message
MOST_PICTURE = 500_000  # bytes
PICTURES = {b"\x89PNG": "image/png", b"RIFF": "image/webp"}  # by their first bytes
PATIENCE = 10.0  # seconds until the first message
BETWEEN_TALLIES = 0.1  # seconds
BETWEEN_PLACES = 0.2  # seconds
MOST_LINES = 4  # connections of one phone: tabs, and those that are not known to be lost
CLOCK_STEP = 0.02  # seconds by which a clock of the system may be early
SWEEP = 30.0  # seconds
SECRET = re.compile(r"[\w-]{16,64}", re.ASCII)  # also the number of a phone
CLOSED = {"wrong": 4404, "often": 4429, "taken": 4409, "full": 4413, "unread": 4400, "over": 4410}


Serve = Callable[[WebSocket, dict[str, Any]], Awaitable[None]]


class Hall:
    """The rooms of this process with their connections."""

    def __init__(self, labs: Container[str]) -> None:
        """Start without rooms. labs : the names of the pages that a class may be led to."""
        self.labs = labs
        self.rooms = Rooms()
        self.seats: dict[Room, Seats] = {}
        self.sweeper: asyncio.Task | None = None

    async def phone(self, socket: WebSocket) -> None:
        """Serve one phone."""
        await self._serve(socket, FROM_PHONE, self._phone)

    async def teacher(self, socket: WebSocket) -> None:
        """Serve the teacher's page, or the teacher's phone."""
        await self._serve(socket, FROM_TEACHER, self._teacher)

    async def follower(self, socket: WebSocket) -> None:
        """Serve a page of the app that goes where the teacher's page goes."""
        await self._serve(socket, FROM_PHONE, self._follower)

    async def _serve(self, socket: WebSocket, most: int, serve: Serve) -> None:
        if not same_site(socket):
            await socket.close(1008)
            return
        await socket.accept()
        with suppress(WebSocketDisconnect, RuntimeError):
            try:
                first = await asyncio.wait_for(socket.receive_text(), PATIENCE)
                await serve(socket, message(first, most))
            except Refused as refused:
                await socket.close(CLOSED[refused.why], refused.why)
            except (ValueError, KeyError, TimeoutError):
                await socket.close(CLOSED["unread"], "unread")

    async def _phone(self, socket: WebSocket, first: dict[str, Any]) -> None:
        name, now = secret(first.get("join")), time.monotonic()
        room = self.rooms.find(socket.path_params["code"], address_of(socket), now, name)
        phone, seats = room.join(name, now), self._seats(room)
        if phone.lines >= MOST_LINES:
            raise Refused("often")

        def mine() -> str:
            own = room.for_phone(phone, time.monotonic())
            seats.text = seats.text or as_json(room.for_phones())
            return f'{{"room":{seats.text},"mine":{as_json(own)}}}'

        def heard(said: dict[str, Any]) -> None:
            self._tick(room)
            if "vote" in said:
                room.vote(phone, said.get("number"), said["vote"], time.monotonic())
                seats.wake(seats.teachers)

        phone.lines += 1
        try:
            seats.wake(seats.teachers)
            await talk(seats.phones, Line(socket, mine, 0), FROM_PHONE, heard)
        finally:
            phone.lines -= 1
            seats.wake(seats.teachers)

    async def _teacher(self, socket: WebSocket, first: dict[str, Any]) -> None:
        code, key, now = socket.path_params["code"], secret(first.get("secret")), time.monotonic()
        on_wall = first.get("wall") is True
        if first.get("open") is True:
            room = self.rooms.open(code, key, look(first), address_of(socket), now)
            await self._say_goodbye()
            self._sweep_from_now_on()
        else:
            room = self.rooms.steer(code, key, address_of(socket), now)

        def mine() -> str:
            return as_json(room.for_teacher(time.monotonic(), on_wall=on_wall))

        def heard(said: dict[str, Any]) -> None:
            self._tick(room)
            if said.get("do") == "lead":
                changed = room.lead(place(said, self.labs), time.monotonic())
                seats.wake(seats.followers)
            else:
                changed = steer(room, said, time.monotonic())
            if changed:
                self._changed(room)

        seats = self._seats(room)
        await talk(seats.teachers, Line(socket, mine, BETWEEN_TALLIES), FROM_TEACHER, heard)

    async def _follower(self, socket: WebSocket, _first: dict[str, Any]) -> None:
        room = self.rooms.find(socket.path_params["code"], address_of(socket), time.monotonic())
        in_all = sum(each.followers for each in self.rooms.all.values())
        if room.followers >= MOST_FOLLOWERS or in_all >= MOST_FOLLOWERS_IN_ALL:
            raise Refused("full")
        seats = self._seats(room)
        line = Line(socket, lambda: as_json(room.for_followers()), BETWEEN_PLACES)
        room.followers += 1
        try:
            seats.wake(seats.teachers)
            await talk(seats.followers, line, FROM_PHONE, lambda _: None)
        finally:
            room.followers -= 1
            seats.wake(seats.teachers)

    def _seats(self, room: Room) -> Seats:
        return self.seats.setdefault(room, Seats())

    def _changed(self, room: Room) -> None:
        """Send everybody in a room its new state, and set the clock of its countdown."""
        seats = self._seats(room)
        seats.text = ""
        seats.wake(seats.phones | seats.teachers)
        if seats.clock:
            seats.clock.cancel()
        if room.deadline is not None:
            left = room.deadline + GRACE - time.monotonic()
            loop = asyncio.get_running_loop()
            seats.clock = loop.call_later(left + CLOCK_STEP, self._tick, room)

    def _tick(self, room: Room) -> None:
        if room.tick(time.monotonic()):
            self._changed(room)

    def picture(self, code: str, number: int, address: str) -> bytes:
        """Return the picture of a room's open question."""
        room = self.rooms.find(code, address, time.monotonic())
        if number != room.number or not room.picture:
            raise Refused("wrong")
        return room.picture

    def led(self, code: str, address: str) -> str:
        """Return the address that a room's teacher shows, "" if nobody is led."""
        room = self.rooms.find(code, address, time.monotonic())
        return room.led.address if room.led else ""

    def _sweep_from_now_on(self) -> None:
        if self.sweeper is None or self.sweeper.done():
            self.sweeper = asyncio.create_task(self._sweep())

    async def _sweep(self) -> None:
        while self.rooms.all:
            await asyncio.sleep(SWEEP)
            self.rooms.end_old(time.monotonic())
            await self._say_goodbye()

    async def _say_goodbye(self) -> None:
        """Close the connections to rooms that have ended."""
        for room in [each for each in self.seats if self.rooms.all.get(each.code) is not each]:
            seats = self.seats.pop(room)
            if seats.clock:
                seats.clock.cancel()
            for line in seats.phones | seats.teachers | seats.followers:
                with suppress(WebSocketDisconnect, RuntimeError, OSError):
                    await line.socket.close(CLOSED["over"], "over")


def steer(room: Room, said: dict[str, Any], now: float) -> bool:
    """Do what a teacher asks for; return whether the room has changed."""
    seconds = number(said.get("seconds", 0))
    match said.get("do"):
        case "ask":
            asked = sheet(said) if said.get("way") == "draw" else question(said)
            room.ask(asked, picture(said.get("picture")), now, seconds)
            return True
        case "again":
            return room.again(now, seconds)
        case "close":
            return room.close(now)
        case "show":
            return room.show(now)
        case "reveal":
            return room.reveal(now)
        case "judge":
            return isinstance(room.question, Sheet) and room.judge(verdict(room.question, said))
        case "rest":
            room.rest(now)
            return True
        case "look":
            room.look = look(said)
            return True
    return False


def picture(raw: Any) -> bytes:
    """Return the bytes of a picture that came as base64; none is an empty one."""
    if raw is None:
        return b""
    if not isinstance(raw, str):
        raise ValueError("a picture must be base64")
    found = b64decode(raw, validate=True)
    if len(found) > MOST_PICTURE or found[:4] not in PICTURES:
        raise ValueError(f"a picture must be PNG or WebP, of {MOST_PICTURE} bytes at most")
    return found


def look(said: dict[str, Any]) -> Look:
    """Return the look of the class: light unless it is dark."""
    return "dark" if said.get("look") == "dark" else "light"


def secret(raw: Any) -> str:
    """Return a secret, or the number of a phone."""
    if not isinstance(raw, str) or not SECRET.fullmatch(raw):
        raise ValueError("a secret has 16 to 64 letters and digits")
    return raw


def same_site(socket: WebSocket) -> bool:
    """Return whether a connection comes from a page of ours; what is no browser names no origin."""
    origin = socket.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == socket.headers.get("host")


def address_of(connection: Any) -> str:
    """Return the network address of a browser; nginx passes it on."""
    return connection.client.host if connection.client else ""


def as_json(value: Any) -> str:
    """Return the shortest JSON of a value."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)
