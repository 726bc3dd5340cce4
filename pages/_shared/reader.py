"""Read a small table from an uploaded file or pasted text, and write one.

Bytes are bounded before they are parsed, every step is linear in their number, and whatever goes
wrong is a `ReadError` whose message is the sentence for the page. Messages and notes are plain
text in which user strings are cleaned and shortened, not escaped.

    bytes -> text -> lines -> rows of cells -> Table -> Dataset
"""

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.datasets import MAX_CLASSES, MAX_ROWS, Dataset

MAX_BYTES = 5_000_000
MAX_COLUMNS = 64
MAX_LINE = 16_000  # characters
MAX_RECORDS = 20_000  # looked at; MAX_ROWS of them are used
MAX_VALUE = 1e12

_ENDINGS = ("csv", "tsv", "txt", "arff")
_COMPRESSED = ("gz", "zip", "bz2", "xz", "zst", "7z", "rar")
_SPREADSHEETS = ("xlsx", "xls", "ods", "numbers")
_DELIMITERS = {"\t": "tabs", ";": "semicolons", ",": "commas", "|": "vertical bars", " ": "blanks"}
_NUMBER = {  # possessive (++), because a number of 16,000 digits must not be tried in many ways
    ".": re.compile(r"[+-]?([0-9]++(\.[0-9]*+)?|\.[0-9]++)([eE][+-]?[0-9]++)?"),
    ",": re.compile(r"[+-]?([0-9]++(,[0-9]*+)?|,[0-9]++)([eE][+-]?[0-9]++)?"),
}
_INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)
_NO_NUMBER = {"", "?", "na", "n/a", "nan", "null", "none"}  # in columns of numbers, any case
_NO_TEXT = {"", "?", "NA", "N/A"}  # in columns of text: a class may be called "none"
_FORMULA = re.compile(r"'*[=+\-@\t\r]")  # a spreadsheet would run it
_ATTRIBUTE = re.compile(
    r"""@attribute\s+(?P<name>'(\\.|[^'\\])+'|"(\\.|[^"\\])+"|[^\s{'"][^\s{]*)(\s+|(?={))"""
    r"(?P<kind>numeric|real|integer|string|date\b.*|\{.*\})",
    re.IGNORECASE,
)


class ReadError(ValueError):
    """The data cannot be used; the message is the sentence shown on the page."""


@dataclass(frozen=True, eq=False)
class Table:
    """Named columns of numbers (NaN where missing) or of text ("" where missing)."""

    names: tuple[str, ...]
    columns: tuple[ndarray, ...]  # float, or object holding str
    texts: dict[str, str]  # for each column of text, where its first text stands
    notes: tuple[str, ...]  # what was found out and what was left out, in sentences

    @property
    def numeric(self) -> tuple[str, ...]:
        """The columns that can be on an axis; at least two."""
        return tuple(name for name in self.names if name not in self.texts)

    @property
    def class_like(self) -> tuple[str, ...]:
        """The columns of 2 to 8 different texts or whole numbers, the last one first."""
        pairs = zip(self.names, self.columns, strict=True)
        return tuple(name for name, column in pairs if _is_class_like(column))[::-1]

    @property
    def suggestion(self) -> tuple[str, str, str | None]:
        """Columns for x, y and class (None: no classes) to start with."""
        label = next((name for name in self.class_like if self._leaves_two(name)), None)
        x, y, *_ = (name for name in self.numeric if name != label)
        return x, y, label

    def _leaves_two(self, label: str) -> bool:
        return len(set(self.numeric) - {label}) >= 2


def read_table(raw: bytes, filename: str) -> Table:
    """Read .csv, .tsv, .txt or .arff bytes, or pasted text (filename "paste")."""
    pasted = filename == "paste"
    subject = "The pasted text" if pasted else _quote(filename)
    ending = "txt" if pasted else filename.rpartition(".")[2].lower()
    _check_kind(raw, ending, subject)
    text, notes = _decode(raw, subject)
    lines = _split_lines(text, subject)
    return (_read_arff if ending == "arff" else _read_delimited)(lines, subject, notes)


