"""Tables of named columns, and the words in which pages speak about them.

Messages and notes are plain text in which user strings are cleaned and shortened, not escaped.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

from numpy import isnan, ndarray

from pages._shared.data.numerals import is_number

_FORMULA = re.compile(r"'*[=+\-@\t\r]")  # a spreadsheet would run it


class ReadError(ValueError):
    """The data cannot be used; the message is the sentence shown on the page."""


class Reading(NamedTuple):
    """How a file was read, and what the user may know better."""

    header: bool = True  # the first row holds the names
    header_in_doubt: bool = False
    sign: str = "."  # between the whole and its decimals
    sign_in_doubt: bool = False


class Picks(NamedTuple):
    """The columns that are used: two on the axes, one (or None) for the class, other features."""

    x: str
    y: str
    label: str | None
    others: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Table:
    """Named columns of numbers (NaN where missing) or of text ("" where missing)."""

    names: tuple[str, ...]
    columns: tuple[ndarray, ...]  # float, or object holding str
    texts: dict[str, str]  # for each column of text, where its first text stands
    unread: frozenset[str]  # of these, those meant as numbers
    notes: tuple[str, ...]  # what was found out and what was left out, in sentences
    reading: Reading

    @property
    def numeric(self) -> tuple[str, ...]:
        """The columns that can be on an axis; at least two."""
        return tuple(name for name in self.names if name not in self.texts)


def is_missing(column: ndarray) -> ndarray:
    """Tell which cells are missing."""
    return column == "" if column.dtype == object else isnan(column)


def text_where_numbers_belong(name: str, place: str) -> str:
    """Say where the first text of a column stands."""
    return (
        f"Column {quoted(name)} holds text where numbers belong: {place}. Write numbers like "
        "1234.5, or choose another column."
    )


def one_line(text: str) -> str:
    """At most 60 characters on one line, without control characters."""
    blank = (" " if c.isspace() else c if c.isprintable() else "\ufffd" for c in text.strip()[:61])
    text = "".join(blank)
    return text if len(text) <= 60 else text[:59] + "…"


def quoted(text: str) -> str:
    """Put a name, on one line, in quotation marks."""
    return f"'{one_line(text)}'"


def unique_names(names: list[str]) -> list[str]:
    """Add (2), (3), ... to names that occurred before."""
    result: list[str] = []
    for name in names:
        candidate, k = name, 1
        while candidate in result:
            k += 1
            candidate = f"{name[:53]} ({k})"
        result.append(candidate)
    return result


def plain_number(value: float) -> str:
    """The shortest text that reads back as the same number: 1 for 1.0."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(float(value))


def counted_rows(count: int) -> str:
    """Write a number of rows."""
    return f"{count:,} row{'' if count == 1 else 's'}"


def guarded(text: str) -> str:
    """Keep a spreadsheet from running a text as a formula."""
    return f"'{text}" if _FORMULA.match(text) and not is_number(text, ",") else text


def unguarded(cell: str) -> str:
    """Take off what `guarded` has put before a text."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
