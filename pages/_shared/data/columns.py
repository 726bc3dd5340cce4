"""Turn rows of cells into named columns: numbers if every cell is a number, text otherwise."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy import ndarray

from algorithms.core.work import spend
from pages._shared.data.numerals import is_amount, number
from pages._shared.data.table import (
    ReadError,
    Reading,
    Stray,
    Table,
    one_line,
    quoted,
    text_where_numbers_belong,
    unique_names,
)

MAX_COLUMNS = 64
MAX_LINE = 16_000  # characters
MAX_RECORDS = 20_000  # rows that are read; MAX_ROWS of them are used
# stand for a missing value in columns of numbers, in any case
NO_NUMBER = {"", "?", "na", "n/a", "nan", "null", "none"}
_NO_TEXT = {"", "?", "NA", "N/A"}  # the same in columns of text, where a class may be called "none"


class Row(NamedTuple):
    """The cells of a row, without blanks around them."""

    cells: list[str]
    line: int  # of the file, where the row ends


@dataclass
class Cells:
    """What a file holds."""

    subject: str  # names the file in messages
    headings: list[str]
    rows: list[Row]
    notes: list[str]
    reading: Reading = field(default_factory=Reading)
    texts: set[int] = field(default_factory=set)  # columns declared to be text
    # Formulas whose results are not stored: line and column.
    unsaved: set[tuple[int, int]] = field(default_factory=set)


def check_width(width: int, subject: str) -> None:
    """Raise ReadError for a table that is too wide."""
    if width > MAX_COLUMNS:
        raise ReadError(
            f"{subject} has too many columns, {width:,}; at most {MAX_COLUMNS} are read. Keep "
            "those you need."
        )


def build(found: Cells) -> Table:
    """Return the rows as named columns."""
    subject, rows, notes = found.subject, found.rows, found.notes
    if not rows:
        raise ReadError(f"{subject} holds only a header. Add rows of numbers below it.")
    columns: dict[str, ndarray] = {}
    texts: dict[str, Stray] = {}
    almost, unread = [], set()
    for j, name in enumerate(_names(found)):
        spend()
        cells = [row.cells[j] for row in rows]
        if not found.headings[j] and not any(cells):
            notes.append(f"Column {j + 1} has neither a name nor values and was left out.")
            continue
        values = {cell: _value(cell, found.reading.sign) for cell in set(cells)}
        strays = [row for row in rows if values[row.cells[j]] is None]
        if not strays and j not in found.texts:
            columns[name] = np.array([values[cell] for cell in cells])
            continue
        first = (strays or rows)[0]
        columns[name] = np.array(["" if c in _NO_TEXT else c for c in cells], dtype=object)
        texts[name] = Stray(first.cells[j], first.line, (first.line, j) in found.unsaved)
        if j not in found.texts and (texts[name].unsaved or _are_amounts(cells, values)):
            unread.add(name)
        if j not in found.texts and (name in unread or len(strays) <= len(rows) / 2):
            almost.append(name)
    if len(columns) - len(texts) < 2:
        for name in almost:
            raise ReadError(text_where_numbers_belong(name, texts[name]))
        raise ReadError(
            f"{subject} has fewer than two columns of numbers. Add one: x and y need a column each."
        )
    for name in almost:
        first = texts[name]
        notes.append(f"Column {quoted(name)} was read as text because of {first.place}.")
        if first.unsaved:
            notes[-1] += f" {first.advice}"
    return Table(
        tuple(columns), tuple(columns.values()), texts, frozenset(unread), tuple(notes),
        found.reading,
    )  # fmt: skip


def _names(found: Cells) -> list[str]:
    """Return a name for each column; no two are the same."""
    given = [one_line(heading) or f"column {j}" for j, heading in enumerate(found.headings, 1)]
    names = unique_names(given)
    if renamed := [quoted(name) for name, old in zip(names, given, strict=True) if name != old]:
        found.notes.append(f"Columns with a name that occurs before are now {', '.join(renamed)}.")
    return names


def _value(cell: str, sign: str) -> float | None:
    """Return the value of a cell, NaN if it stands for a missing one, None if it is text."""
    value = number(cell, sign)
    return np.nan if value is None and cell.lower() in NO_NUMBER else value


def _are_amounts(cells: list[str], values: dict[str, float | None]) -> bool:
    """Return whether most cells are meant as numbers, though some cannot be read."""
    meant = {cell for cell, value in values.items() if value is not None or is_amount(cell)}
    missing = {cell for cell in values if cell.lower() in NO_NUMBER}
    count = sum(cell in meant - missing for cell in cells)
    return count > sum(cell not in missing for cell in cells) / 2
