"""The data panel in the sidebar: presets, own data (file or clipboard), download, clear."""

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from algorithms.data.presets import DATASETS, MAX_ROWS, Dataset
from pages._shared.data import link
from pages._shared.data.board import board
from pages._shared.data.reader import read_table
from pages._shared.data.table import ReadError, Table
from pages._shared.data.table_data import to_csv, to_dataset
from pages._shared.session import parameters
from pages._shared.session.parameters import by_user
from pages._shared.text import plain

LARGEST = 1000  # points a preset makes; files may bring more
ORDER = {
    "clustering": ("classes", "real", "regression"),
    "classification": ("classes", "real", "regression"),
    "regression": ("regression", "real", "classes"),
    "reduction": ("real", "classes", "regression"),
}
NO_CLASS = "(none)"


def show(task: str, default: str, **options: Any) -> None:
    """Draw the panel and keep the board in step with it.

    default : the preset a lab opens on; options : its `n`, `noise`, `sample` or knob there.
    """
    st.subheader("Data", anchor=False)
    names = sorted(DATASETS, key=lambda name: ORDER[task].index(DATASETS[name].kind))
    linked = st.session_state.link is not None
    first = "board" not in st.session_state
    chosen = parameters.choice(
        "data", "Preset", names, default, format_func=lambda name: DATASETS[name].label,
        then=_load_anew,
    )  # fmt: skip
    preset = DATASETS[chosen]
    own = options if chosen == default else {}
    left, right = st.columns(2)
    with left:
        most = max(LARGEST, preset.n) if preset.kind != "real" else preset.n
        parameters.number("n", "Points n", 1, most, own.get("n", preset.n), then=_load_preset)
    with right:
        parameters.number("sample", "Sample", 0, 9999, 0, then=_load_preset, help=SAMPLE_HELP)
    parameters.slider(
        "noise", "Noise", 0.0, 1.0, own.get("noise", preset.noise), 0.05, then=_load_preset
    )
    if knob := preset.knob:
        value = own.get(knob.name, knob.value)
        parameters.slider(knob.name, knob.label, knob.low, knob.high, value, then=_load_preset)
    if linked or first:
        _load_preset()
        _load_link()
    if first:
        board().past.clear()
    state = st.session_state
    in_use = "table" in state or bool(state.get("reading_error"))
    with st.expander("Your own data", expanded=in_use):
        _own_data()
    _state_of_the_board()


SAMPLE_HELP = "The seed of the random points: the same number always draws the same ones."


def _load_link() -> None:
    """Put the points of the link just opened on the board, if it has any."""
    state = st.session_state
    if text := (state.link or {}).get("points"):
        try:
            data, bounds = link.decode(text)
        except ValueError as error:
            state.refused.append(f"Points: {error}")
        else:
            board().load(data, own=True, bounds=bounds)


def _load_anew() -> None:
    """Load another preset, with its own n and noise."""
    kept = st.session_state.kept
    knob = DATASETS[kept["data"]].knob
    for name in ("n", "noise", *([knob.name] if knob else [])):
        kept.pop(name, None)
    _load_preset()


def _load_preset() -> None:
    """Put the chosen preset on the board."""
    kept = st.session_state.kept
    preset = DATASETS[kept["data"]]
    how = {"noise": kept.get("noise", preset.noise)}
    if preset.knob:
        how[preset.knob.name] = kept.get(preset.knob.name, preset.knob.value)
    rng = np.random.default_rng(kept.get("sample", 0))
    board().load(preset.make(kept.get("n", preset.n), rng=rng, **how), own=False)


def _own_data() -> None:
    """Read a file or pasted text, and let the user pick the columns."""
    state = st.session_state
    endings = ["csv", "tsv", "txt", "arff"]
    st.file_uploader("File", type=endings, key="file", on_change=by_user(_read_file))
    st.text_area(
        "or paste a table", key="pasted", height=90, placeholder="x, y, class\n1.0, 2.5, a\n..."
    )
    st.button("Use pasted table", on_click=by_user(_read_pasted), width="stretch")
    error = state.get("reading_error")
    if error:
        st.error(plain(error), icon=":material/error:")
    table: Table | None = state.get("table")
    if table is None:
        return
    st.selectbox("Column for x", table.numeric, key="column_x", on_change=by_user(_use_table))
    st.selectbox("Column for y", table.numeric, key="column_y", on_change=by_user(_use_table))
    classes = [NO_CLASS, *table.names]
    st.selectbox("Column for the class", classes, key="column_class", on_change=by_user(_use_table))
    in_use = not error and board().data is state.table_data
    for note in (*table.notes, *state.reading_notes) if in_use else ():
        st.caption(plain(note))


def _read_file() -> None:
    if file := st.session_state.file:
        _read(file.getvalue(), file.name)


def _read_pasted() -> None:
    _read(st.session_state.pasted.encode(), "paste")


def _read(raw: bytes, name: str) -> None:
    """Read a table and use its likeliest columns; if it cannot be read, everything stays."""
    state = st.session_state
    try:
        table = read_table(raw, name)
    except ReadError as error:
        state.reading_error = str(error)
        return
    state.table, state.table_name = table, name
    x, y, label = table.suggestion
    state.column_x, state.column_y, state.column_class = x, y, label or NO_CLASS
    _use_table()


def _use_table() -> None:
    """Put the picked columns on the board, or say why they cannot be."""
    state = st.session_state
    label = None if state.column_class == NO_CLASS else state.column_class
    rng = np.random.default_rng(state.kept["sample"])
    try:
        data, state.reading_notes = to_dataset(
            state.table, state.column_x, state.column_y, label, rng=rng, name=state.table_name
        )
    except ReadError as error:
        state.reading_error = str(error)
        return
    state.reading_error, state.table_data = None, data
    board().load(data, own=True)


def _state_of_the_board() -> None:
    """Say what is on the board, and offer to take it away or to save it."""
    here = board()
    data: Dataset = here.data
    used = len(np.unique(data.labels))
    counts = f"{len(data.table)} points" + (f", {used} classes" if used > 1 else "")
    edited = ", edited" if here.edited else ""
    st.caption(plain(f"{data.name}: {counts}{edited}. {data.about}"))
    if here.edited and len(data.columns) > 2:
        st.caption("A point you add has the mean of the others in every column not on the axes.")
    points = link.encode(data, here.bounds) if here.own else ""
    if points is None and (points := link.encode(link.on_plane(data), here.bounds)):
        st.caption("Only the columns on the axes fit into the address: to keep all, download.")
    parameters.record("points", "Points", points or "", "")
    if points is None:
        st.caption("These points are too many for the address: to keep or share them, download.")
    if len(data.table) >= MAX_ROWS:
        st.caption(f"{MAX_ROWS} points are the most that fit; painting adds no more.")
    left, right = st.columns(2)
    left.button(
        "Clear", on_click=by_user(here.clear), width="stretch", help="Start from an empty plane."
    )
    if here.own:
        st.button("Back to the preset", on_click=by_user(_load_preset), width="stretch")
    right.download_button(
        "Download", partial(to_csv, data), "chalkline.csv", "text/csv",
        on_click="ignore", width="stretch", help="The points as a CSV file.",
    )  # fmt: skip
