"""Turn rows of cells into named columns: numbers if most values are, text otherwise."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy import ndarray

from algorithms.core.work import spend
from pages._shared.data.numerals import is_amount, number
from pages._shared.data.table import (
    NO_ANSWERS,
    Answers,
    Odd,
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
NO_NUMBER = frozenset({"", "?", "na", "n/a", "nan", "null", "none"})
ENOUGH = 0.8  # of the values that are not missing, in a column of numbers
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
    ragged: int = 0  # rows that were left out because they have more or fewer cells


def check_width(width: int, subject: str) -> None:
    """Raise ReadError for a table that is too wide."""
    if width > MAX_COLUMNS:
        raise ReadError(
            f"{subject} has too many columns, {width:,}; at most {MAX_COLUMNS} are read. Keep "
            "those you need."
        )


def build(found: Cells, answers: Answers = NO_ANSWERS) -> Table:
    """Return the rows as named columns, with the user's corrections."""
    subject, notes = found.subject, found.notes
    if not found.rows:
        raise ReadError(f"{subject} holds only a header. Add rows of numbers below it.")
    names = _names(found)
    rows = _corrected(found.rows, names, answers)
    if not rows:
        raise ReadError(f"All rows of {subject} are left out. Bring some of them back.")
    columns: dict[str, Column] = {}
    for j, name in enumerate(names):
        spend()
        if not found.headings[j] and not any(row.cells[j] for row in rows):
            notes.append(f"Column {j + 1} has neither a name nor values and was left out.")
        else:
            columns[name] = _column(found, rows, j, name, answers)
    texts = {name: column.text for name, column in columns.items() if column.text}
    almost = [name for name, column in columns.items() if column.almost]
    if len(columns) - len(texts) < 2:
        for name in almost:
            raise ReadError(text_where_numbers_belong(name, texts[name]))
        raise ReadError(
            f"{subject} has fewer than two columns of numbers. Add one: x and y need a column each."
        )
    for name in almost:
        notes.append(f"Column {quoted(name)} was read as text because of {texts[name].place}.")
        if texts[name].unsaved:
            notes[-1] += f" {texts[name].advice}"
    odd = [each for column in columns.values() for each in column.odd]
    notes += _odd_cells(odd)
    return Table(
        names=tuple(columns),
        columns=tuple(column.values for column in columns.values()),
        texts=texts,
        unread=frozenset(name for name, column in columns.items() if column.unread),
        notes=tuple(notes),
        reading=found.reading,
        lines=np.array([row.line for row in rows]),
        odd=tuple(odd),
        total=len(found.rows) + found.ragged,
    )


class Column(NamedTuple):
    """One column, and what keeps it from being numbers."""

    values: ndarray
    text: Stray | None = None  # its first text, if it is a column of text
    unread: bool = False  # it is meant as numbers
    almost: bool = False  # it is text because of a few cells
    odd: tuple[Odd, ...] = ()


def _corrected(rows: list[Row], names: list[str], answers: Answers) -> list[Row]:
    """Return the rows that the user keeps, with the cells that the user has corrected."""
    places = {name: j for j, name in enumerate(names)}
    corrected: dict[int, list[tuple[int, str]]] = {}
    for line, name, text in answers.cells:
        if name in places:
            corrected.setdefault(line, []).append((places[name], text))
    kept = []
    for row in rows:
        if row.line in answers.left_out:
            continue
        cells = row.cells
        if row.line in corrected:
            cells = list(cells)
            for j, text in corrected[row.line]:
                cells[j] = text
        kept.append(Row(cells, row.line))
    return kept


def _column(found: Cells, rows: list[Row], j: int, name: str, answers: Answers) -> Column:
    """Return a column as numbers if at least `ENOUGH` of its values are, else as text."""
    cells = [row.cells[j] for row in rows]
    missing = NO_NUMBER if answers.missing is None else answers.missing | {""}
    values = {cell: _value(cell, found.reading.sign, missing) for cell in set(cells)}
    strays = [row for row in rows if values[row.cells[j]] is None]
    declared = j in found.texts or name in answers.texts
    unsaved = any((row.line, j) in found.unsaved for row in strays)
    numbers = sum((value := values[cell]) is not None and value == value for cell in cells)
    if not declared and not unsaved and numbers >= ENOUGH * (numbers + len(strays)):
        column = np.array([np.nan if (v := values[cell]) is None else v for cell in cells])
        return Column(column, odd=_odd(name, strays, j))
    first = (strays or rows)[0]
    column = np.array(["" if _is_no_text(c, missing) else c for c in cells], dtype=object)
    text = Stray(first.cells[j], first.line, (first.line, j) in found.unsaved)
    unread = not declared and (text.unsaved or _are_amounts(cells, values, missing))
    almost = not declared and (unread or len(strays) <= len(rows) / 2)
    return Column(column, text, unread, almost)


def _odd(name: str, strays: list[Row], j: int) -> tuple[Odd, ...]:
    """Return the texts of a column of numbers, each with the lines where it stands."""
    lines: dict[str, list[int]] = {}
    for row in strays:
        lines.setdefault(row.cells[j], []).append(row.line)
    return tuple(Odd(name, cell, tuple(places)) for cell, places in lines.items())


def _odd_cells(odd: list[Odd]) -> list[str]:
    """Return a sentence for each column of numbers with texts in it."""
    sentences = []
    for name in dict.fromkeys(each.column for each in odd):
        here = [each for each in odd if each.column == name]
        count = sum(len(each.lines) for each in here)
        first = Stray(here[0].cell, here[0].lines[0])
        which = (
            f"{first.place} is no number and counts"
            if count == 1
            else (f"{count:,} cells are no numbers, the first is {first.place}; they count")
        )
        sentences.append(f"Column {quoted(name)} was read as numbers: {which} as missing.")
    return sentences


def _names(found: Cells) -> list[str]:
    """Return a name for each column; no two are the same."""
    given = [one_line(heading) or f"column {j}" for j, heading in enumerate(found.headings, 1)]
    names = unique_names(given)
    if renamed := [quoted(name) for name, old in zip(names, given, strict=True) if name != old]:
        found.notes.append(f"Columns with a name that occurs before are now {', '.join(renamed)}.")
    return names


def _value(cell: str, sign: str, missing: frozenset[str]) -> float | None:
    """Return the value of a cell, NaN if it stands for a missing one, None if it is text."""
    value = number(cell, sign)
    return np.nan if value is None and cell.lower() in missing else value


def _is_no_text(cell: str, missing: frozenset[str]) -> bool:
    """Return whether a cell of a column of text is missing: by the user's marks, or by ours."""
    marked = cell.lower() in missing
    return marked and (cell in _NO_TEXT or cell.lower() not in NO_NUMBER)


def _are_amounts(
    cells: list[str], values: dict[str, float | None], missing: frozenset[str]
) -> bool:
    """Return whether most cells are meant as numbers, though some cannot be read."""
    meant = {cell for cell, value in values.items() if value is not None or is_amount(cell)}
    gaps = {cell for cell in values if cell.lower() in missing}
    count = sum(cell in meant - gaps for cell in cells)
    return count > sum(cell not in gaps for cell in cells) / 2
