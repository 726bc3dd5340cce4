"""The addresses of rooms: the phones' page, its two kinds of connections, pictures, the QR code.

/room              a page that asks for a code
/room/CODE         the phones' page; with #SECRET the teacher's phone
/room/CODE/phone   the websocket of a phone
/room/CODE/teacher the websocket of the teacher's page and phone
/room/CODE/follow  the way to the lab that the teacher shows
/room/CODE/follower the websocket of a page that follows the teacher's
/room/CODE/picture/NUMBER, /room/CODE/code.svg?at=ADDRESS
"""

import base64
import hashlib
from collections.abc import Container
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import streamlit as st

from pages._shared.room.room import Refused
from pages._shared.room.rooms import is_code
from pages._shared.session.qr import qr_code
from pages._shared.stage.scripts import source

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute

HERE = Path(__file__).parent
SCRIPTS = (
    *(f"../stage/room/{name}" for name in ("wire.js", "tally.js", "bars.js", "shapes.js")),
    *("screen.js", "easel.js", "ballot.js", "desk.js", "phone.js"),
)
MOST_ADDRESS = 200  # characters of where a code leads


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


def _policy(script: str, style: str = "") -> str:
    return (
        "default-src 'none'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; "
        f"form-action 'self'; frame-ancestors 'self'; script-src {_hash(script)}; "
        f"style-src {_hash(style)}"
    )


def routes(labs: Container[str]) -> list["BaseRoute"]:
    """Return the routes of rooms, which a server alone has.

    labs : the names of the pages that a class may be led to.
    """
    from starlette.responses import (
        HTMLResponse,
        RedirectResponse,
        Response,
    )  # here: missing without a server
    from starlette.routing import Route, WebSocketRoute

    from pages._shared.room.sockets import PICTURES, Hall, address_of

    hall = Hall(labs)
    text, policy = page()

    def html(text: str, policy: str) -> "Response":
        headers = {
            "Content-Security-Policy": policy,
            "Cache-Control": "no-cache",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
        }
        return HTMLResponse(text, headers=headers)

    def phones_page(_request: "Request") -> "Response":
        return html(text, policy)

    async def follow(request: "Request") -> "Response":
        code = request.path_params["code"]
        with suppress(Refused):
            if address := hall.led(code, address_of(request)):
                return html(*way(code, address))
        return RedirectResponse("." if is_code(code) else "..")

    async def picture(request: "Request") -> "Response":
        code, number = request.path_params["code"], request.path_params["number"]
        try:
            found = hall.picture(code, number, address_of(request))
        except Refused:
            return Response(status_code=404)
        kept = {"Cache-Control": "private, max-age=3600", "X-Content-Type-Options": "nosniff"}
        return Response(found, media_type=PICTURES[found[:4]], headers=kept)

    def code_svg(request: "Request") -> "Response":
        at, code = request.query_params.get("at", ""), request.path_params["code"]
        known = len(at) <= MOST_ADDRESS and urlsplit(at).scheme in ("http", "https")
        if not known or not is_code(code):
            return Response(status_code=404)
        svg = qr_code(f"{at}/{code}", "QR code of the room")
        return Response(svg, media_type="image/svg+xml")

    base = st.get_option("server.baseUrlPath").strip("/")
    room = f"{'/' if base else ''}{base}/room"
    return [
        Route(room, phones_page),
        Route(f"{room}/{{code:str}}", phones_page),
        Route(f"{room}/{{code:str}}/follow", follow),
        Route(f"{room}/{{code:str}}/picture/{{number:int}}", picture),
        Route(f"{room}/{{code:str}}/code.svg", code_svg),
        WebSocketRoute(f"{room}/{{code:str}}/phone", hall.phone),
        WebSocketRoute(f"{room}/{{code:str}}/teacher", hall.teacher),
        WebSocketRoute(f"{room}/{{code:str}}/follower", hall.follower),
    ]


def _hash(inline: str) -> str:
    """Return how a policy names a script or a style that is part of a page."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()}'"
