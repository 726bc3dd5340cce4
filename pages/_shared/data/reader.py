"""Read a small table from an uploaded file or pasted text.

Bytes are bounded before they are parsed, every step is linear in their number, and whatever goes
wrong is a `ReadError` whose message is the sentence for the page.

    bytes -> text -> lines -> rows of cells -> Table
"""

import csv
import re
from collections import Counter
from itertools import islice
from typing import NamedTuple

import numpy as np

from pages._shared.data.table import (
    NUMBER,
    ReadError,
    Table,
    counted_rows,
    is_number,
    one_line,
    quoted,
    text_where_numbers_belong,
    unguarded,
    unique_names,
)

MAX_BYTES = 5_000_000
MAX_COLUMNS = 64
MAX_LINE = 16_000  # characters
MAX_RECORDS = 20_000  # looked at; MAX_ROWS of them are used
_ENDINGS = ("csv", "tsv", "txt", "arff")
_COMPRESSED = ("gz", "zip", "bz2", "xz", "zst", "7z", "rar")
_SPREADSHEETS = ("xlsx", "xls", "ods", "numbers")
_DELIMITERS = {"\t": "tabs", ";": "semicolons", ",": "commas", "|": "vertical bars", " ": "blanks"}
_INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)
_NO_NUMBER = {"", "?", "na", "n/a", "nan", "null", "none"}  # in columns of numbers, any case
_NO_TEXT = {"", "?", "NA", "N/A"}  # in columns of text: a class may be called "none"
_ATTRIBUTE = re.compile(
    r"""@attribute\s+(?P<name>'(\\.|[^'\\])+'|"(\\.|[^"\\])+"|[^\s{'"][^\s{]*)(\s+|(?={))"""
    r"(?P<kind>numeric|real|integer|string|date\b.*|\{.*\})",
    re.IGNORECASE,
)


def read_table(raw: bytes, filename: str) -> Table:
    """Read .csv, .tsv, .txt or .arff bytes, or pasted text (filename "paste")."""
    pasted = filename == "paste"
    subject = "The pasted text" if pasted else quoted(filename)
    ending = "txt" if pasted else filename.rpartition(".")[2].lower()
    _check_kind(raw, ending, subject)
    text, notes = _decode(raw, subject)
    lines = _split_lines(text, subject)
    return (_read_arff if ending == "arff" else _read_delimited)(lines, subject, notes)


def _check_kind(raw: bytes, ending: str, subject: str) -> None:
    """Refuse what cannot be a table of text, before any of it is decoded."""
    if ending in _SPREADSHEETS:
        raise ReadError(
            f"{subject} is a spreadsheet; save it as CSV, or copy its cells and paste them."
        )
    if ending in _COMPRESSED or raw.startswith((b"\x1f\x8b", b"PK\x03\x04")):
        raise ReadError(f"{subject} is compressed; unpack it and load the file inside.")
    if ending not in _ENDINGS:
        raise ReadError(f"{subject} cannot be read; use a .csv, .tsv, .txt or .arff file.")
    if len(raw) > MAX_BYTES:
        raise ReadError(
            f"{subject} is too large, {len(raw) / 1e6:.1f} MB; at most {MAX_BYTES / 1e6:g} MB are "
            "read, so keep fewer rows or columns."
        )
    if not raw:
        raise ReadError(f"{subject} is empty.")


def _decode(raw: bytes, subject: str) -> tuple[str, list[str]]:
    """Decode UTF-8, or UTF-16 if marked so, or else cp1252 with a note."""
    encodings = {
        "utf-8-sig": [],
        "cp1252": ["The text is not UTF-8 and was read as cp1252; check accented letters."],
    }
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = {"utf-16": ["The text is encoded as UTF-16."]}
    for encoding, notes in encodings.items():
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text, notes
    raise ReadError(f"{subject} is not a text file; save the table as CSV in UTF-8.")


def _split_lines(text: str, subject: str) -> list[str]:
    """Split at line ends of any system, and at nothing else, into lines of bounded length."""
    if not text.strip():
        raise ReadError(f"{subject} holds nothing but blank space.")
    lines = text.rstrip().replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, start=1):
        if len(line) > MAX_LINE:
            raise ReadError(
                f"Line {number:,} of {subject} is too long, {len(line):,} characters; at most "
                f"{MAX_LINE:,} are read. A table has one row per line."
            )
    return lines