def to_dataset(
    table: Table, x: str, y: str, label: str | None, *, rng: Generator, name: str
) -> tuple[Dataset, tuple[str, ...]]:
    """Put columns `x` and `y` on the axes and the values of `label` into classes.

    Other columns of numbers are kept if they are complete. Returns the data and, in sentences,
    what was left out; at most `MAX_ROWS` rows are used, drawn with `rng`.
    """
    columns = dict(zip(table.names, table.columns, strict=True))
    chosen = [x, y] if label is None else [x, y, label]
    _check_choice(columns, table.texts, chosen)
    rows, notes = _usable_rows(columns, chosen)

    labels, classes = np.zeros(len(rows), dtype=int), ("all",)
    if label is not None:
        labels, classes = _classes(label, columns[label][rows])
        if len(classes) == 1:
            notes.append(f"All rows are of one class, {_quote(classes[0])}.")

    flaws = {n: _flaw(v[rows]) for n, v in columns.items() if n in (x, y) or n != label}
    features = [column for column, flaw in flaws.items() if not flaw]
    if left_out := [f"{_quote(column)} ({flaw})" for column, flaw in flaws.items() if flaw]:
        notes.append(f"Columns left out: {', '.join(left_out)}.")
    if len(rows) > MAX_ROWS:
        notes.append(f"{MAX_ROWS:,} of {len(rows):,} rows were drawn at random, with the seed.")
        drawn = np.sort(rng.choice(len(rows), MAX_ROWS, replace=False))
        rows, labels = rows[drawn], labels[drawn]
    dataset = Dataset(
        name=_clean(name),
        table=np.column_stack([columns[column][rows] for column in features]),
        columns=tuple(features),
        labels=labels,
        classes=classes,
        x=features.index(x),
        y=features.index(y),
    )
    return dataset, tuple(notes)


def to_csv(dataset: Dataset) -> str:
    """Write the table and, where there are classes, a last column of class names.

    Reading it back gives the same numbers and classes. Text that a spreadsheet would run as a
    formula gets a leading apostrophe, which `read_table` takes off again.
    """
    names = list(dataset.columns)
    rows = [[_plain(value) for value in row] for row in dataset.table.tolist()]
    if len(dataset.classes) > 1:
        names = _unique([*names, "class"])
        for row, label in zip(rows, dataset.labels.tolist(), strict=True):
            row.append(_guard(dataset.classes[label]))
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([[_guard(name) for name in names], *rows])
    return out.getvalue()


# From bytes to lines


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


