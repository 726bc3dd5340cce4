"""The tab for one's own data: read a file or pasted text, and say what its columns are for."""

from html import escape

import numpy as np
import streamlit as st

from pages._shared.data.reader import read_table
from pages._shared.data.roles import suggest, why_no_features
from pages._shared.data.table import Picks, ReadError, Reading, Table, one_line
from pages._shared.data.table_data import to_dataset
from pages._shared.session.parameters import DATA, by_user
from pages._shared.session.state import OwnTable, board, session
from pages._shared.text import plain
from viz.core.words import number

NO_CLASS = "(none)"
SIGN_NAMES = {".": "point", ",": "comma"}
PREVIEWED = 5  # rows
FILE_HELP = "Of .ods, .xls and other spreadsheets: save them as .xlsx or CSV, or paste the cells."


def show() -> None:
    """Draw the tab."""
    own = session().own
    st.file_uploader(
        "File (.csv, .tsv, .txt, .arff, .xlsx)", key="file", on_change=by_user(_read_file),
        help=FILE_HELP,
    )  # fmt: skip
    if own.error:
        st.error(plain(own.error), icon=":material/error:")
    if own.table and own.picks:
        _ask_how_to_read(own.table.reading)
        _ask_for_columns(own.table, own.picks)
        st.html(_preview(own.table, own.picks))
        if not own.error and board().data is own.data:
            st.caption("  \n".join(map(plain, (*own.table.notes, *own.notes))))
    st.text_area(
        "or paste a table", key="pasted", height=90, placeholder="x, y, class\n1.0, 2.5, a\n..."
    )
    st.button("Use pasted table", on_click=by_user(_read_pasted), width="stretch")


def _ask_how_to_read(reading: Reading) -> None:
    """Let the user correct what was found out, where it can be wrong."""
    if not (reading.header_in_doubt or reading.sign_in_doubt):
        return
    left, right = st.columns(2, vertical_alignment="bottom")
    if reading.header_in_doubt:
        st.session_state["has_header"] = reading.header
        left.toggle("First row holds the names", key="has_header", on_change=by_user(_read_again))
    if reading.sign_in_doubt:
        st.session_state["decimal_sign"] = reading.sign
        right.segmented_control(
            "Decimal sign", [".", ","], key="decimal_sign", required=True,
            format_func=SIGN_NAMES.__getitem__, on_change=by_user(_read_again),
        )  # fmt: skip


def _ask_for_columns(table: Table, picks: Picks) -> None:
    """Let the user pick the columns that are used."""
    left, middle, right = st.columns(3)
    with left:
        _pick("Column for x", "column_x", table.numeric, picks.x)
    with middle:
        _pick("Column for y", "column_y", table.numeric, picks.y)
    with right:
        classes = [NO_CLASS, *table.names]
        _pick("Class", "column_class", classes, picks.label or NO_CLASS)
    if others := [name for name in table.numeric if name not in picks[:3]]:
        st.session_state["column_others"] = [name for name in picks.others if name in others]
        st.multiselect(
            "Other features", others, key="column_others", on_change=by_user(_pick_columns),
            help="The labs of several features use them besides x and y.",
        )  # fmt: skip


def _pick(label: str, key: str, options: tuple[str, ...] | list[str], value: str) -> None:
    st.session_state[key] = value  # Streamlit forgets it while another page is shown
    st.selectbox(label, options, key=key, on_change=by_user(_pick_columns))


def _preview(table: Table, picks: Picks) -> str:
    """Show the first rows as they were understood, and what each column is for."""
    uses = dict.fromkeys(picks.others, "feature") | {picks.x: "x", picks.y: "y"}
    if picks.label:
        uses[picks.label] = "class"
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in table.names)
    roles = "".join(f"<td>{uses.get(name, 'not used')}</td>" for name in table.names)
    rows = ""
    for values in zip(*(column[:PREVIEWED].tolist() for column in table.columns), strict=True):
        rows += f"<tr>{''.join(map(_cell, values))}</tr>"
    return (
        '<div class="preview" tabindex="0" role="region" aria-label="First rows"><table>'
        f"<thead><tr>{names}</tr><tr>{roles}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _cell(value: str | float) -> str:
    if isinstance(value, str):
        return f"<td>{escape(one_line(value))}</td>"
    return f'<td class="number">{"" if np.isnan(value) else number(value, 10)}</td>'


def _pick_columns() -> None:
    """Use the columns picked; one that was on an axis before stays as a feature."""
    own, state = session().own, st.session_state
    assert own.table and own.picks
    label = None if state.column_class == NO_CLASS else state.column_class
    chosen = {state.column_x, state.column_y, label}
    freed = {*own.picks[:3]} - why_no_features(own.table).keys()
    wanted = freed.union(state.get("column_others", ())) - chosen
    others = tuple(name for name in own.table.numeric if name in wanted)
    own.picks = Picks(state.column_x, state.column_y, label, others)
    _use_table()


def _read_file() -> None:
    if file := st.session_state.file:
        _read(file.getvalue(), file.name)


def _read_pasted() -> None:
    _read(st.session_state.pasted.encode(), "paste")


def _read_again() -> None:
    """Read the same table with the header and the decimal sign that the user says."""
    own, state = session().own, st.session_state
    assert own.table
    reading = own.table.reading
    header, sign = state.get("has_header", reading.header), state.get("decimal_sign", reading.sign)
    _read(own.raw, own.name, header, sign)


def _read(raw: bytes, name: str, header: bool | None = None, sign: str | None = None) -> None:
    """Read a table and use its likeliest columns; if it cannot be read, everything stays."""
    here = session()
    try:
        table = read_table(raw, name, header=header, sign=sign)
    except ReadError as error:
        here.own.error = str(error)
        return
    here.own = OwnTable(table, raw, name, suggest(table))
    _use_table()


def _use_table() -> None:
    """Put the picked columns on the board, or say why they cannot be."""
    here = session()
    own = here.own
    rng = np.random.default_rng(here.kept[DATA].get("sample", 0))
    assert own.table and own.picks
    try:
        own.data, own.notes = to_dataset(own.table, own.picks, rng=rng, name=own.name)
    except ReadError as error:
        own.error = str(error)
        return
    own.error = None
    board().load(own.data, measured=True)
