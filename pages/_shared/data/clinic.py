"""What the dialog for your own data says is odd in a table, and how it is put right.

The user's answers are kept beside the bytes of the file, which are read again with them: a cell can
be read in another way, its row left out, or its text taken for a missing value.
"""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages._shared.data.columns import NO_NUMBER
from pages._shared.data.delimited import DELIMITERS
from pages._shared.data.far_values import RULE, Far, far_values
from pages._shared.data.table import (
    Answers,
    Odd,
    Picks,
    Reading,
    Table,
    counted_rows,
    plain_number,
    quoted,
)
from pages._shared.session.parameters import by_user
from pages._shared.text import plain
from viz.core.words import number

SHOWN = 3  # far values, and as many texts
MOST_LINES = 5  # that are named
MOST_MARKS, MOST_CORRECTED = 20, 500
SIGN_NAMES = {".": "point", ",": "comma"}
MARKS_HELP = (
    "Separated by commas. A blank cell is always missing. In a column of numbers every other text "
    "is pointed out, and counts as missing until you correct it."
)
IN_DOUBT = "The file can be read in both ways: check this."
Answer = Callable[[Answers], None]  # reads the table again with these answers


def ask_how_to_read(reading: Reading, answers: Answers, answer: Answer) -> None:
    """Draw the questions about delimiter, decimal sign, header and missing values."""
    for_delimiter, for_sign, for_header, for_marks = st.columns(
        [2, 1.6, 1.8, 2.6], vertical_alignment="bottom"
    )
    if reading.delimiter:
        _keep("delimiter", reading.delimiter)
        for_delimiter.selectbox(
            "Columns separated by", list(DELIMITERS), key="delimiter",
            format_func=DELIMITERS.__getitem__, on_change=_said(answers, answer, "delimiter"),
        )  # fmt: skip
        _keep("decimal_sign", reading.sign)
        for_sign.segmented_control(
            "Decimal sign", list(SIGN_NAMES), key="decimal_sign", required=True,
            format_func=SIGN_NAMES.__getitem__, on_change=_said(answers, answer, "sign"),
            help=IN_DOUBT if reading.sign_in_doubt else None,
        )  # fmt: skip
    if reading.delimiter or reading.header_in_doubt:
        _keep("has_header", reading.header)
        for_header.toggle(
            "First row holds the names", key="has_header",
            on_change=_said(answers, answer, "header"),
            help=IN_DOUBT if reading.header_in_doubt else None,
        )  # fmt: skip
    marks = sorted((NO_NUMBER if answers.missing is None else answers.missing) - {""})
    _keep("missing_marks", ", ".join(marks))
    for_marks.text_input(
        "Missing values are written", key="missing_marks", max_chars=200, help=MARKS_HELP,
        on_change=_said(answers, answer, "missing"),
    )  # fmt: skip


_KEYS = {"delimiter": "delimiter", "sign": "decimal_sign", "header": "has_header"}


def parse_marks(text: str) -> frozenset[str]:
    """Return what stands for a missing number, as the user has listed it."""
    return frozenset(mark.strip() for mark in text.lower().split(",", MOST_MARKS)[:MOST_MARKS])


def _said(answers: Answers, answer: Answer, name: str) -> Callable[[], None]:
    """Return a callback that adds what a widget holds to the answers."""

    def said() -> None:
        if name == "missing":
            answer(answers._replace(missing=parse_marks(st.session_state["missing_marks"])))
        else:
            answer(answers._replace(**{name: st.session_state[_KEYS[name]]}))

    return said


def show_oddities(table: Table, picks: Picks, answers: Answers, answer: Answer) -> None:
    """Draw what is odd in the table, each with its remedies."""
    far = far_values(table, picks)
    for each in far[:SHOWN]:
        _show_case(_far_away(each), each.column, (each.line,), answers, answer)
    for each in table.odd[:SHOWN]:
        _show_case(_no_number(each), each.column, each.lines, answers, answer)
    more = [
        f"{len(found) - SHOWN:,} more {what}"
        for found, what in ((far, "far values"), (table.odd, "texts among numbers"))
        if len(found) > SHOWN
    ]
    notes = ([RULE] if far else []) + ([f"And {' and '.join(more)}."] if more else [])
    if notes:
        st.caption(plain(" ".join(notes)))
    _ask_for_text(table, answers, answer)
    if answers.cells or answers.left_out:
        done = [f"{len(answers.cells)} corrected"] if answers.cells else []
        done += [f"{counted_rows(len(answers.left_out))} left out"] if answers.left_out else []
        st.button(
            f"Undo the corrections: {', '.join(done)}", key="undo_corrections",
            on_click=by_user(partial(answer, answers._replace(cells=(), left_out=frozenset()))),
        )  # fmt: skip


def _show_case(
    sentence: str, column: str, lines: tuple[int, ...], answers: Answers, answer: Answer
) -> None:
    """Draw one oddity with a box for what the cells should say, and a button to leave them out."""
    words, box, button = st.columns([5, 2, 2], vertical_alignment="center")
    words.markdown(f":material/error: {plain(sentence)}")
    key = f"{lines[0]} {column}"

    def correct() -> None:
        text = st.session_state[f"correct {key}"].strip()
        if text and len(answers.cells) + len(lines) <= MOST_CORRECTED:
            answer(
                answers._replace(cells=(*answers.cells, *((line, column, text) for line in lines)))
            )

    box.text_input(
        f"What {_places(lines)} should say", key=f"correct {key}", placeholder="Correct it",
        label_visibility="collapsed", max_chars=40, on_change=correct,
    )  # fmt: skip
    what = f"line {lines[0]:,}" if len(lines) == 1 else f"{len(lines):,} rows"
    button.button(
        f"Leave out {what}", key=f"leave {key}", width="stretch",
        on_click=by_user(
            partial(answer, answers._replace(left_out=answers.left_out.union(lines)))
        ),
    )  # fmt: skip


def _ask_for_text(table: Table, answers: Answers, answer: Answer) -> None:
    """Offer to read columns of numbers that have texts in them as text, as a class may be."""
    columns = dict.fromkeys([*(each.column for each in table.odd), *sorted(answers.texts)])
    options = [name for name in columns if name in table.names]
    if not options:
        return
    _keep("text_columns", [name for name in options if name in answers.texts])

    def said() -> None:
        answer(answers._replace(texts=frozenset(st.session_state["text_columns"])))

    st.multiselect("Columns that are text after all", options, key="text_columns", on_change=said)


def _far_away(far: Far) -> str:
    return (
        f"{plain_number(far.value)} in line {far.line:,} of {quoted(far.column)} is far from all "
        f"others: {number(far.times, 3)} times the usual distance from the median, "
        f"{number(far.median, 4)}."
    )


def _no_number(odd: Odd) -> str:
    return f"{quoted(odd.cell)} in {_places(odd.lines)} of {quoted(odd.column)} counts as missing."


def _places(lines: tuple[int, ...]) -> str:
    """Return the first lines in words."""
    if len(lines) == 1:
        return f"line {lines[0]:,}"
    named = ", ".join(f"{line:,}" for line in lines[:MOST_LINES])
    more = f" and {len(lines) - MOST_LINES:,} more" if len(lines) > MOST_LINES else ""
    return f"lines {named}{more}"


def _keep(key: str, value: object) -> None:
    """Show a value in a widget; Streamlit forgets it while another page is shown."""
    st.session_state[key] = value
