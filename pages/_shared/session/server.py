"""What is set once for the whole server, beyond what .streamlit/config.toml can say."""

import gc
import socket

import streamlit as st

SELDOM = 100  # collections of younger garbage between those of all; Python's own number is 10


@st.cache_resource(show_spinner=False)
def prepare_server() -> None:
    """Keep answers from waiting for the network or for the garbage collector."""
    _send_at_once()
    # Looking at all objects holds everybody up for 100 ms and more.
    gc.set_threshold(*gc.get_threshold()[:2], SELDOM)


def _send_at_once() -> None:
    """Switch Nagle's algorithm off; connections to come inherit it from the listening socket.

    Streamlit binds its own socket without naming the protocol, and asyncio switches it off only
    where TCP is named (uvicorn issue 3149). Left on, an answer of several messages waits until the
    browser acknowledges the first: 40 ms at every slider move on Linux.
    """
    for found in gc.get_objects():
        if type(found) is socket.socket and found.fileno() >= 0 and _is_tcp(found):
            found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _is_tcp(found: socket.socket) -> bool:
    internet = found.family in (socket.AF_INET, socket.AF_INET6)
    return internet and found.type == socket.SOCK_STREAM
