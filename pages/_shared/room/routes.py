"""The addresses of rooms: the phones' page, its two kinds of connections, pictures, the QR code.

/room              a page that asks for a code
/room/CODE         the phones' page; with #SECRET the teacher's phone
/room/CODE/phone   the websocket of a phone
/room/CODE/teacher the websocket of the teacher's page and phone
/room/CODE/picture/NUMBER, /room/CODE/code.svg?at=ADDRESS
"""

import base64
import hashlib
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
    *(f"../stage/room/{name}" for name in ("wire.js", "tally.js", "bars.js")),
    *("screen.js", "ballot.js", "desk.js", "phone.js"),
)
MOST_ADDRESS = 200  # characters


def page() -> tuple[str, str]:
    """Return the phones' page, and the policy under which its own script and style alone run."""
    script, style = source(*SCRIPTS, folder=HERE), source("phone.css", folder=HERE)
    text = source("phone.html", folder=HERE)
    text = text.replace("/* STYLE */", style).replace("/* SCRIPT */", script)
    policy = (
        "default-src 'none'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; "
        f"form-action 'self'; frame-ancestors 'self'; script-src {_hash(script)}; "
        f"style-src {_hash(style)}"
    )
    return text, policy


def routes() -> list["BaseRoute"]:
    """Return the routes of rooms, which a server alone has."""
    from starlette.responses import HTMLResponse, Response  # here: missing without a server
    from starlette.routing import Route, WebSocketRoute

    from pages._shared.room.sockets import PICTURES, Hall, address_of

    hall = Hall()
    text, policy = page()
    headers = {
        "Content-Security-Policy": policy,
        "Cache-Control": "no-cache",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }

    def phones_page(_request: "Request") -> "Response":
        return HTMLResponse(text, headers=headers)

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
        Route(f"{room}/{{code:str}}/picture/{{number:int}}", picture),
        Route(f"{room}/{{code:str}}/code.svg", code_svg),
        WebSocketRoute(f"{room}/{{code:str}}/phone", hall.phone),
        WebSocketRoute(f"{room}/{{code:str}}/teacher", hall.teacher),
    ]


def _hash(inline: str) -> str:
    """Return how a policy names a script or a style that is part of a page."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()}'"
