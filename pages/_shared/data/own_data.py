"""The dialog for the visitor's own data: read a file or pasted text, check it, and use it.

The dialog holds a draft, which goes to the board only when the visitor presses the button.
"""

from dataclasses import replace
from html import escape

import numpy as np
import streamlit as st

from pages._shared.data import clinic
from pages._shared.data.column_roles import suggest, why_no_features
from pages._shared.data.reader import PASTED, TEXTS, read_table
from pages._shared.data.session_data import OwnTable, board, session_data
from pages._shared.data.table import NO_ANSWERS, Answers, Picks, ReadError, Reading, Table, one_line
from pages._shared.data.table_data import rows_used, to_dataset
from pages._shared.session.cache import turn
from pages._shared.session.parameters import DATA, by_user
from pages._shared.session.state import session
from pages._shared.text import plain
from viz.core.words import number

LOAD, TITLE, USE = "Load", "Your own data", "Use these data"
NO_CLASS = "(none)"
PREVIEWED = 5  # rows
FILE_HELP = "Save .ods, .xls and other spreadsheets as .xlsx or CSV, or paste their cells."


def offer() -> None:
    """Draw the button that opens the dialog."""
    st.button(LOAD, icon=":material/upload_file:", help=TITLE, key="load", on_click=by_user(_open))


def offer_to_correct() -> None:
    """Draw the button that opens the dialog from the data panel, for the table in use."""
    st.button("Check and correct these data", key="correct", on_click=by_user(_open))


def notes_of(own: OwnTable) -> str:
    """Return how many rows are used, how they were read and what was left out, as Markdown."""
    if not (own.table and own.data):
        return ""
    notes = map(plain, (*own.notes, *own.table.notes))
    return "  \n".join([f"**{plain(rows_used(own.table, own.data))}**", *notes])


def show() -> None:
    """Draw the dialog while it is open."""
    if session_data().loading:
        _dialog()


def _open() -> None:
    """Open the dialog with the table that was used last."""
    session_data().loading = replace(session_data().own)


def _leave() -> None:
    session_data().loading = None


@st.dialog(TITLE, width=960, on_dismiss=by_user(_leave))
@turn()
def _dialog() -> None:
    """Draw the dialog; only this part of the page runs again until it is left."""
    draft = session_data().loading
    if draft is None:
        st.rerun()  # the page shows the new data
    file, paste = st.columns(2)
    file.file_uploader(
        "File (.csv, .tsv, .txt, .arff, .xlsx)", key="file", on_change=_read_file, help=FILE_HELP
    )
    paste.text_area(
        "or paste a table", key="pasted", height=90, placeholder="x, y, class\n1.0, 2.5, a\n..."
    )
    paste.button("Read the pasted table", on_click=_read_pasted, width="stretch")
    if draft.error:
        st.error(plain(draft.error), icon=":material/error:")
    if draft.table or draft.name.rpartition(".")[2].lower() in (*TEXTS, PASTED):
        reading = draft.table.reading if draft.table else Reading(delimiter=",")
        clinic.ask_how_to_read(reading, draft.answers, _read_again)
    if draft.table and draft.picks:
        _ask_for_columns(draft.table, draft.picks)
        clinic.show_oddities(draft.table, draft.picks, draft.answers, _read_again)
        st.html(_preview(draft.table, draft.picks))
        if not draft.error:
            st.caption(notes_of(draft))
    with st.container(key="use"):
        st.button(
            USE, type="primary", disabled=draft.data is None or bool(draft.error),
            on_click=_use, width="stretch",
        )  # fmt: skip


def _ask_for_columns(table: Table, picks: Picks) -> None:
    """Draw the menus of columns."""
    for_x, for_y, for_class, for_others = st.columns(4)
    with for_x:
        _pick("Column for x", "column_x", table.numeric, picks.x)
    with for_y:
        _pick("Column for y", "column_y", table.numeric, picks.y)
    with for_class:
        classes = [NO_CLASS, *table.names]
        _pick("Class", "column_class", classes, picks.label or NO_CLASS)
    if others := [name for name in table.numeric if name not in picks[:3]]:
        st.session_state["column_others"] = [name for name in picks.others if name in others]
        for_others.multiselect(
            "Other features", others, key="column_others", on_change=_pick_columns,
            help="Labs that can use more than two features use these besides x and y.",
        )  # fmt: skip


def _pick(label: str, key: str, options: tuple[str, ...] | list[str], value: str) -> None:
    st.session_state[key] = value  # Streamlit drops the value while another page is shown
    st.selectbox(label, options, key=key, on_change=_pick_columns)


def _preview(table: Table, picks: Picks) -> str:
    """Return a table of the first rows as they were read, and what each column is for."""
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


@turn(to_its_end=True)
def _pick_columns() -> None:
    """Use the chosen columns; a column that was on an axis before stays as a feature."""
    draft, state = _draft(), st.session_state
    if not (draft.table and draft.picks):
        return
    label = None if state.column_class == NO_CLASS else state.column_class
    chosen = {state.column_x, state.column_y, label}
    freed = {*draft.picks[:3]} - why_no_features(draft.table).keys()
    wanted = freed.union(state.get("column_others", ())) - chosen
    others = tuple(name for name in draft.table.numeric if name in wanted)
    draft.picks, draft.chosen = Picks(state.column_x, state.column_y, label, others), True
    _understand()


def _read_file() -> None:
    if file := st.session_state.file:
        _read(file.getvalue(), file.name)


def _read_pasted() -> None:
    _read(st.session_state.pasted.encode(), PASTED)


def _read_again(answers: Answers) -> None:
    """Read the same file with what the user has said about it."""
    draft = _draft()
    if draft.raw:
        _read(draft.raw, draft.name, answers)


@turn(to_its_end=True)
def _read(raw: bytes, name: str, answers: Answers = NO_ANSWERS) -> None:
    """Read a table and pick its likeliest columns; keep the old table if the new one fails."""
    draft = _draft()
    try:
        table = read_table(raw, name, answers)
    except ReadError as error:
        draft.error = str(error)
        if not draft.table:  # it can be read in another way
            draft.raw, draft.name, draft.answers = raw, name, answers
        return
    picks = draft.picks if raw is draft.raw and _fit(draft, table) else suggest(table)
    chosen = picks is draft.picks
    session_data().loading = OwnTable(table, raw, name, picks, answers=answers, chosen=chosen)
    _understand()


def _fit(draft: OwnTable, table: Table) -> bool:
    """Return whether the columns that the user has picked are still there."""
    if not (draft.chosen and draft.picks):
        return False
    x, y, label, others = draft.picks
    return {x, y, *others} <= set(table.numeric) and label in (None, *table.names)


def _understand() -> None:
    """Make a data set of the picked columns, or note why that is impossible."""
    draft = _draft()
    rng = np.random.default_rng(session().kept[DATA].get("sample", 0))
    assert draft.table and draft.picks
    try:
        draft.data, draft.notes = to_dataset(draft.table, draft.picks, rng=rng, name=draft.name)
    except ReadError as error:
        draft.error = str(error)
    else:
        draft.error = None


def _use() -> None:
    """Put the data on the board, and close the dialog."""
    here, draft = session_data(), _draft()
    if not draft.data:
        return
    here.own, here.loading = draft, None
    session().acted = True  # for the rerun of the whole page that follows
    board().load(draft.data, measured=True)


def _draft() -> OwnTable:
    """Return the draft; an empty one if the first of two clicks has closed the dialog."""
    return session_data().loading or OwnTable()
