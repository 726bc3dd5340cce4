"""The addresses of rooms: the phones' page, its two kinds of connections, pictures, the QR code.

/room              a page that asks for a code
/room/CODE         the phones' page; with #SECRET the teacher's phone
/room/CODE/phone   the websocket of a phone
/room/CODE/teacher the websocket of the teacher's page and phone
/room/CODE/follow  the way to the lab that the teacher shows
/room/CODE/follower the websocket of a page that follows the teacher's
/room/CODE/picture/NUMBER, /room/CODE/code.svg?at=ADDRESS
"""

from collections.abc import Container
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from starlette.routing import BaseRoute


def routes(labs: Container[str]) -> list["BaseRoute"]:
    """Return the routes of rooms, which a server alone has.

    labs : the names of the pages that a class may be led to.
    """
    from starlette.routing import Route, WebSocketRoute  # here: missing without a server

    from pages._shared.room.answers import Answers
    from pages._shared.room.sockets import Hall

    hall = Hall(labs)
    answers = Answers(hall)
    base = st.get_option("server.baseUrlPath").strip("/")
    room = f"{'/' if base else ''}{base}/room"
    return [
        Route(room, answers.phones_page),
        Route(f"{room}/{{code:str}}", answers.phones_page),
        Route(f"{room}/{{code:str}}/follow", answers.follow),
        Route(f"{room}/{{code:str}}/picture/{{number:int}}", answers.picture),
        Route(f"{room}/{{code:str}}/code.svg", answers.code_svg),
        WebSocketRoute(f"{room}/{{code:str}}/phone", hall.phone),
        WebSocketRoute(f"{room}/{{code:str}}/teacher", hall.teacher),
        WebSocketRoute(f"{room}/{{code:str}}/follower", hall.follower),
    ]
