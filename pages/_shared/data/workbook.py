"""The first sheet of an Excel workbook (.xlsx), which is a zip archive of XML.

docs/reading_files.md says why no library reads it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from io import BytesIO
from posixpath import normpath
from typing import NamedTuple
from zipfile import ZipFile

from pages._shared.data.archive import DAMAGED, local, tags
from pages._shared.data.columns import MAX_RECORDS, Cells, Row, check_width
from pages._shared.data.headings import take_headings
from pages._shared.data.table import ReadError, quoted, unguarded

MAX_CELLS = 200_000
MAX_STRINGS = 200_000
# built-in formats of dates
_DATES = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}
# The parts of a number format that say nothing about dates: texts, escaped and skipped characters,
# colours and conditions. A bracket or quote that is never closed reaches to the end, in one match.
_NO_DATE = re.compile(r'"[^"]*+"?|[\\_*].|\[[^\]]*+\]?|general', re.IGNORECASE | re.DOTALL)


class _Book(NamedTuple):
    sheet: str  # paths in the archive
    strings: str | None
    styles: str | None
    title: str  # of the sheet
    epoch: datetime  # the date that day 0 stands for


def read_workbook(raw: bytes, subject: str, header: bool | None) -> Cells:
    """Return the cells of the first sheet that is not hidden, as text."""
    try:
        with ZipFile(BytesIO(raw)) as archive:
            return _read(archive, subject, header)
    except ReadError:
        raise
    except DAMAGED as error:
        raise ReadError(
            f"{subject} cannot be read as an Excel workbook: it is damaged, or was written in "
            "an unusual way. Open it in a spreadsheet program and save it again, or paste its "
            "cells."
        ) from error


def _read(archive: ZipFile, subject: str, header: bool | None) -> Cells:
    book = _find_parts(archive, subject)
    sheet = _Sheet(archive, book, subject)
    notes: list[str] = []
    table: list[tuple[int, dict[int, str]]] = []
    seen = 0
    for line, cells in sheet.rows():
        if seen >= MAX_CELLS or len(table) >= MAX_RECORDS:
            notes.append(f"Only the first {len(table):,} rows were read.")
            break
        seen += len(cells)
        if cells and (table or len(cells) > 1):  # a title may stand above the table
            table.append((line, cells))
    if not table:
        raise ReadError(
            f"The first sheet of {subject} has no table of two columns or more. Move the table to "
            "the first sheet, or paste its cells."
        )
    left = min(min(cells) for _, cells in table)
    width = max(max(cells) for _, cells in table) + 1 - left
    check_width(width, subject)
    rows = [Row([cells.get(left + j, "") for j in range(width)], line) for line, cells in table]
    headings, reading = take_headings(rows, "", header)
    names = "the first row holds the names" if reading.header else "there is no header"
    notes.insert(0, f"Read from the sheet {quoted(book.title)}; {names}.")
    unsaved = {(line, column - left) for line, column in sheet.unsaved}
    return Cells(subject, headings, rows, notes, reading, unsaved=unsaved)


def _find_parts(archive: ZipFile, subject: str) -> _Book:
    """Return where the first sheet, its texts and its formats are."""
    sheets, epoch = [], datetime(1899, 12, 30)
    for tag in tags(archive, "xl/workbook.xml", subject):
        if tag.name == "workbookPr" and tag.attributes.get("date1904") in ("1", "true"):
            epoch = datetime(1904, 1, 1)
        if tag.name == "sheet":
            sheets.append({local(name): value for name, value in tag.attributes.items()})
    targets, kinds = {}, {}
    for tag in tags(archive, "xl/_rels/workbook.xml.rels", subject):
        if tag.name == "Relationship":
            path = normpath("/xl/" + tag.attributes["Target"]).lstrip("/")
            if tag.attributes["Target"].startswith("/"):
                path = tag.attributes["Target"].lstrip("/")
            targets[tag.attributes["Id"]] = path
            kinds[tag.attributes["Type"].rpartition("/")[2]] = path
    sheet = next((s for s in sheets if s.get("state", "visible") == "visible"), sheets[0])
    return _Book(
        targets[sheet["id"]], kinds.get("sharedStrings"), kinds.get("styles"),
        sheet.get("name", ""), epoch,
    )  # fmt: skip


def _strings(archive: ZipFile, path: str, subject: str) -> Iterator[str]:
    """Yield the texts that cells refer to by index, without their phonetic guides."""
    parts, aside, count = [], False, 0
    for tag in tags(archive, path, subject):
        match tag.name:
            case "si":
                parts = []
            case "rPh" | "/rPh":
                aside = tag.name == "rPh"
            case "/t" if not aside:
                parts.append(tag.text)
            case "/si":
                yield "".join(parts)
                if (count := count + 1) >= MAX_STRINGS:
                    return


def _date_styles(archive: ZipFile, path: str, subject: str) -> set[int]:
    """Return the indices of the cell styles that show a number as a date or time."""
    dates, styles, inside = set(_DATES), set(), False
    index = 0
    for tag in tags(archive, path, subject):
        match tag.name:
            case "numFmt":
                code = _NO_DATE.sub("", tag.attributes["formatCode"])
                if re.search("[dmyhs]", code, re.IGNORECASE):
                    dates.add(int(tag.attributes["numFmtId"]))
            case "cellXfs" | "/cellXfs":
                inside = tag.name == "cellXfs"
            case "xf" if inside:
                if int(tag.attributes.get("numFmtId", 0)) in dates:
                    styles.add(index)
                index += 1
    return styles


@dataclass
class _Sheet:
    """A sheet, with the texts and the date formats that its cells refer to."""

    archive: ZipFile
    book: _Book
    subject: str
    strings: list[str] = field(default_factory=list)
    dates: set[int] = field(default_factory=set)
    unsaved: list[tuple[int, int]] = field(default_factory=list)  # see `Cells.unsaved`

    def __post_init__(self) -> None:
        if self.book.strings:
            self.strings = list(_strings(self.archive, self.book.strings, self.subject))
        if self.book.styles:
            self.dates = _date_styles(self.archive, self.book.styles, self.subject)

    def rows(self) -> Iterator[tuple[int, dict[int, str]]]:
        """Yield each row's number, and its cells that are not empty by their column."""
        line, column, cell = 0, -1, {}
        cells: dict[int, str] = {}
        values: list[str] = []
        formula = None
        for tag in tags(self.archive, self.book.sheet, self.subject):
            match tag.name:
                case "row":
                    line, column, cells = int(tag.attributes.get("r", line + 1)), -1, {}
                case "c":
                    cell, values, formula = tag.attributes, [], None
                    column = _column(cell["r"]) if "r" in cell else column + 1
                case "/v" | "/t":
                    values.append(tag.text)
                case "/f":
                    formula = tag.text
                case "/c":
                    text = "".join(values)
                    if formula is not None and not text and cell.get("t") != "str":
                        cells[column] = f"={formula}"
                        self.unsaved.append((line, column))
                    elif text := unguarded(self._text(cell, text).strip()):
                        cells[column] = text
                case "/row":
                    yield line, cells
                case "/sheetData":
                    return

    def _text(self, cell: dict[str, str], text: str) -> str:
        """Return what a cell shows."""
        match cell.get("t", "n"):
            case "s":
                if (index := int(text)) < 0:
                    raise ValueError("texts are counted from 0")
                return self.strings[index]
            case "b":
                return "TRUE" if text == "1" else "FALSE"
            case "e":  # such as #N/A
                return ""
            case "n" if text and int(cell.get("s", 0)) in self.dates:
                return _date(float(text), self.book.epoch)
        return text


def _column(place: str) -> int:
    """Return the index of a cell's column: 0 for A7, 27 for AB7."""
    number = 0
    for letter in place.rstrip("0123456789")[:3]:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1


def _date(days: float, epoch: datetime) -> str:
    """Return a date, and a time where there is one, as text."""
    moment = epoch + timedelta(seconds=round(days * 86_400))
    if days < 1:
        return moment.time().isoformat()
    return moment.date().isoformat() if days == int(days) else moment.isoformat(" ")
