"""Send every answer at once.

Streamlit binds its own socket without naming the protocol, and asyncio switches Nagle's algorithm
off only where TCP is named (uvicorn issue 3149). Left on, an answer of several messages waits until
the browser acknowledges the first: 40 ms at every slider move on Linux.
"""

import gc
import socket

import streamlit as st


@st.cache_resource(show_spinner=False)
def send_at_once() -> None:
    """Switch Nagle's algorithm off; connections to come inherit it from the listening socket."""
    for found in gc.get_objects():
        if type(found) is socket.socket and found.fileno() >= 0 and _is_tcp(found):
            found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _is_tcp(found: socket.socket) -> bool:
    internet = found.family in (socket.AF_INET, socket.AF_INET6)
    return internet and found.type == socket.SOCK_STREAM