# From lines to a table


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
    if rows and not any(_is_number(cell, delimiter) for cell in rows[0].cells):
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
        numbers = sum(_is_number(cell.strip(), candidate) for row in evenly for cell in row)
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
    headings, declared_texts = [], set()
    for start, line in enumerate(map(str.strip, lines), start=1):
        if line.lower() == "@data":
            break
        if not line or line.startswith("%") or line.lower().startswith("@relation"):
            continue
        attribute = _ATTRIBUTE.fullmatch(line)
        if attribute is None:
            raise ReadError(
                f"Line {start:,} of {subject} is not understood: {_quote(line)}. Before @data an "
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
                rows.append(_Row([_unguard(cell.strip()) for cell in cells], done))
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
            f"{_rows(len(ragged))} with more or fewer than {width} cells left out, the first in "
            f"line {ragged[0]:,}."
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
    given = [_clean(heading) or f"column {j}" for j, heading in enumerate(headings, start=1)]
    names = _unique(given)
    if renamed := [_quote(name) for name, old in zip(names, given, strict=True) if name != old]:
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
            texts[name] = f"{_quote(first.cells[j])} in line {first.line:,}"
            if len(strays) <= len(rows) / 2 and j not in declared_texts:
                almost_numbers.append(name)
        else:
            columns[name] = np.array([values[cell] for cell in cells])
    if len(columns) - len(texts) < 2:
        for name in almost_numbers:
            raise ReadError(_text_where_numbers_belong(name, texts[name]))
        raise ReadError(
            f"{subject} has fewer than two columns of numbers; one is needed for x and one for y."
        )
    notes += [f"Column {_quote(n)} was read as text because of {texts[n]}." for n in almost_numbers]
    return Table(tuple(columns), tuple(columns.values()), texts, tuple(notes))


def _decimal_sign(rows: list[_Row]) -> str:
    """The sign that more cells of the first rows use."""
    count = {sign: 0 for sign in _NUMBER}
    for row in rows[:1000]:
        for cell in row.cells:
            for sign, pattern in _NUMBER.items():
                count[sign] += sign in cell and pattern.fullmatch(cell) is not None
    return "," if count[","] > count["."] else "."


def _is_number(cell: str, delimiter: str) -> bool:
    signs = "." if delimiter == "," else ".,"
    return any(_NUMBER[sign].fullmatch(cell) for sign in signs)


def _number(cell: str, sign: str) -> float | None:
    """The value of a cell, NaN if it stands for a missing one, None if it is text.

    Stricter than `float`, which takes "1_000" and Arabic digits.
    """
    if _NUMBER[sign].fullmatch(cell) or _INFINITE.fullmatch(cell):
        return float(cell.replace(",", "."))
    return np.nan if cell.lower() in _NO_NUMBER else None


# From a table to a data set


def _check_choice(columns: dict[str, ndarray], texts: dict[str, str], chosen: list[str]) -> None:
    """Refuse columns that cannot be x and y, the first two of `chosen`."""
    for name in chosen:
        if name not in columns:
            raise ReadError(f"There is no column {_quote(name)}; choose another one.")
    x, y = chosen[:2]
    if x == y:
        raise ReadError(f"Column {_quote(x)} is chosen for both x and y; choose two columns.")
    for name in (x, y):
        if name in texts:
            raise ReadError(_text_where_numbers_belong(name, texts[name]))
        values = columns[name]
        if np.isnan(values).all():
            raise ReadError(f"Column {_quote(name)} has no values; choose another column.")
        if not np.isfinite(values).any():
            raise ReadError(f"Column {_quote(name)} has only infinite values; choose another one.")
        finite = values[np.isfinite(values)]
        largest = finite[np.abs(finite).argmax()]
        if abs(largest) > MAX_VALUE:
            raise ReadError(
                f"Column {_quote(name)} holds {largest:g}; values beyond {MAX_VALUE:g} are "
                "refused, so choose a larger unit."
            )


def _usable_rows(columns: dict[str, ndarray], chosen: list[str]) -> tuple[ndarray, list[str]]:
    """The rows that have a finite value in every chosen column, and notes on the others."""
    missing = np.any([_is_missing(columns[name]) for name in chosen], axis=0)
    finite = np.all([_is_finite(columns[name]) for name in chosen], axis=0)
    listed = ", ".join(map(_quote, chosen))
    notes = [
        f"{_rows(count)} left out: {what} in one of {listed}."
        for count, what in (
            (np.sum(missing), "no value"),
            (np.sum(~missing & ~finite), "an infinite value"),
        )
        if count
    ]
    rows = np.flatnonzero(~missing & finite)
    if len(rows) == 0:
        raise ReadError(f"No row has a value in each of {listed}; choose other columns.")
    if len(rows) == 1:
        raise ReadError("There is only one point; at least two are needed.")
    for name in chosen[:2]:
        values = columns[name][rows]
        if np.ptp(values) == 0:
            raise ReadError(
                f"Column {_quote(name)} is constant, every value is {_plain(values[0])}; choose "
                "another column."
            )
    return rows, notes


def _classes(name: str, values: ndarray) -> tuple[ndarray, tuple[str, ...]]:
    """Number the distinct values in their natural order."""
    distinct = sorted(set(values.tolist()), key=_natural if values.dtype == object else None)
    if len(distinct) > MAX_CLASSES:
        raise ReadError(
            f"{_quote(name)} has {len(distinct):,} different values; at most {MAX_CLASSES} classes "
            "can be told apart; choose another column or none."
        )
    index = {value: k for k, value in enumerate(distinct)}
    names = [_clean(v) if isinstance(v, str) else _plain(v) for v in distinct]
    return np.array([index[value] for value in values.tolist()]), tuple(_unique(names))


def _flaw(values: ndarray) -> str:
    """Why a column is no feature, or nothing."""
    if values.dtype == object:
        return "text"
    if count := np.sum(~np.isfinite(values)):
        return f"{count:,} missing or infinite"
    if np.abs(values).max() > MAX_VALUE:
        return f"values beyond {MAX_VALUE:g}"
    return "constant" if np.ptp(values) == 0 else ""


def _is_class_like(column: ndarray) -> bool:
    distinct = set(column[~_is_missing(column)].tolist())
    whole = column.dtype == object or all(float(value).is_integer() for value in distinct)
    return whole and 2 <= len(distinct) <= MAX_CLASSES


def _is_missing(column: ndarray) -> ndarray:
    return column == "" if column.dtype == object else np.isnan(column)


def _is_finite(column: ndarray) -> ndarray:
    return column != "" if column.dtype == object else np.isfinite(column)


# Names and words


def _text_where_numbers_belong(name: str, place: str) -> str:
    return (
        f"Column {_quote(name)} holds text where numbers belong: {place}. Write numbers like "
        "1234.5, or choose another column."
    )


def _clean(text: str) -> str:
    """At most 60 characters on one line, without control characters."""
    blank = (" " if c.isspace() else c if c.isprintable() else "\ufffd" for c in text.strip()[:61])
    text = "".join(blank)
    return text if len(text) <= 60 else text[:59] + "…"


def _quote(text: str) -> str:
    return f"'{_clean(text)}'"


def _unique(names: list[str]) -> list[str]:
    """Add (2), (3), ... to names that occurred before."""
    result: list[str] = []
    for name in names:
        candidate, k = name, 1
        while candidate in result:
            k += 1
            candidate = f"{name[:53]} ({k})"
        result.append(candidate)
    return result


def _natural(text: str) -> tuple[list[str | int], str]:
    """Sort key that puts class 2 before class 10."""
    parts = re.split("([0-9]+)", _clean(text).casefold())
    return [int(part) if k % 2 else part for k, part in enumerate(parts)], text


def _plain(value: float) -> str:
    """The shortest text that reads back as the same number: 1 for 1.0."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(float(value))


def _rows(count: int) -> str:
    return f"{count:,} row{'' if count == 1 else 's'}"


def _guard(text: str) -> str:
    return f"'{text}" if _FORMULA.match(text) and not _is_number(text, ",") else text


def _unguard(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
