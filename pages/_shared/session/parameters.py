"""Parameters: widgets whose values are kept for each lab, and are in the address.

The choice of data belongs to a scope that all labs share, everything else to its lab. The address
holds the values that differ from their defaults, so it can be copied as a link. A link sets the
parameters that it names, and resets the other parameters of its lab.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages._shared.session.state import Declared, Session, session
from pages._shared.session.values import (
    Chosen,
    Nearest,
    Parse,
    number,
    one_of,
    one_of_numbers,
    some_of,
)
from pages._shared.session.view_state import look_of, look_texts, parameters_of
from viz.core import words

DATA = "data"  # the scope that all labs share


def begin(page: str) -> None:
    """Start a page's rerun, and notice a link: an address that this session has not written.

    If the user has just changed a widget, the address is no link: the browser may be behind and
    still send the address from before the change. While a lab is shown, the browser itself writes
    step and zoom, so these alone make no link. (Streamlit can bind widgets to the address, but does
    not explain why it rejects a value, and has no parameters without a widget.)
    """
    here = session()
    address = {} if here.acted else st.query_params.to_dict()
    stayed = here.lab_before and here.page == page
    link = parameters_of(address)
    another = here.page != page or link != here.address
    gone_back = stayed and not here.acted  # to an address without parameters
    here.link = link if another and (address or gone_back) else None
    here.looks = look_of(address) if here.link is not None or not stayed else {}
    here.acted, here.begun = False, True
    here.moving, here.moved = here.moved, False
    if here.followed:
        here.links += 1
    if here.link is not None:
        others = {scope: kept for scope, kept in here.kept.items() if scope.split()[0] != page}
        here.kept = others | {DATA: {}, page: {}}
    here.refused = []
    if here.page != page:
        here.page, here.drawn, here.trial = page, {}, None
        here.handles, here.choices = {}, {}
    # Handles stay known: a user may let one go before this rerun declares it.
    here.declared, here.along = {}, set()


def by_user(act: Callable[..., None]) -> Callable[..., None]:
    """Return a widget's callback that also tells `begin` that this rerun comes from a widget."""

    def callback(*args: Any) -> None:
        session().acted = True
        act(*args)

    return callback


def write_url() -> None:
    """Write the parameters that differ from their defaults into the address of a complete page."""
    here = session()
    here.lab_before, here.begun = here.begun, False
    if not here.lab_before or here.moving:
        return  # every address that is written becomes an entry in the browser's history
    address = address_of(here)
    # A link to the same page leaves the browser its old address, so it is written in any case.
    if here.link is not None:
        st.query_params.from_dict(address | look_texts(here.look))
    # The browser may not have got the last address yet, and then says the one from before.
    elif not address == here.address == parameters_of(st.query_params.to_dict()):
        st.query_params.from_dict(address)  # the browser adds its own
    here.address = address


def address_of(here: Session) -> dict[str, str]:
    """Return the parameters in the address: those that differ from their defaults."""
    texts = {
        name: f"{value:g}" if isinstance(value, float) else str(value)
        for name, (_, value, _) in here.declared.items()
    }
    address = {
        name: text
        for name, text in texts.items()
        if here.declared[name].value != here.declared[name].default
    }
    if address:
        address |= {name: texts[name] for name in here.along}
    return address


def record(name: str, label: str, value: Any, default: Any) -> None:
    """Record a parameter, whose value is written to the address unless it is the default."""
    declared = session().declared
    if name in declared:
        raise RuntimeError(f"two parameters of one page are called {name}")
    declared[name] = Declared(label, value, default)


