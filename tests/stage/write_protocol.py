"""Writes protocol.js from protocol.py: `python -m tests.stage.write_protocol`."""

import inspect
import re
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints, is_typeddict

from pages._shared.stage import protocol

FILE = Path(protocol.__file__).with_suffix(".js")
HEAD = """// What Python and the browser say to each other about the stage. Written from protocol.py
// by `python -m tests.stage.write_protocol`: edit that file, and not this one.
"""
BOUNDS = ("MOST_POINTS", "MOST_WANTED", "MOST_DRAWINGS")
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null"}
COMMENT = re.compile(r"^    (\w+): .*?  # (.*)$", re.MULTILINE)


def text() -> str:
    """Return the whole of protocol.js."""
    members = vars(protocol)
    bounds = [f"export const {name} = {members[name]};" for name in BOUNDS]
    types = [typedef(kind) for kind in members.values() if is_typeddict(kind)]
    return "\n\n".join([HEAD + "\n" + "\n".join(bounds), *types]) + "\n"


def typedef(kind: Any) -> str:
    """Return a TypedDict as a JSDoc type, with its docstring and the comments on its fields."""
    comments = dict(COMMENT.findall(inspect.getsource(kind)))
    fields = [
        f" * @property {{{_js(hint)}}} {_name(kind, field)} {comments.get(field, '')}".rstrip()
        for field, hint in get_type_hints(kind).items()
    ]
    about = [f" * {line}".rstrip() for line in (inspect.getdoc(kind) or "").splitlines()]
    return "\n".join(["/**", *about, f" * @typedef {{object}} {kind.__name__}", *fields, " */"])


def _name(kind: Any, field: str) -> str:
    return field if field in kind.__required_keys__ else f"[{field}]"


def _js(hint: Any) -> str:
    """Return a Python type as JSDoc has it."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is UnionType:
        return " | ".join(map(_js, inner))
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in inner)
    if origin is list:
        each = _js(inner[0])
        return f"({each})[]" if get_origin(inner[0]) is UnionType else f"{each}[]"
    if origin is tuple:
        return f"[{', '.join(map(_js, inner))}]"
    if origin is dict:
        return f"Record<{_js(inner[0])}, {_js(inner[1])}>"
    if hint is Any:
        return "any"
    return hint.__name__ if is_typeddict(hint) else PLAIN[hint]


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
