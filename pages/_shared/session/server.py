"""Settings of the whole server that .streamlit/config.toml does not have."""

import gc
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from pages._shared.session import memory, uploads

# New objects until a collection, and collections of younger objects until one of older ones.
# Python's defaults are 700, 10 and 10. A full collection stops everybody for 100 ms and more.
COLLECT = (10_000, 10, 100)


def disregard_pages_folder() -> None:
    """Tell Streamlit before the first visit that app.py names the pages.

    Until the app has run once, Streamlit takes the files in pages/ for its pages, and has no page
    for a link to a lab.
    """
    PagesManager.uses_pages_directory = False


@asynccontextmanager
async def open_browser(_app: object) -> AsyncIterator[None]:
    """Open the browser when the server starts, which Streamlit does not do for an ASGI app."""
    if not st.get_option("server.headless"):
        import webbrowser  # here, because it is missing where there is no server

        address = st.get_option("server.address") or "localhost"
        webbrowser.open(f"http://{address}:{st.get_option('server.port')}")
    yield


@st.cache_resource(show_spinner=False)
def prepare_server() -> None:
    """Prevent delays by the network and the garbage collector, and allow many visitors."""
    _send_at_once()
    gc.set_threshold(*COLLECT)
    gc.freeze()  # the libraries stay, so no collection has to look at them again
    _allow_all_descriptors()
    memory.watch()
    uploads.watch()


def _allow_all_descriptors() -> None:
    """Use as many descriptors as the system allows: a visitor takes four, and 1,024 are usual."""
    with suppress(ImportError):  # Windows has no such limit
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        with suppress(ValueError, OSError):  # macOS allows less than it claims
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _send_at_once() -> None:
    """Switch Nagle's algorithm off on the listening socket; new connections inherit this.

    Streamlit binds its own socket without naming the protocol, and asyncio switches Nagle's
    algorithm off only if TCP is named (uvicorn issue 3149). Left on, an answer of several messages
    waits until the browser acknowledges the first: 40 ms at every slider move on Linux.
    """
    for found in gc.get_objects():
        if type(found) is socket.socket and found.fileno() >= 0 and _is_tcp(found):
            found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _is_tcp(found: socket.socket) -> bool:
    internet = found.family in (socket.AF_INET, socket.AF_INET6)
    return internet and found.type == socket.SOCK_STREAM