class Parameters:
    """The parameters of one scope, with their widgets in one place of the page.

    prefix : the start of their names in the address.
    """

    def __init__(self, scope: str, place: DeltaGenerator, prefix: str = "") -> None:
        """Use the values kept for `scope`."""
        self.scope, self.place, self.prefix = scope, place, prefix
        self.kept = session().kept.setdefault(scope, {})

    def within(self, place: DeltaGenerator) -> "Parameters":
        """Return the same scope, with widgets in another place of the page."""
        return Parameters(self.scope, place, self.prefix)

    def declare(
        self, name: str, label: str, default: Any, parse: Parse, *, before: str | None = None
    ) -> Any:
        """Return a parameter's value: that of the link just opened, the kept one, or the default.

        before : its name in old links, unless another parameter has that name now.
        """
        here = session()
        text = (here.link or {}).get(self.prefix + name)
        if text is None and before and before not in here.declared and not self.prefix:
            text = _of_old(before, parse)
        value = self.kept.get(name, default)
        try:
            value = parse(str(value) if text is None else text)
            if text is not None:
                self.kept[name] = value
        except ValueError as error:
            if text is not None:
                here.refused.append(f"{label}: {error}")
            self.kept.pop(name, None)
            value = default
            if isinstance(error, Nearest):
                value = self.kept[name] = error.value
        record(self.prefix + name, label, value, default)
        return value

    def _widget(
        self,
        make: Callable[..., Any],
        name: str,
        label: str,
        default: Any,
        parse: Parse,
        *args: Any,
        then: Callable[[], None] | None = None,
        before: str | None = None,
        read: Callable[[Any], Any] = lambda value: value,
        **how: Any,
    ) -> Any:
        """Show a widget for a parameter. `then` is called when the user changes it.

        read : makes the parameter of the widget's own value.
        """
        value = self.declare(name, label, default, parse, before=before)
        shown = _live(f"{self.scope}.{name}", value, parse)
        key, drawn = f"{self.scope}.{name}", session().drawn
        # A widget that is new, or has new limits, starts without its value. So do those of the data
        # panel, which the browser makes whenever it opens; one that is being dragged keeps its own.
        made_on_opening = self.scope == DATA and shown == value
        if made_on_opening or drawn.get(key) != (args, label) or st.session_state.get(key) != value:
            st.session_state[key] = value
        drawn[key] = (args, label)

        def changed() -> None:
            self.kept[name] = read(st.session_state[key])
            if then:
                then()

        with self.place:
            make(label, *args, key=key, on_change=by_user(changed), **how)
        return shown

    def slider(
        self,
        name: str,
        label: str,
        low: float,
        high: float,
        default: float,
        step: float = 1,
        **how: Any,
    ) -> Any:
        """Show a slider; all numbers are int, or all are float."""
        kind = type(default)
        low, high, step = kind(low), kind(high), kind(step)
        parse = number(kind, low, high)
        return self._widget(st.slider, name, label, default, parse, low, high, step=step, **how)

    def number(self, name: str, label: str, low: int, high: int, default: int, **how: Any) -> int:
        """Show a box for a whole number."""
        parse = number(int, low, high)
        return self._widget(st.number_input, name, label, default, parse, low, high, step=1, **how)

    def by_link(self, name: str, label: str, low: int, high: int, default: int) -> int:
        """Return a whole number that has no widget and is set only by a link."""
        return self.declare(name, label, default, number(int, low, high))

    def choice(
        self,
        name: str,
        label: str,
        options: Sequence[str],
        default: str,
        *,
        renamed: Mapping[str, str] | None = None,
        **how: Any,
    ) -> str:
        """Show a menu of names. renamed : options by their names in old links."""

        def parse(text: str) -> str:
            return one_of(options)((renamed or {}).get(text, text))

        return self._widget(st.selectbox, name, label, default, parse, options, **how)

    def buttons(
        self, name: str, label: str, options: Sequence[Any], default: Any, **how: Any
    ) -> Any:
        """Show a few options side by side; options may be text or numbers."""
        texts = {str(option): option for option in options}

        def parse(text: str) -> Any:
            return texts[one_of(list(texts))(text)]

        return self._widget(
            st.segmented_control, name, label, default, parse, options, required=True, **how
        )

    def several(
        self, name: str, label: str, options: Sequence[str], default: Sequence[str], **how: Any
    ) -> Chosen:
        """Show options of which any number can be chosen."""
        return self._widget(
            st.pills, name, label, Chosen(default), some_of(options), options,
            selection_mode="multi", read=Chosen, **how,
        )  # fmt: skip

    def log_slider(
        self, name: str, label: str, options: Sequence[float], default: float, **how: Any
    ) -> float:
        """Show a slider over given values, such as 0.01, 0.03, 0.1, ..."""
        shown = {words.number(option, 6): option for option in options}

        return self._widget(
            st.select_slider, name, label, default, one_of_numbers(shown), options,
            format_func=lambda v: words.number(v, 6), **how,
        )  # fmt: skip

    def toggle(self, name: str, label: str, default: bool, **how: Any) -> bool:
        """Show a switch."""

        def parse(text: str) -> bool:
            return one_of(["False", "True"])(text) == "True"

        return self._widget(st.toggle, name, label, default, parse, **how)


def _live(key: str, value: Any, parse: Parse) -> Any:
    """Return a slider's value, or its value under the cursor while the user drags it.

    The browser knows the widget by the class that Streamlit makes of its key.
    """
    here = session()
    named, before, now = here.live or ("", "", "")
    if named != re.sub(r"[^\w-]", "-", key, flags=re.ASCII):
        return value  # another slider
    try:
        if parse(before) != value:
            here.live = None  # it has been let go
            return value
        here.moving = parse(now) != value
        return parse(now)
    except ValueError:
        return value


def _of_old(before: str, parse: Parse) -> str | None:
    """Take the value under a parameter's old name out of the link.

    A text that cannot be its value is left for another parameter, which may have that name now.
    """
    link = session().link or {}
    try:
        parse(link[before])
    except Nearest:
        pass
    except (KeyError, ValueError):
        return None
    return link.pop(before)
