"""The data panel by the title: presets, own data (file or clipboard), download, clear."""

from functools import partial
from html import escape
from typing import Any

import numpy as np
import streamlit as st

from algorithms.data.presets import DATASETS, MAX_ROWS, Dataset
from pages._shared.data import link
from pages._shared.data.reader import read_table
from pages._shared.data.table import ReadError, Table
from pages._shared.data.table_data import to_csv, to_dataset
from pages._shared.sections import Section
from pages._shared.session.parameters import DATA, Parameters, by_user, record
from pages._shared.session.state import OwnTable, board, session
from pages._shared.text import plain

LARGEST = 1000  # points a preset makes; files may bring more
NO_CLASS = "(none)"
OWN_DATA = "Your own data"
SAMPLE_HELP = "The seed of the random points: the same number always draws the same ones."


def show(section: Section, default: str, **options: Any) -> None:
    """Draw the panel and keep the board in step with it.

    default : the preset a lab opens on; options : its `n`, `noise`, `sample` or knob there.
    """
    place = st.popover("Data", icon=":material/scatter_plot:", key="data_panel")
    with place:
        _show_panel(section, default, options)
    st.html(f'<p class="on-board">{escape(_summary())}</p>', width="content")


def _show_panel(section: Section, default: str, options: dict[str, Any]) -> None:
    here = session()
    own_first = bool(here.own.table or here.own.error)
    presets, own = st.tabs(
        ["Presets", OWN_DATA], default=OWN_DATA if own_first else None, key="data_tab",
        on_change=by_user(_turn_page),
    )  # fmt: skip
    with presets:
        preset = _choose_preset(section, default, options)
    if here.link is not None or here.preset_asked:
        _load_preset(preset)
        _load_link()
    elif not board().own and board().preset != preset:  # another lab, which opens on its own
        _load_preset(preset)
    here.preset_asked = False
    with own:
        if own.open:  # what nobody sees need not be sent
            _own_data()
    _state_of_the_board()


def _choose_preset(section: Section, default: str, options: dict[str, Any]) -> tuple:
    """Show the menu of presets and the settings of the one chosen."""
    data = Parameters(DATA, st.container())
    names = sorted(DATASETS, key=lambda name: section.presets.index(DATASETS[name].kind))
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


def _chosen_anew(kept: dict[str, Any]) -> None:
    """Load another preset, with its own n and noise."""
    for name in set(kept) - {"data", "sample"}:
        del kept[name]
    _ask_for_preset()


def _changed(kept: dict[str, Any], chosen: str) -> None:
    """Load the preset with other settings; it is the visitor's choice from now on, in all labs."""
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
    first = board().preset is None and not board().past and board().revision == 0
    board().load(data, preset=preset)
    if first:
        board().past.clear()  # there was nothing to go back to


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


def _turn_page() -> None:
    """Open the other tab: nothing else changes."""


def _own_data() -> None:
    """Read a file or pasted text, and let the user pick the columns."""
    own = session().own
    endings = ["csv", "tsv", "txt", "arff"]
    st.file_uploader("File", type=endings, key="file", on_change=by_user(_read_file))
    if own.error:
        st.error(plain(own.error), icon=":material/error:")
    if own.table:
        _pick_of(own.table)
        if not own.error and board().data is own.data:
            for note in (*own.table.notes, *own.notes):
                st.caption(plain(note))
    st.text_area(
        "or paste a table", key="pasted", height=90, placeholder="x, y, class\n1.0, 2.5, a\n..."
    )
    st.button("Use pasted table", on_click=by_user(_read_pasted), width="stretch")


def _pick_of(table: Table) -> None:
    """Let the user pick the columns that stand on the board."""
    own = session().own
    left, middle, right = st.columns(3)
    with left:
        _pick("Column for x", "column_x", table.numeric, own.x)
    with middle:
        _pick("Column for y", "column_y", table.numeric, own.y)
    with right:
        classes = [NO_CLASS, *table.names]
        _pick("Class", "column_class", classes, own.label or NO_CLASS)


def _pick(label: str, key: str, options: tuple[str, ...] | list[str], value: str) -> None:
    st.session_state[key] = value  # Streamlit forgets it while another page is shown
    st.selectbox(label, options, key=key, on_change=by_user(_pick_columns))


def _pick_columns() -> None:
    own, state = session().own, st.session_state
    own.x, own.y = state.column_x, state.column_y
    own.label = None if state.column_class == NO_CLASS else state.column_class
    _use_table()


def _read_file() -> None:
    if file := st.session_state.file:
        _read(file.getvalue(), file.name)


def _read_pasted() -> None:
    _read(st.session_state.pasted.encode(), "paste")


def _read(raw: bytes, name: str) -> None:
    """Read a table and use its likeliest columns; if it cannot be read, everything stays."""
    here = session()
    try:
        table = read_table(raw, name)
    except ReadError as error:
        here.own.error = str(error)
        return
    x, y, label = table.suggestion
    here.own = OwnTable(table, name, x, y, label)
    _use_table()


def _use_table() -> None:
    """Put the picked columns on the board, or say why they cannot be."""
    here = session()
    own = here.own
    rng = np.random.default_rng(here.kept[DATA].get("sample", 0))
    assert own.table is not None
    try:
        own.data, own.notes = to_dataset(own.table, own.x, own.y, own.label, rng=rng, name=own.name)
    except ReadError as error:
        own.error = str(error)
        return
    own.error = None
    board().load(own.data)


def _summary() -> str:
    """Say in one line what is on the board."""
    here = board()
    used = len(np.unique(here.data.labels))
    counts = f"{len(here.data.table)} points" + (f", {used} classes" if used > 1 else "")
    return f"{here.data.name}: {counts}" + (", edited" if here.edited else "")


def _state_of_the_board() -> None:
    """Say what is on the board, and offer to take it away or to save it."""
    here = board()
    data: Dataset = here.data
    st.caption(plain(f"{_summary()}. {data.about}"))
    if here.edited and len(data.columns) > 2:
        st.caption("A point you add has the mean of the others in every column not on the axes.")
    points = link.encode(data, here.bounds) if here.own else ""
    if points is None and (points := link.encode(link.on_plane(data), here.bounds)):
        st.caption("Only the columns on the axes fit into the address: to keep all, download.")
    record("points", "Points", points or "", "")
    if points is None:
        st.caption("These points are too many for the address: to keep or share them, download.")
    if len(data.table) >= MAX_ROWS:
        st.caption(f"{MAX_ROWS} points are the most that fit; painting adds no more.")
    left, right = st.columns(2)
    left.button(
        "Clear", on_click=by_user(here.clear), width="stretch", help="Start from an empty plane."
    )
    if here.own:
        st.button("Back to the preset", on_click=by_user(_ask_for_preset), width="stretch")
    right.download_button(
        "Download", partial(to_csv, data), "chalkline.csv", "text/csv",
        on_click="ignore", width="stretch", help="The points as a CSV file.",
    )  # fmt: skip
