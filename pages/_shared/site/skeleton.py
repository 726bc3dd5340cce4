"""What a server sends before the app has come: Streamlit's page, with a title and an outline.

Streamlit's own page is white until its scripts have loaded and the first answer has come, for two
to three seconds. It also looks for the server below the address of a lab before it looks above; it
is told where the server is.
"""

from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

import streamlit as st

from pages._shared.lab.catalogue import LABS, PAGES

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.routing import Route

OUTLINE = Template(Path(__file__).with_suffix(".html").read_text(encoding="utf-8"))
# Every page is directly below the server's address, wherever that is.
SERVER = (
    '<script>window.__streamlit = { BACKEND_BASE_URL: new URL(".", location.href).href }</script>'
)
ROOT, HEAD, TITLE = '<div id="root">', "<head>", "<title>Streamlit</title>"


def routes() -> list["Route"]:
    """Return the routes that serve every page's outline."""
    if st.get_option("server.baseUrlPath"):
        return []  # routes are at the top level only
    from starlette.responses import HTMLResponse  # here, because it is missing without a server
    from starlette.routing import Route

    page = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")

    def serve(name: str, title: str) -> Route:
        text = outlined(page, title)

        def hand_out(_request: "Request") -> HTMLResponse:
            return HTMLResponse(text, headers={"Cache-Control": "no-cache"})

        return Route(f"/{name}", hand_out)

    return [serve(name, title) for name, title in titles().items()]


def titles() -> dict[str, str]:
    """Return the title of every page, by its name in the address."""
    others = {file.stem: file.stem.capitalize() for file in PAGES.glob("[!_]*.py")}
    others.pop("gallery")
    return {"": "Chalkline", **others, **{lab.name: lab.title for lab in LABS}}


def outlined(page: str, title: str) -> str:
    """Return Streamlit's page with a title and, for a lab, an outline.

    Raise ValueError if Streamlit's page has another form than this one knows.
    """
    if any(page.count(part) != 1 for part in (ROOT, HEAD, TITLE)):
        raise ValueError("Streamlit's index.html has another form than skeleton.py knows")
    named = escape(title if title == "Chalkline" else f"{title} · Chalkline")
    page = page.replace(HEAD, f"{HEAD}{SERVER}").replace(TITLE, f"<title>{named}</title>")
    kind = "lab" if title in {lab.title for lab in LABS} else "page"
    outline = OUTLINE.substitute(title=escape(title), kind=kind)
    return page.replace("</body>", f"{outline}</body>")