class _Row(NamedTuple):
    cells: list[str]
    line: int  # of the file, where the row ends


def _read_delimited(lines: list[str], subject: str, notes: list[str]) -> Table:
    """Read lines whose delimiter, header and decimal sign are to be found out."""
    delimiter, width = _find_delimiter(lines, subject)
    notes.append(f"Columns are separated by {_DELIMITERS[delimiter]}.")
    if delimiter == " ":
        lines = [line.replace("\t", " ").strip() for line in lines]
    rows = _read_rows(lines, width, subject, notes, delimiter=delimiter)
    headings = [""] * width
    if rows and not any(is_number(cell, delimiter) for cell in rows[0].cells):
        headings = rows.pop(0).cells
        notes.append("The first row is the header.")
    else:
        notes.append("There is no header.")
    sign = "." if delimiter == "," else _decimal_sign(rows)
    if sign == ",":
        notes.append("The decimal sign is a comma: 1,5 is one and a half.")
    return _build(headings, rows, set(), sign, subject, notes)


def _find_delimiter(lines: list[str], subject: str) -> tuple[str, int]:
    """Find what splits the first lines most evenly into numbers, and into how many columns."""
    sample = "\n".join(islice(filter(str.strip, lines), 50))
    sample = re.sub(r'"[^"]*"', '""', sample).split("\n")  # delimiters inside quotes do not count
    best, delimiter, width = (0.0, 0.0), None, 0
    for candidate in _DELIMITERS:
        split = [line.split(None if candidate == " " else candidate) for line in sample]
        usual, count = Counter(map(len, split)).most_common(1)[0]
        evenly = [row[:MAX_COLUMNS] for row in split if len(row) == usual]
        numbers = sum(is_number(cell.strip(), candidate) for row in evenly for cell in row)
        cells = sum(len(row[:MAX_COLUMNS]) for row in split)
        score = (numbers / cells, count / len(split))
        if usual > 1 and score > best:
            best, delimiter, width = score, candidate, usual
    if delimiter is None:
        raise ReadError(
            f"{subject} has only one column; two columns of numbers are needed, separated by "
            "commas, semicolons, tabs, vertical bars or blanks."
        )
    return delimiter, width


def _read_arff(lines: list[str], subject: str, notes: list[str]) -> Table:
    """Read Weka's ARFF: attributes with their types, then rows separated by commas."""
    # Not scipy.io.arff (1.17): it refuses string attributes and class names beyond ASCII, misreads
    # quotes in names, and ends in an IndexError or StopIteration where a row is short or none is
    # there. So it has no sentence, and no bound on rows, for the page.
    headings, declared_texts = [], set()
    for start, line in enumerate(map(str.strip, lines), start=1):
        if line.lower() == "@data":
            break
        if not line or line.startswith("%") or line.lower().startswith("@relation"):
            continue
        attribute = _ATTRIBUTE.fullmatch(line)
        if attribute is None:
            raise ReadError(
                f"Line {start:,} of {subject} is not understood: {quoted(line)}. Before @data an "
                "ARFF file has lines like @attribute height numeric or @attribute kind {a, b}."
            )
        if attribute["kind"].lower() not in ("numeric", "real", "integer"):
            declared_texts.add(len(headings))
        headings.append(re.sub(r"\\(.)", r"\1", attribute["name"].strip("'\"")))
    else:
        raise ReadError(f"{subject} has no @data line; an ARFF file has its rows below one.")
    data = ["" if line.lstrip().startswith("%") else line for line in lines[start:]]
    if next(filter(str.strip, data), "").lstrip().startswith("{"):
        raise ReadError(f"{subject} is a sparse ARFF file; save it in the ordinary, dense form.")
    notes.append(f"ARFF file with {len(headings)} attributes.")
    quote = max("'\"", key=lambda mark: sum(mark in line for line in data[:1000]))
    lines = [""] * start + data
    rows = _read_rows(lines, len(headings), subject, notes, quotechar=quote, escapechar="\\")
    return _build(headings, rows, declared_texts, ".", subject, notes)


