"""The address at which others reach this server, for links that leave a page."""

import sys
from urllib.parse import SplitResult, urlsplit

import streamlit as st
from streamlit.net_util import get_internal_ip

EVERYWHERE = {"0.0.0.0", "::"}  # a server that listens here also answers the network


def reach(host: str) -> tuple[str, str]:
    """Return a host at which others reach this page, and a sentence if it is another or none."""
    if not _is_this_machine(host):
        return host, ""
    if not has_server():
        return host, (
            f"This page runs in the browser, and its files come from {host}, so nobody else can "
            "open the link. Put the files on a web server, and share from there."
        )
    listens = st.get_option("server.address") or ""
    if _is_this_machine(listens):
        return host, f"The server only answers {listens}, so nobody else can open the link."
    names = (st.get_option("browser.serverAddress"), listens, get_internal_ip())
    known = [name for name in names if name and name not in EVERYWHERE]
    network = next((name for name in known if not _is_this_machine(name)), None)
    if network is None:
        return host, "This machine is in no network, so nobody else can open the link."
    return network, (
        f"You have opened {host}, a name that means each machine itself. So the link has the "
        f"server's address in its network instead, {network}."
    )


def has_server() -> bool:
    """Return whether this is a server, and not the app inside a browser."""
    return sys.platform != "emscripten"


def reachable(address: str) -> str:
    """Return an address with a host that others can reach."""
    parts = urlsplit(address)
    host, _ = reach(parts.hostname or "")
    return parts._replace(netloc=netloc(parts, host)).geturl()


def origin(address: str) -> str:
    """Return the beginning of links that others can open, or "" if the address has it already."""
    own, reached = urlsplit(address), urlsplit(reachable(address))
    return "" if own.netloc == reached.netloc else f"{reached.scheme}://{reached.netloc}"


def netloc(parts: SplitResult, host: str) -> str:
    """Return a host with the port of an address."""
    bracketed = f"[{host}]" if ":" in host else host
    return bracketed if parts.port is None else f"{bracketed}:{parts.port}"


def _is_this_machine(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")
