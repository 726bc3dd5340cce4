"""A lab's parameters: widgets whose values live in the address and are kept between labs.

The address always holds what differs from the lab's defaults, so it can be copied as a link.
A link sets the parameters it names and puts the others back to their defaults.
"""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

Parse = Callable[[str], Any]  # text of the link -> value; ValueError when it is not one


def begin(page: str) -> None:
    """Start a page's run, and notice a link: an address that this session did not write itself.

    Where the user has just done something else, it is no link: the browser may be behind, and
    still send the address from before the last change.
    """
    state = st.session_state
    address = st.query_params.to_dict()
    state.setdefault("kept", {})
    acted = state.pop("acted", False)
    state.link = address if address and address != state.get("address") and not acted else None
    state.links = state.get("links", 0) + (state.link is not None)  # opened so far
    state.refused = []
    if state.get("page") != page:
        state.page, state.drawn = page, {}
    state.declared = {}


def by_user(act: Callable[..., None]) -> Callable[..., None]:
    """Make a widget's callback, so that `begin` knows that this run comes from one."""

    def callback(*args: Any) -> None:
        st.session_state.acted = True
        act(*args)

    return callback


def write_url() -> None:
    """Put what differs from the defaults into the address. Called when the page is complete."""
    state = st.session_state
    address = {
        name: f"{value:g}" if isinstance(value, float) else str(value)
        for name, (_, value, default) in state.get("declared", {}).items()
        if value != default
    }
    # A link to the same page leaves the browser its old address, so it is written in any case.
    if state.get("link") is not None or address != st.query_params.to_dict():
        st.query_params.from_dict(address)
    state.address = address


def declare(name: str, label: str, default: Any, parse: Parse) -> Any:
    """Give a parameter's value: from the link just opened, else the one kept, else the default."""
    state = st.session_state
    text = state.link.get(name) if state.link else None
    value = default if state.link is not None else state.kept.get(name, default)
    try:
        value = parse(str(value) if text is None else text)
    except ValueError as error:
        if text is not None:
            state.refused.append(f"{label}: {error}")
        value = default
    state.kept[name] = value
    record(name, label, value, default)
    return value


def record(name: str, label: str, value: Any, default: Any) -> None:
    """Have a value written to the address unless it is the default."""
    st.session_state.declared[name] = (label, value, default)


def _widget(
    make: Callable[..., Any],
    name: str,
    label: str,
    default: Any,
    parse: Parse,
    *args: Any,
    then: Callable[[], None] | None = None,
    **how: Any,
) -> Any:
    """Show a widget for a kept value. `then` is called when the user changes it."""
    state = st.session_state
    value = declare(name, label, default, parse)
    # A widget that is new, on this page or with these limits, starts without its value.
    if state.drawn.get(name) != (args, label) or state.get(name) != value:
        state[name] = value
    state.drawn[name] = (args, label)
    make(label, *args, key=name, on_change=by_user(_changed), args=(name, then), **how)
    return value


def _changed(name: str, then: Callable[[], None] | None) -> None:
    st.session_state.kept[name] = st.session_state[name]
    if then:
        then()


def slider(
    name: str, label: str, low: float, high: float, default: float, step: float = 1, **how: Any
) -> Any:
    """Show a slider; all numbers are int, or all are float."""
    kind = type(default)
    low, high, step = kind(low), kind(high), kind(step)
    return _widget(
        st.slider, name, label, default, _number(kind, low, high), low, high, step=step, **how
    )


def number(name: str, label: str, low: int, high: int, default: int, **how: Any) -> int:
    """Show a box for a whole number."""
    parse = _number(int, low, high)
    return _widget(st.number_input, name, label, default, parse, low, high, step=1, **how)


def choice(name: str, label: str, options: Sequence[str], default: str, **how: Any) -> str:
    """Show a menu of names."""
    return _widget(st.selectbox, name, label, default, _one_of(options), options, **how)


def buttons(name: str, label: str, options: Sequence[Any], default: Any, **how: Any) -> Any:
    """Show a few options side by side; options may be text or numbers."""
    texts = {str(option): option for option in options}

    def parse(text: str) -> Any:
        return texts[_one_of(list(texts))(text)]

    return _widget(st.segmented_control, name, label, default, parse, options, required=True, **how)


def log_slider(
    name: str, label: str, options: Sequence[float], default: float, **how: Any
) -> float:
    """Show a slider over given values, such as 0.01, 0.03, 0.1, ..."""

    def parse(text: str) -> float:
        value = _number(float, options[0], options[-1])(text)
        return min(options, key=lambda option: abs(option - value))

    return _widget(
        st.select_slider,
        name,
        label,
        default,
        parse,
        options,
        format_func=lambda v: f"{v:g}",
        **how,
    )


def toggle(name: str, label: str, default: bool, **how: Any) -> bool:
    """Show a switch."""

    def parse(text: str) -> bool:
        return _one_of(["False", "True"])(text) == "True"

    return _widget(st.toggle, name, label, default, parse, **how)


def _number(kind: type, low: float, high: float) -> Parse:
    def parse(text: str) -> Any:
        try:
            value = float(text)
        except ValueError:
            raise ValueError(f"“{text[:40]}” is not a number") from None
        if not low <= value <= high:
            raise ValueError(f"{text[:40]} is not between {low:g} and {high:g}")
        if kind is int and value != int(value):
            raise ValueError(f"{text[:40]} is not a whole number")
        return kind(value)

    return parse


def _one_of(options: Sequence[str]) -> Parse:
    def parse(text: str) -> str:
        if text not in options:
            raise ValueError(f"“{text[:40]}” is not one of {', '.join(options)}")
        return text

    return parse