def _read_rows(
    lines: list[str],
    width: int,
    subject: str,
    notes: list[str],
    *,
    delimiter: str = ",",
    quotechar: str = '"',
    escapechar: str | None = None,
) -> list[_Row]:
    """Read the rows of `width` cells; note those of another width and those beyond the bound."""
    if width > MAX_COLUMNS:
        raise ReadError(
            f"{subject} has too many columns, {width:,}; at most {MAX_COLUMNS} are read, so keep "
            "those you need."
        )
    reader = csv.reader(
        (f"{line}\n" for line in lines),
        delimiter=delimiter,
        quotechar=quotechar,
        escapechar=escapechar,
        skipinitialspace=True,
        strict=True,
    )
    rows, ragged, done = [], [], 0
    try:
        for cells in islice(reader, MAX_RECORDS):
            done = reader.line_num
            if not any(map(str.strip, cells)):
                continue
            if len(cells) == width:
                rows.append(_Row([unguarded(cell.strip()) for cell in cells], done))
            else:
                ragged.append(done)
    except csv.Error:
        raise ReadError(
            f"The quotes in line {done + 1:,} of {subject} do not match; close or remove them."
        ) from None
    if len(ragged) > len(rows):
        raise ReadError(
            f"Most rows of {subject} do not have {width} cells, line {ragged[0]:,} for example; "
            "give all rows the same number of cells."
        )
    if ragged:
        notes.append(
            f"{counted_rows(len(ragged))} with more or fewer than {width} cells left out, "
            f"the first in line {ragged[0]:,}."
        )
    if done < len(lines):
        notes.append(f"Only the first {done:,} of {len(lines):,} lines were looked at.")
    return rows


def _build(
    headings: list[str],
    rows: list[_Row],
    declared_texts: set[int],
    sign: str,
    subject: str,
    notes: list[str],
) -> Table:
    """Make named columns of the rows: numbers where every cell is one, text elsewhere."""
    if not rows:
        raise ReadError(f"{subject} holds only a header; rows of numbers are needed below it.")
    given = [one_line(heading) or f"column {j}" for j, heading in enumerate(headings, start=1)]
    names = unique_names(given)
    if renamed := [quoted(name) for name, old in zip(names, given, strict=True) if name != old]:
        notes.append(f"Columns with a name that occurs before are now {', '.join(renamed)}.")
    columns, texts, almost_numbers = {}, {}, []
    for j, (name, heading) in enumerate(zip(names, headings, strict=True)):
        cells = [row.cells[j] for row in rows]
        if not heading and not any(cells):
            notes.append(f"Column {j + 1} has neither a name nor values and was left out.")
            continue
        values = {cell: _number(cell, sign) for cell in set(cells)}
        strays = [row for row in rows if values[row.cells[j]] is None]
        if strays or j in declared_texts:
            first = (strays or rows)[0]
            columns[name] = np.array(["" if c in _NO_TEXT else c for c in cells], dtype=object)
            texts[name] = f"{quoted(first.cells[j])} in line {first.line:,}"
            if len(strays) <= len(rows) / 2 and j not in declared_texts:
                almost_numbers.append(name)
        else:
            columns[name] = np.array([values[cell] for cell in cells])
    if len(columns) - len(texts) < 2:
        for name in almost_numbers:
            raise ReadError(text_where_numbers_belong(name, texts[name]))
        raise ReadError(
            f"{subject} has fewer than two columns of numbers; one is needed for x and one for y."
        )
    notes += [f"Column {quoted(n)} was read as text because of {texts[n]}." for n in almost_numbers]
    return Table(tuple(columns), tuple(columns.values()), texts, tuple(notes))


def _decimal_sign(rows: list[_Row]) -> str:
    """The sign that more cells of the first rows use."""
    count = {sign: 0 for sign in NUMBER}
    for row in rows[:1000]:
        for cell in row.cells:
            for sign, pattern in NUMBER.items():
                count[sign] += sign in cell and pattern.fullmatch(cell) is not None
    return "," if count[","] > count["."] else "."


def _number(cell: str, sign: str) -> float | None:
    """The value of a cell, NaN if it stands for a missing one, None if it is text.

    Stricter than `float`, which takes "1_000" and Arabic digits.
    """
    if NUMBER[sign].fullmatch(cell) or _INFINITE.fullmatch(cell):
        return float(cell.replace(",", "."))
    return np.nan if cell.lower() in _NO_NUMBER else None
