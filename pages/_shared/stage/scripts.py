"""The stage's scripts: modules of one idea each, joined into the one that the browser loads.

Streamlit takes one text for a component's script and puts it onto the page as a module of its own,
with an unknown address, so it cannot import other files. A bundler would need Node wherever the app
is installed. So the modules are written with `import` and `export`, as editors, the type checker
and Node's test runner need them, and joined here without these lines. This requires that an import
is on one line and renames nothing, and that no two modules share a name at their top level; see
tests/stage/test_scripts.py.

A server serves the text as a file, which browsers keep. Without a server (the app runs in the
browser, or in a test) the text is part of the answer.
"""

import re
from graphlib import TopologicalSorter
from hashlib import blake2b
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.routing import Route

HERE = Path(__file__).parent
STYLES = (
    "stage.css",
    "motion.css",
    "signs.css",
    "film_strip.css",
    "lesson.css",
    "present.css",
    "low.css",
    "callout.css",
    "room.css",
)
IMPORT = re.compile(r'^import .* from "(.+)";\n', re.MULTILINE)


def modules(entry: str) -> list[str]:
    """Return a module and all that it needs, each after those that it imports itself."""
    needs: dict[str, list[str]] = {}
    found = [entry]
    while found:
        if (name := found.pop()) not in needs:
            needs[name] = [normpath(join(dirname(name), other)) for other in imported(name)]
            found += needs[name]
    return list(TopologicalSorter(needs).static_order())


def imported(name: str) -> list[str]:
    """Return the files that a module imports, as it names them."""
    return IMPORT.findall((HERE / name).read_text(encoding="utf-8"))


def source(*names: str, folder: Path = HERE) -> str:
    """Return files joined into one; modules that import each other become one module."""
    text = "\n".join((folder / name).read_text(encoding="utf-8") for name in names)
    return re.sub(r"^export (?!default)", "", IMPORT.sub("", text), flags=re.MULTILINE)


SCRIPTS = tuple(modules("boot/scripts.js"))
ALL = source(*SCRIPTS)
ADDRESS = f"/stage-{blake2b(ALL.encode(), digest_size=8).hexdigest()}.js"  # changes with the text
_handed_out = False


def routes() -> list["Route"]:
    """Return the route that serves the file; from now on, answers only name its address."""
    global _handed_out
    from starlette.responses import Response  # here, because it is missing without a server
    from starlette.routing import Route

    _handed_out = not st.get_option("server.baseUrlPath")  # the route is at the top level only

    def hand_out(_request: "Request") -> Response:
        kept = {"Cache-Control": "public, max-age=31536000, immutable"}
        return Response(ALL, media_type="text/javascript", headers=kept)

    return [Route(ADDRESS, hand_out)]


def loader() -> str:
    """Return the script of the component that loads all others: a loader, or the scripts."""
    return source("boot/fetch.js").replace("ADDRESS", ADDRESS) if _handed_out else ALL
