"""The first sheet of an Excel workbook (.xlsx), which is a zip archive of XML.

Not with openpyxl (3.1), which is the oracle in the tests: it makes objects of all that is in the
archive, and a file of 14 kB, full of cell styles, takes it a second. Here the bytes of a part are
bounded before it is unpacked, it is read as a stream, and reading ends with the rows wanted.
"""

import re
import struct
import zlib
from collections.abc import Iterator
from datetime import datetime, timedelta
from io import BytesIO
from posixpath import normpath
from typing import NamedTuple
from xml.parsers import expat
from zipfile import BadZipFile, ZipFile

from pages._shared.data.columns import MAX_LINE, MAX_RECORDS, Cells, Row, check_width
from pages._shared.data.headings import take_headings
from pages._shared.data.table import ReadError, quoted, unguarded

MAX_UNPACKED = 30_000_000  # bytes of one part
MAX_TAGS = 1_000_000  # in one part
MAX_CELLS = 200_000
MAX_STRINGS = 200_000
_DATES = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}  # built-in formats
_NO_DATE = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|general', re.IGNORECASE)
_OF_BAD_ARCHIVES = (
    BadZipFile, zlib.error, struct.error, expat.ExpatError, EOFError, OSError, RuntimeError
)  # fmt: skip


class _Tag(NamedTuple):
    name: str  # without its namespace; "/name" where it ends
    attributes: dict[str, str]
    text: str  # where it ends: what stood in it


class _Book(NamedTuple):
    sheet: str  # paths in the archive
    strings: str | None
    styles: str | None
    title: str  # of the sheet
    epoch: datetime  # day 0 of its dates


def read_workbook(raw: bytes, subject: str, header: bool | None) -> Cells:
    """Read the cells of the first sheet that is not hidden, as text."""
    try:
        with ZipFile(BytesIO(raw)) as archive:
            return _read(archive, subject, header)
    except ReadError:
        raise
    except (*_OF_BAD_ARCHIVES, LookupError, ValueError, OverflowError) as error:
        raise ReadError(
            f"{subject} cannot be read as an Excel workbook; save it as CSV, or copy its cells "
            "and paste them."
        ) from error


def _read(archive: ZipFile, subject: str, header: bool | None) -> Cells:
    book = _find_parts(archive, subject)
    strings = list(_strings(archive, book.strings, subject)) if book.strings else []
    dates = _date_styles(archive, book.styles, subject) if book.styles else set()
    notes = []
    table: list[tuple[int, dict[int, str]]] = []
    seen = 0
    for line, cells in _rows(archive, book, strings, dates, subject):
        if seen >= MAX_CELLS or len(table) >= MAX_RECORDS:
            notes.append(f"Only the first {len(table):,} rows were looked at.")
            break
        seen += len(cells)
        if cells and (table or len(cells) > 1):  # a title may stand above the table
            table.append((line, cells))
    if not table:
        raise ReadError(f"The first sheet of {subject} holds no table of two columns or more.")
    left = min(min(cells) for _, cells in table)
    width = max(max(cells) for _, cells in table) + 1 - left
    check_width(width, subject)
    rows = [Row([cells.get(left + j, "") for j in range(width)], line) for line, cells in table]
    headings, reading = take_headings(rows, "", header)
    names = "the first row holds the names" if reading.header else "there is no header"
    notes.insert(0, f"Read from the sheet {quoted(book.title)}; {names}.")
    return Cells(subject, headings, rows, notes, reading)


def _tags(archive: ZipFile, path: str, subject: str) -> Iterator[_Tag]:
    """Yield where the elements of a part begin and end, without keeping any."""
    too_large = ReadError(
        f"{subject} is too large when unpacked; keep fewer rows or columns, or save it as CSV."
    )
    if archive.getinfo(path).file_size > MAX_UNPACKED:
        raise too_large
    found: list[_Tag] = []
    text: list[str] = []
    count = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        text.clear()
        found.append(_Tag(_local(name), attributes, ""))

    def end(name: str) -> None:
        found.append(_Tag("/" + _local(name), {}, "".join(text)[:MAX_LINE]))
        text.clear()

    def refuse(*_: object) -> None:
        raise ValueError("a workbook declares no entities")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = text.append
    parser.StartDoctypeDeclHandler = refuse
    with archive.open(path) as part:
        while chunk := part.read(1 << 16):
            parser.Parse(chunk)
            yield from found
            count += len(found)
            if count > MAX_TAGS:
                raise too_large
            found.clear()
    parser.Parse(b"", True)


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _find_parts(archive: ZipFile, subject: str) -> _Book:
    """Find the first sheet, its texts and its formats."""
    sheets, epoch = [], datetime(1899, 12, 30)
    for tag in _tags(archive, "xl/workbook.xml", subject):
        if tag.name == "workbookPr" and tag.attributes.get("date1904") in ("1", "true"):
            epoch = datetime(1904, 1, 1)
        if tag.name == "sheet":
            sheets.append({_local(name): value for name, value in tag.attributes.items()})
    targets, kinds = {}, {}
    for tag in _tags(archive, "xl/_rels/workbook.xml.rels", subject):
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
    """Yield the texts that cells refer to by number; what is spoken aside is left out."""
    parts, aside, count = [], False, 0
    for tag in _tags(archive, path, subject):
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
    """Give the numbers of the cell styles that show a number as a date or time."""
    dates, styles, inside = set(_DATES), set(), False
    number = 0
    for tag in _tags(archive, path, subject):
        match tag.name:
            case "numFmt":
                code = _NO_DATE.sub("", tag.attributes["formatCode"])
                if re.search("[dmyhs]", code, re.IGNORECASE):
                    dates.add(int(tag.attributes["numFmtId"]))
            case "cellXfs" | "/cellXfs":
                inside = tag.name == "cellXfs"
            case "xf" if inside:
                if int(tag.attributes.get("numFmtId", 0)) in dates:
                    styles.add(number)
                number += 1
    return styles


def _rows(
    archive: ZipFile, book: _Book, strings: list[str], dates: set[int], subject: str
) -> Iterator[tuple[int, dict[int, str]]]:
    """Yield each row's number, and its cells that are not empty by their column."""
    line, column, cell, texts = 0, -1, {}, []
    cells: dict[int, str] = {}
    for tag in _tags(archive, book.sheet, subject):
        match tag.name:
            case "row":
                line, column, cells = int(tag.attributes.get("r", line + 1)), -1, {}
            case "c":
                cell, texts = tag.attributes, []
                column = _column(cell["r"]) if "r" in cell else column + 1
            case "/v" | "/t":
                texts.append(tag.text)
            case "/c":
                text = "".join(texts)
                match cell.get("t", "n"):
                    case "s":
                        text = strings[int(text)]
                    case "b":
                        text = "TRUE" if text == "1" else "FALSE"
                    case "e":  # such as #N/A
                        text = ""
                    case "n" if text and int(cell.get("s", 0)) in dates:
                        text = _date(float(text), book.epoch)
                if text := unguarded(text.strip()):
                    cells[column] = text
            case "/row":
                yield line, cells
            case "/sheetData":
                return


def _column(place: str) -> int:
    """Give the number of a column: 0 for that of A7, 27 for AB7."""
    number = 0
    for letter in place.rstrip("0123456789")[:3]:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1


def _date(days: float, epoch: datetime) -> str:
    """Write a date, and a time where there is one."""
    moment = epoch + timedelta(seconds=round(days * 86_400))
    if days < 1:
        return moment.time().isoformat()
    return moment.date().isoformat() if days == int(days) else moment.isoformat(" ")
