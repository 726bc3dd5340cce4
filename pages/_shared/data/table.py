"""Tables of named columns, and the sentences about them.

Messages and notes are plain text. User strings in them are cleaned and shortened, not escaped.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

from numpy import isnan, ndarray

from pages._shared.data.numerals import how_to_write, is_number

# Where a spreadsheet would begin a formula: at the start of a text, and after a character at which
# it may split the text into cells. `guarded` puts an apostrophe before the sign.
_FORMULA = re.compile(r"((?:^|[;\t\r\n])[ \u00a0\"]*+)(?='*+[=+\-@＝＋－＠\t\r])")
_GUARD = re.compile(_FORMULA.pattern + "'")


class ReadError(ValueError):
    """Raised if the data cannot be used. The message is the sentence for the page."""


class Reading(NamedTuple):
    """How a file was read; the user can correct each item."""

    header: bool = True  # the first row holds the names
    header_in_doubt: bool = False
    sign: str = "."  # the decimal sign
    sign_in_doubt: bool = False
    delimiter: str = ""  # between the cells; "" where the kind of file settles it


class Answers(NamedTuple):
    """What the user has said about a file. None: find out."""

    header: bool | None = None
    sign: str | None = None
    delimiter: str | None = None
    missing: frozenset[str] | None = None  # what stands for a missing number, in lower case
    texts: frozenset[str] = frozenset()  # columns that are text, whatever their cells look like
    cells: tuple[tuple[int, str, str], ...] = ()  # line, column and corrected text
    left_out: frozenset[int] = frozenset()  # lines


NO_ANSWERS = Answers()


class Picks(NamedTuple):
    """The columns in use: two on the axes, one (or None) for the class, other features."""

    x: str
    y: str
    label: str | None
    others: tuple[str, ...]


class Stray(NamedTuple):
    """A text that prevents a column from being numbers."""

    cell: str
    line: int  # in the file
    unsaved: bool = False  # it is a formula whose result is not stored

    @property
    def place(self) -> str:
        """Return the text and its line."""
        return f"{quoted(self.cell)} in line {self.line:,}"

    @property
    def advice(self) -> str:
        """Return what to do about the text."""
        if self.unsaved:
            return (
                "It is a formula without a stored result. Open the workbook in a spreadsheet "
                "program, save it, and load it again."
            )
        return how_to_write(self.cell)


class Odd(NamedTuple):
    """A text in a column of numbers, which counts as missing."""

    column: str
    cell: str
    lines: tuple[int, ...]  # of the file, where this text stands


@dataclass(frozen=True, eq=False)
class Table:
    """Named columns of numbers (NaN where missing) or of text ("" where missing)."""

    names: tuple[str, ...]
    columns: tuple[ndarray, ...]  # float, or object holding str
    texts: dict[str, Stray]  # the columns of text, each with its first text
    unread: frozenset[str]  # the text columns that are meant as numbers
    notes: tuple[str, ...]  # how it was read and what was left out, in sentences
    reading: Reading
    lines: ndarray  # of the file, where each row ends
    odd: tuple[Odd, ...]  # texts in columns of numbers
    total: int  # rows of the file, with those that were left out

    @property
    def numeric(self) -> tuple[str, ...]:
        """Return the columns that can be on an axis; there are at least two."""
        return tuple(name for name in self.names if name not in self.texts)


def is_missing(column: ndarray) -> ndarray:
    """Return which cells are missing."""
    return column == "" if column.dtype == object else isnan(column)


def text_where_numbers_belong(name: str, first: Stray) -> str:
    """Return the sentence about a text column that cannot be on an axis."""
    return f"Column {quoted(name)} holds text where numbers belong: {first.place}. {first.advice}"


def one_line(text: str) -> str:
    """Return at most 60 characters of a text on one line, without control characters."""
    blank = (" " if c.isspace() else c if c.isprintable() else "\ufffd" for c in text.strip()[:61])
    text = "".join(blank)
    return text if len(text) <= 60 else text[:59] + "…"


def quoted(text: str) -> str:
    """Return a name on one line, in quotation marks."""
    return f"'{one_line(text)}'"


def unique_names(names: list[str]) -> list[str]:
    """Return the names, with (2), (3), ... added to names that occurred before."""
    result: list[str] = []
    for name in names:
        candidate, k = name, 1
        while candidate in result:
            k += 1
            candidate = f"{name[:53]} ({k})"
        result.append(candidate)
    return result


def plain_number(value: float) -> str:
    """Return the shortest text that reads back as the same number: 1 for 1.0."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(float(value))


def counted_rows(count: int) -> str:
    """Return a number of rows as text."""
    return f"{count:,} row{'' if count == 1 else 's'}"


def guarded(text: str) -> str:
    """Return a text that no spreadsheet runs as a formula, wherever it splits the line."""
    return text if is_number(text, ",") else _FORMULA.sub(r"\1'", text)


def unguarded(cell: str) -> str:
    """Return the text from which `guarded` made the cell."""
    return _GUARD.sub(r"\1", cell) if "'" in cell else cell
