"""Tables in text: find the delimiter, the header and the decimal sign, and read the rows."""

import csv
import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from math import inf

from algorithms.core.work import spend
from pages._shared.data import numerals
from pages._shared.data.columns import (
    MAX_COLUMNS,
    MAX_RECORDS,
    Cells,
    Row,
    check_width,
)
from pages._shared.data.headings import take_headings
from pages._shared.data.numerals import is_number
from pages._shared.data.table import (
    Answers,
    ReadError,
    Reading,
    counted_rows,
    plain_number,
    quoted,
    unguarded,
)

DELIMITERS = {"\t": "tabs", ";": "semicolons", ",": "commas", "|": "vertical bars", " ": "blanks"}
_DECLARED = re.compile(r'"?sep=(.)\1*+"?\s*+', re.IGNORECASE)  # Excel's first line


def read_delimited(lines: list[str], subject: str, notes: list[str], answers: Answers) -> Cells:
    """Return the cells of the lines."""
    delimiters = tuple(DELIMITERS)
    if declared := _DECLARED.fullmatch(lines[0]):
        delimiters, lines = (declared[1],), ["", *lines[1:]]
        _check_declared(declared[1], lines, subject)
    if answers.delimiter in DELIMITERS:
        delimiters = (answers.delimiter,)
    delimiter, width = _find_delimiter(lines, delimiters, subject)
    if delimiter == " ":
        lines = [line.replace("\t", " ").strip() for line in lines]
    found: list[str] = []
    rows, ragged = read_rows(lines, width, subject, found, delimiter=delimiter)
    headings, reading = take_headings(rows, delimiter, answers.header)
    guess = numerals.decimal_sign((row.cells for row in rows), delimiter)
    sign = answers.sign or guess.sign
    reading = reading._replace(sign=sign, sign_in_doubt=guess.in_doubt, delimiter=delimiter)
    notes += [_read_as(rows, delimiter, reading), *found]
    return Cells(subject, headings, rows, notes, reading, ragged=ragged)


def _check_declared(delimiter: str, lines: list[str], subject: str) -> None:
    """Raise ReadError if the line sep= names an unknown delimiter or no table follows it."""
    if delimiter not in DELIMITERS:
        raise ReadError(
            f"Line 1 of {subject} names {quoted(delimiter)} as the separator. Separate the columns "
            "by commas, semicolons, tabs or vertical bars."
        )
    if not any(map(str.strip, lines)):
        raise ReadError(f"{subject} holds only the line sep={delimiter}. Add a table below it.")


def _read_as(rows: list[Row], delimiter: str, reading: Reading) -> str:
    """Return a sentence about how the table was read."""
    header = "the first row holds the names" if reading.header else "there is no header"
    sentence = f"Columns are separated by {DELIMITERS[delimiter]}; {header}"
    if reading.sign == ",":
        sentence += "; the decimal sign is a comma"
    if example := numerals.example((row.cells for row in rows), reading.sign):
        cell, value = example
        sentence += f"; {quoted(cell)} is {plain_number(value)}"
    return sentence + "."


def _find_delimiter(lines: list[str], delimiters: Sequence[str], subject: str) -> tuple[str, int]:
    """Return the delimiter that splits the first lines best into numbers, and the column count."""
    sample = "\n".join(islice(filter(str.strip, lines), 50))
    sample = re.sub(r'"[^"]*"', '""', sample).split("\n")  # delimiters inside quotes do not count
    best, delimiter, width = (0.0, 0.0, -inf), None, 0
    for candidate in delimiters:
        spend()
        split = [
            re.split(r"[ \t]+", line.strip(" \t")) if candidate == " " else line.split(candidate)
            for line in sample
        ]
        usual, count = Counter(map(len, split)).most_common(1)[0]
        body = split[1:] or split  # the header, if there is one, has more words than numbers
        evenly = [row[:MAX_COLUMNS] for row in body if len(row) == usual]
        numbers = sum(is_number(cell.strip(), candidate) for row in evenly for cell in row)
        cells = sum(len(row[:MAX_COLUMNS]) for row in body)
        with_blanks = sum(" " in cell.strip() for row in evenly for cell in row)
        # so that 0,5 100,5 counts as two numbers
        score = (numbers / cells, count / len(split), -with_blanks)
        if usual > 1 and score > best:
            best, delimiter, width = score, candidate, usual
    if delimiter is None:
        raise ReadError(
            f"{subject} has only one column. Add a second column of numbers, separated by commas, "
            "semicolons, tabs, vertical bars or blanks."
        )
    return delimiter, width


def read_rows(
    lines: list[str],
    width: int,
    subject: str,
    notes: list[str],
    *,
    delimiter: str = ",",
    quotechar: str = '"',
    escapechar: str | None = None,
) -> tuple[list[Row], int]:
    """Return the rows of `width` cells, and count the others.

    Note those of other widths and those beyond the limit.
    """
    check_width(width, subject)
    reader = csv.reader(
        (f"{line}\n" for line in lines),
        delimiter=delimiter,
        quotechar=quotechar,
        escapechar=escapechar,
        skipinitialspace=True,
        strict=True,
    )
    rows: list[Row] = []
    ragged: list[tuple[int, int]] = []  # line, and number of cells, of each
    done = 0
    try:
        for cells in islice(reader, MAX_RECORDS):
            spend()
            start, done = done, reader.line_num
            if not any(map(str.strip, cells)):
                continue
            if done > start + 1 and _holds_rows(cells, width, delimiter):
                raise ReadError(
                    f"A quote in line {start + 1:,} of {subject} is closed in line {done:,}, with "
                    "rows of the table between. Close or remove it."
                )
            if len(cells) == width:
                rows.append(Row([unguarded(cell.strip()) for cell in cells], done))
            else:
                ragged.append((done, len(cells)))
    except csv.Error:
        raise ReadError(
            f"The quotes in line {done + 1:,} of {subject} do not match. Close or remove them."
        ) from None
    _note_ragged(ragged, rows, width, subject, notes)
    if done < len(lines):
        notes.append(f"Only the first {done:,} of {len(lines):,} lines were read.")
    return rows, len(ragged)


def _note_ragged(
    ragged: list[tuple[int, int]], rows: list[Row], width: int, subject: str, notes: list[str]
) -> None:
    """Note the rows of another width. Raise ReadError if most rows have another width."""
    if not ragged:
        return
    line, cells = ragged[0]
    if len(ragged) > len(rows):
        raise ReadError(
            f"Most rows of {subject} do not have {width} cells, line {line:,} for example. Give "
            "all rows the same number of cells."
        )
    notes.append(
        f"{counted_rows(len(ragged))} with more or fewer than {width} cells were left out, the "
        f"first in line {line:,}."
    )
    # probably the row of names, above numbers that were split at their commas
    if 1 < cells < width and line < rows[0].line:
        notes.append(
            f"Line {line:,} has {cells} cells and most rows have {width}. If commas stand inside "
            "numbers, separate the columns by semicolons or tabs."
        )


def _holds_rows(cells: list[str], width: int, delimiter: str) -> bool:
    """Return whether a stray quote has swallowed rows into one cell of several lines."""
    inside = [line.split(delimiter) for cell in cells for line in cell.split("\n")[1:]]
    return any(
        len(row) == width and any(is_number(cell.strip(), delimiter) for cell in row)
        for row in inside
    )
