"""The pages, pictures and codes of rooms, as routes.py serves them."""

import base64
import hashlib
from contextlib import suppress
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from pages._shared.room.room import Refused
from pages._shared.room.rooms import is_code
from pages._shared.room.sockets import PICTURES, Hall, address_of
from pages._shared.session.qr import qr_code
from pages._shared.stage.scripts import source

HERE = Path(__file__).parent
SCRIPTS = (
    *(f"../stage/room/{name}" for name in ("wire.js", "tally.js", "bars.js", "shapes.js")),
    *("screen.js", "easel.js", "ballot.js", "desk.js", "phone.js"),
)
MOST_ADDRESS = 200  # characters of where a code leads


class Answers:
    """What the addresses of a hall's rooms answer."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.page, self.policy = page()

    def phones_page(self, _request: Request) -> Response:
        """Return the phones' page."""
        return _html(self.page, self.policy)

    async def follow(self, request: Request) -> Response:
        """Return the way to the lab that a class is led to; without one, the way to the room."""
        code = request.path_params["code"]
        with suppress(Refused):
            if address := self.hall.led(code, address_of(request)):
                return _html(*way(code, address))
        return RedirectResponse("." if is_code(code) else "..")

    async def picture(self, request: Request) -> Response:
        """Return the picture of an open question."""
        code, number = request.path_params["code"], request.path_params["number"]
        try:
            found = self.hall.picture(code, number, address_of(request))
        except Refused:
            return Response(status_code=404)
        kept = {"Cache-Control": "private, max-age=3600", "X-Content-Type-Options": "nosniff"}
        return Response(found, media_type=PICTURES[found[:4]], headers=kept)

    def code_svg(self, request: Request) -> Response:
        """Return the QR code of a room whose pages others reach under an address."""
        at, code = request.query_params.get("at", ""), request.path_params["code"]
        known = len(at) <= MOST_ADDRESS and urlsplit(at).scheme in ("http", "https")
        if not known or not is_code(code):
            return Response(status_code=404)
        svg = qr_code(f"{at}/{code}", "QR code of the room")
        return Response(svg, media_type="image/svg+xml")


def page() -> tuple[str, str]:
    """Return the phones' page, and the policy under which its own script and style alone run."""
    script, style = source(*SCRIPTS, folder=HERE), source("phone.css", folder=HERE)
    text = source("phone.html", folder=HERE)
    text = text.replace("/* STYLE */", style).replace("/* SCRIPT */", script)
    return text, _policy(script, style)


def way(code: str, address: str) -> tuple[str, str]:
    """Return the page that leads to a lab from /room/CODE/follow, and its policy."""
    script, text = source("follow.js", folder=HERE), source("follow.html", folder=HERE)
    text = text.replace("ADDRESS", escape(f"../../{address}")).replace("CODE", escape(code))
    return text.replace("/* SCRIPT */", script), _policy(script)


def _html(text: str, policy: str) -> Response:
    headers = {
        "Content-Security-Policy": policy,
        "Cache-Control": "no-cache",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }
    return HTMLResponse(text, headers=headers)


def _policy(script: str, style: str = "") -> str:
    return (
        "default-src 'none'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; "
        f"form-action 'self'; frame-ancestors 'self'; script-src {_hash(script)}; "
        f"style-src {_hash(style)}"
    )


def _hash(inline: str) -> str:
    """Return how a policy names a script or a style that is part of a page."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()}'"
