"""One connection to a room: what it is sent, and how often it may speak."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from pages._shared.room.reading import message
from pages._shared.room.room import Refused
from pages._shared.room.rooms import Bucket

AT_ONCE, PER_SECOND = 20, 10  # messages of a connection; what is beyond is not read
MOST_BEYOND = 200  # messages: then the connection is closed


class Line:
    """One connection. `mine` makes what it is sent; `gap` seconds pass between two states."""

    def __init__(self, socket: WebSocket, mine: Callable[[], str], gap: float) -> None:
        self.socket, self.mine, self.gap = socket, mine, gap
        self.changed = asyncio.Event()
        self.changed.set()
        self.bucket = Bucket(AT_ONCE, time.monotonic())
        self.beyond = 0

    async def write(self) -> None:
        """Send the newest state whenever it has changed."""
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            while True:
                await self.changed.wait()
                self.changed.clear()
                await self.socket.send_text(self.mine())
                await asyncio.sleep(self.gap)

    def may_speak(self) -> bool:
        """Return whether a message is read, or is one too many; far too many are refused."""
        if self.bucket.takes(time.monotonic(), AT_ONCE, PER_SECOND):
            return True
        self.beyond += 1
        if self.beyond > MOST_BEYOND:
            raise Refused("often")
        return False


@dataclass(eq=False)
class Seats:
    """Who is connected to a room, and the text that all its phones are sent."""

    phones: set[Line] = field(default_factory=set)
    teachers: set[Line] = field(default_factory=set)
    followers: set[Line] = field(default_factory=set)
    text: str = ""  # "": to be written again
    clock: asyncio.TimerHandle | None = None  # of the countdown

    @staticmethod
    def wake(lines: set[Line]) -> None:
        """Have the newest state sent to some of them."""
        for line in lines:
            line.changed.set()


async def talk(
    lines: set[Line], line: Line, most: int, heard: Callable[[dict[str, Any]], None]
) -> None:
    """Read a connection's messages to the end, and answer each with the newest state."""
    lines.add(line)
    writing = asyncio.create_task(line.write())
    try:
        async for said in line.socket.iter_text():
            if line.may_speak():
                with suppress(ValueError):  # nothing our own page would send
                    heard(message(said, most))
                line.changed.set()
    finally:
        writing.cancel()
        lines.discard(line)
