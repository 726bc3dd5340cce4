"""Decide whether the first row of a table holds the names of its columns."""

import re

from pages._shared.data.columns import NO_NUMBER, Row
from pages._shared.data.numerals import is_number
from pages._shared.data.table import Reading

_YEAR = re.compile(r"(1[89]|2[01])[0-9][0-9]")


def take_headings(
    rows: list[Row], delimiter: str, header: bool | None
) -> tuple[list[str], Reading]:
    """Remove the first row if it holds the names. Return the names, and how they were read.

    header : the user's answer; None: find out. If the first row holds a number, the answer is in
    doubt.
    """
    if not rows:
        return [], Reading()
    in_doubt = any(is_number(cell, delimiter) for cell in rows[0].cells)
    header = _are_names(rows, delimiter) if header is None else header
    headings = rows.pop(0).cells if header else [""] * len(rows[0].cells)
    return headings, Reading(header, in_doubt)


def _are_names(rows: list[Row], delimiter: str) -> bool:
    """Return whether the first row is text, perhaps above numbers, or years above other numbers."""
    first, below = rows[0].cells, [row.cells for row in rows[1:50]]
    numbers = [j for j, cell in enumerate(first) if is_number(cell, delimiter)]
    words = [j for j, cell in enumerate(first) if cell.lower() not in NO_NUMBER]
    words = [j for j in words if j not in numbers]
    if not numbers:
        return bool(words)
    if not below or (first[0] and not words):
        return False
    if any(all(is_number(row[j], delimiter) for row in below) for j in words):
        return True
    years = [_YEAR.fullmatch(row[j]) for row in below for j in numbers]
    return all(_YEAR.fullmatch(first[j]) for j in numbers) and 2 * years.count(None) > len(years)
