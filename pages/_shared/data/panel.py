"""The data panel by the title: presets, own data (file or clipboard), download, clear."""

from collections.abc import Sequence
from functools import partial
from html import escape
from typing import Any

import numpy as np
import streamlit as st

from algorithms.data.presets import DATASETS, MAX_ROWS, Dataset
from pages._shared.data import link, own_data
from pages._shared.data.session_data import board, session_data
from pages._shared.data.table_data import to_csv
from pages._shared.session.cache import digest, once
from pages._shared.session.parameters import DATA, Parameters, by_user, record
from pages._shared.session.state import session
from pages._shared.text import plain

LARGEST = 1000  # for presets; files may have more
REPLACED = (
    "Your own points are on the board. Choosing or changing a preset replaces them; "
    "undo, or “Back to your data” below, brings them back."
)
VOID = "Your last edits were left out, because the points that you edited had been replaced."
SAMPLE_HELP = "The seed of the random points: the same number always draws the same ones."


def show(kinds: Sequence[str], default: str, *, grouped: bool, **options: Any) -> None:
    """Draw the panel, and load the preset or the link's points if the visitor asked for them.

    kinds : kinds of presets, the likeliest first. default : the preset that a lab opens on; options
    : its `n`, `noise`, `sample` or knob there. grouped : classes play a part in the lab.
    """
    place = st.popover("Data", icon=":material/scatter_plot:", key="data_panel")
    with place:
        _show_panel(kinds, default, options)
    own_data.offer()
    said = "".join(f"<span>{escape(part)}</span>" for part in _summary(grouped=grouped))
    st.html(f'<p class="on-board">{said}</p>', width="content")
    own_data.show()
    if board().void:
        board().void = 0
        st.toast(VOID, icon=":material/info:")


def _show_panel(kinds: Sequence[str], default: str, options: dict[str, Any]) -> None:
    here = session()
    preset = _choose_preset(kinds, default, options)
    if here.link is not None or here.preset_asked:
        _load_preset(preset)
        _load_link()
    elif not board().own and board().preset != preset:  # another lab, which opens on another preset
        _load_preset(preset)
    here.preset_asked = False
    if board().own and len(board().data.table):
        st.caption(REPLACED)
    _state_of_the_board()


def _choose_preset(kinds: Sequence[str], default: str, options: dict[str, Any]) -> tuple:
    """Show the menu of presets and the settings of the one chosen."""
    data = Parameters(DATA, st.container())
    names = sorted(DATASETS, key=lambda name: kinds.index(DATASETS[name].kind))
    chosen = data.choice(
        "data", "Preset", names, default,
        format_func=lambda name: DATASETS[name].label, then=partial(_chosen_anew, data.kept),
    )  # fmt: skip
    preset = DATASETS[chosen]
    own = options if chosen == default else {}
    then = partial(_changed, data.kept, chosen)
    left, right = data.place.columns(2)
    most = max(LARGEST, preset.n) if preset.kind != "real" else preset.n
    n = Parameters(DATA, left).number("n", "Points n", 1, most, own.get("n", preset.n), then=then)
    sample = Parameters(DATA, right).number(
        "sample", "Sample", 0, 9999, own.get("sample", 0), then=then, help=SAMPLE_HELP
    )
    noise = data.slider("noise", "Noise", 0.0, 1.0, own.get("noise", preset.noise), 0.05, then=then)
    if not (knob := preset.knob):
        return chosen, n, sample, noise, None
    value = own.get(knob.name, knob.value)
    setting = data.slider(knob.name, knob.label, knob.low, knob.high, value, then=then)
    return chosen, n, sample, noise, setting


def choose(name: str) -> None:
    """Load a preset, as if it had been chosen in the menu."""
    kept = session().kept[DATA]
    kept["data"] = name
    _chosen_anew(kept)


def _chosen_anew(kept: dict[str, Any]) -> None:
    """Load another preset, with its own n and noise."""
    for name in set(kept) - {"data", "sample"}:
        del kept[name]
    _ask_for_preset()


def _changed(kept: dict[str, Any], chosen: str) -> None:
    """Load the preset with other settings; from now on all labs use this choice."""
    kept["data"] = chosen
    _ask_for_preset()


def _ask_for_preset() -> None:
    session().preset_asked = True


def _load_preset(preset: tuple) -> None:
    """Put a preset on the board."""
    name, n, sample, noise, setting = preset
    knob = DATASETS[name].knob
    how = {knob.name: setting} if knob else {}
    data = DATASETS[name].make(n, noise=noise, rng=np.random.default_rng(sample), **how)
    if board().own and len(board().data.table):
        session_data().yours = (board().data, board().bounds)
    first = board().preset is None and not board().past and board().revision == 0
    board().load(data, preset=preset)
    if first:
        board().past.clear()  # undo must not lead to the empty board


def _load_link() -> None:
    """Put the points of the link just opened on the board, if it has any."""
    here = session()
    if text := (here.link or {}).get("points"):
        try:
            data, bounds = link.decode(text)
        except ValueError as error:
            here.refused.append(f"Points: {error}")
        else:
            board().load(data, bounds=bounds)


def _back_to_own() -> None:
    """Put the visitor's own data, which a preset has replaced, on the board again."""
    if yours := session_data().yours:
        data, bounds = yours
        board().load(data, bounds=bounds)


def _summary(*, grouped: bool) -> list[str]:
    """Write in one line what is on the board, in parts of which the later ones can be left out."""
    here = board()
    used = len(np.unique(here.data.labels))
    preset = DATASETS.get(here.data.name)
    name = preset.label if preset else here.data.name
    said = [name, f": {len(here.data.table)} points"]
    said += [f", {used} classes"] if grouped and used > 1 else []
    return said + ([", edited"] if here.edited else [])


def _state_of_the_board() -> None:
    """Describe the board, and offer to clear, restore or download it."""
    here = board()
    data: Dataset = here.data
    st.caption(plain(f"{''.join(_summary(grouped=True))}. {data.about}"))
    if data is session_data().own.data:
        st.caption(own_data.notes_of(session_data().own))
        own_data.offer_to_correct()
    if here.edited and len(data.columns) > 2:
        st.caption("A point you add has the mean of the others in every column not on the axes.")
    points = here.in_address()
    record("points", "Points", points.text, "")
    if points.note:
        st.caption(points.note)
    if len(data.table) >= MAX_ROWS:
        st.caption(f"{MAX_ROWS} points is the limit; painting adds no more.")
    left, right = st.columns(2)
    left.button(
        "Clear", on_click=by_user(here.clear), width="stretch", help="Start from an empty plane."
    )
    if here.own:
        st.button("Back to the preset", on_click=by_user(_ask_for_preset), width="stretch")
    elif session_data().yours:
        st.button("Back to your data", on_click=by_user(_back_to_own), width="stretch")
    # The table is written in advance, because Streamlit deletes a file that is written on demand
    # when the page of another visitor runs.
    table = once(digest(("csv", data)), partial(to_csv, data))
    right.download_button(
        "Download", table, "chalkline.csv", "text/csv",
        on_click="ignore", width="stretch", help="The points as a CSV file.",
    )  # fmt: skip
