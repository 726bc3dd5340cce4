"""Everything that a session remembers: one typed object under one key of Streamlit's state.

The keys of widgets are "scope.parameter", so no parameter's name can collide with this key.
"""

import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages._shared.session.view_state import Look

KEY = "chalkline"


class Declared(NamedTuple):
    """A parameter of the page that is shown: its label, its value, and its default."""

    label: str
    value: Any
    default: Any


class Part(Protocol):
    """The data that another room keeps in a session."""

    def forget(self) -> bool:
        """Drop what is not needed to show the page; return whether there was anything."""
        ...


P = TypeVar("P", bound=Part)


@dataclass
class Session:
    """One visitor's session.

    kept : by scope (a lab, or "data", which all labs share) and name, what the visitor chose; a
    parameter that is not there has its default. parts : what other rooms keep, by its kind.
    """

    name: str = field(default_factory=lambda: secrets.token_hex(8))  # no other session has it
    kept: dict[str, dict[str, Any]] = field(default_factory=dict)
    parts: dict[type, Any] = field(default_factory=dict)
    preset_asked: bool = True  # the preset is to be put on the board, whatever stands there

    page: str = ""  # the lab that is shown
    drawn: dict[str, tuple] = field(default_factory=dict)  # its widgets, with their limits
    declared: dict[str, Declared] = field(default_factory=dict)  # its parameters, by name
    handles: dict[str, tuple[str, str]] = field(default_factory=dict)  # those that are dragged:
    # by their name in the address, the scope and the name they are kept under
    choices: dict[str, tuple[str, str]] = field(default_factory=dict)  # the same, of those that
    # a button in the picture sets

    along: set[str] = field(default_factory=set)  # parameters that every link names, if any
    begun: bool = False  # this rerun is of a lab
    lab_before: bool = False  # so was the one before
    address: dict[str, str] = field(default_factory=dict)  # the parameters, as written last
    link: dict[str, str] | None = None  # those of the link that this rerun opens
    looks: dict[str, str] = field(default_factory=dict)  # what it says of step, zoom, ...
    look: Look = field(default_factory=Look)  # the same, read
    links: int = 0  # opened so far
    trial: tuple[int, int] | None = None  # the situation under way: its week, and its place there
    refused: list[str] = field(default_factory=list)  # what was wrong with this one
    acted: bool = False  # this rerun comes from a widget
    moved: bool = False  # ... or from a handle that the user still drags
    moving: bool = False  # in this rerun something is shown that is still in the user's hand
    heard: int = 0  # messages about handles and sliders that are dragged
    put: int = 0  # the number of the last one about handles
    live: tuple[str, str, str] | None = None  # a slider in the hand: key, value before, value now

    shown: dict[str, dict[str, Declared]] = field(default_factory=dict)  # by lab and mode, last
    reason: str = ""  # what changed at the last change
    at: dict[str, int] = field(default_factory=dict)  # by lab and mode: the step looked at
    wanted: Mapping[str, Any] | None = None  # frames that the browser has just asked for

    @property
    def followed(self) -> bool:
        """Return whether this rerun opens a link, even if only to another step."""
        return self.link is not None or bool(self.looks)

    def part(self, kind: type[P]) -> P:
        """Return another room's data: one object of this kind, made when first used."""
        if kind not in self.parts:
            self.parts[kind] = kind()
        return self.parts[kind]


_found = threading.local()  # a thread belongs to one visitor: the state, and the session in it


def session() -> Session:
    """Return this visitor's session."""
    context = get_script_run_ctx(suppress_warning=True)
    where = context and context.session_state
    if where is None or getattr(_found, "where", None) is not where:
        if KEY not in st.session_state:
            st.session_state[KEY] = Session()
        _found.where, _found.session = where, st.session_state[KEY]
    return _found.session
