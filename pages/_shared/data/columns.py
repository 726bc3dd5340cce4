"""From rows of cells to named columns: numbers where every cell is one, text elsewhere."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy import ndarray

from pages._shared.data.numerals import is_amount, number
from pages._shared.data.table import (
    ReadError,
    Reading,
    Table,
    one_line,
    quoted,
    text_where_numbers_belong,
    unique_names,
)

MAX_COLUMNS = 64
MAX_LINE = 16_000  # characters
MAX_RECORDS = 20_000  # looked at; MAX_ROWS of them are used
NO_NUMBER = {"", "?", "na", "n/a", "nan", "null", "none"}  # in columns of numbers, any case
_NO_TEXT = {"", "?", "NA", "N/A"}  # in columns of text: a class may be called "none"


class Row(NamedTuple):
    """The cells of a row, without blanks around them."""

    cells: list[str]
    line: int  # of the file, where the row ends


@dataclass
class Cells:
    """What stands in a file."""

    subject: str  # the file, in sentences
    headings: list[str]
    rows: list[Row]
    notes: list[str]
    reading: Reading = field(default_factory=Reading)
    texts: set[int] = field(default_factory=set)  # columns declared to be text


def check_width(width: int, subject: str) -> None:
    """Refuse a table that is too wide."""
    if width > MAX_COLUMNS:
        raise ReadError(
            f"{subject} has too many columns, {width:,}; at most {MAX_COLUMNS} are read, so keep "
            "those you need."
        )


def build(found: Cells) -> Table:
    """Make named columns of the rows."""
    subject, rows, notes = found.subject, found.rows, found.notes
    if not rows:
        raise ReadError(f"{subject} holds only a header; rows of numbers are needed below it.")
    columns: dict[str, ndarray] = {}
    texts, almost, unread = {}, [], set()
    for j, name in enumerate(_names(found)):
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
        texts[name] = f"{quoted(first.cells[j])} in line {first.line:,}"
        if j not in found.texts and _are_amounts(cells, values):
            unread.add(name)
        if j not in found.texts and (name in unread or len(strays) <= len(rows) / 2):
            almost.append(name)
    if len(columns) - len(texts) < 2:
        for name in almost:
            raise ReadError(text_where_numbers_belong(name, texts[name]))
        raise ReadError(
            f"{subject} has fewer than two columns of numbers; one is needed for x and one for y."
        )
    notes += [
        f"Column {quoted(name)} was read as text because of {texts[name]}." for name in almost
    ]
    return Table(
        tuple(columns), tuple(columns.values()), texts, frozenset(unread), tuple(notes),
        found.reading,
    )  # fmt: skip


def _names(found: Cells) -> list[str]:
    """Give each column a name of its own."""
    given = [one_line(heading) or f"column {j}" for j, heading in enumerate(found.headings, 1)]
    names = unique_names(given)
    if renamed := [quoted(name) for name, old in zip(names, given, strict=True) if name != old]:
        found.notes.append(f"Columns with a name that occurs before are now {', '.join(renamed)}.")
    return names


def _value(cell: str, sign: str) -> float | None:
    """The value of a cell, NaN if it stands for a missing one, None if it is text."""
    value = number(cell, sign)
    return np.nan if value is None and cell.lower() in NO_NUMBER else value


def _are_amounts(cells: list[str], values: dict[str, float | None]) -> bool:
    """Tell whether most cells are meant as numbers, though not all can be read."""
    meant = {cell for cell, value in values.items() if value is not None or is_amount(cell)}
    missing = {cell for cell in values if cell.lower() in NO_NUMBER}
    count = sum(cell in meant - missing for cell in cells)
    return count > sum(cell not in missing for cell in cells) / 2
