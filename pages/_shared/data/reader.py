"""Read a small table from an uploaded file or pasted text.

The bytes are bounded before they are parsed. Every step is linear in their number and pauses
(`spend`). Any failure is a `ReadError` whose message is the sentence for the page.

bytes -> text -> lines -> rows of cells -> Table
bytes of a workbook -> rows of cells -> Table
"""

from algorithms.core.work import spend
from pages._shared.data.arff import read_arff
from pages._shared.data.columns import MAX_LINE, Cells, build
from pages._shared.data.delimited import read_delimited
from pages._shared.data.table import NO_ANSWERS, Answers, ReadError, Table, quoted
from pages._shared.data.workbook import read_workbook

MAX_BYTES = 5_000_000
PASTED = "paste"  # in place of a file's name
TEXTS = ("csv", "tsv", "txt", "arff")
_COMPRESSED = ("gz", "zip", "bz2", "xz", "zst", "7z", "rar")
_SPREADSHEETS = ("xls", "ods", "numbers")
# the second also marks a workbook with a password
_ZIP, _OLD_OFFICE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_OF_A_WORKBOOK = b"xl/workbook.xml"


def read_table(raw: bytes, filename: str, answers: Answers = NO_ANSWERS) -> Table:
    """Return the table in .csv, .tsv, .txt, .arff or .xlsx bytes, or in a pasted text ("paste")."""
    pasted = filename == PASTED
    subject = "The pasted text" if pasted else quoted(filename)
    ending = "txt" if pasted else filename.rpartition(".")[2].lower()
    _check_kind(raw, ending, subject)
    if _is_workbook(raw):
        return build(read_workbook(raw, subject, answers.header), answers)
    text, notes = _decode(raw, subject)
    spend()
    lines = _split_lines(text, subject)
    spend()
    found: Cells = (
        read_arff(lines, subject, notes)
        if ending == "arff"
        else read_delimited(lines, subject, notes, answers)
    )
    return build(found, answers)


def _is_workbook(raw: bytes) -> bool:
    """Return whether the bytes are a workbook, whatever the name of the file."""
    return raw.startswith(_ZIP) and _OF_A_WORKBOOK in raw


def _check_kind(raw: bytes, ending: str, subject: str) -> None:
    """Raise ReadError for files that cannot be tables, before any of them is decoded."""
    if len(raw) > MAX_BYTES:
        raise ReadError(
            f"{subject} is too large, {len(raw) / 1e6:.1f} MB; at most {MAX_BYTES / 1e6:g} MB are "
            "read. Keep fewer rows or columns."
        )
    if not raw:
        raise ReadError(f"{subject} is empty. Choose a table of at least two rows.")
    if _is_workbook(raw):
        return
    if ending in _SPREADSHEETS or raw.startswith(_OLD_OFFICE):
        raise ReadError(
            f"{subject} is not an .xlsx file, or it has a password. Save it "
            "as .xlsx or CSV, or copy its cells and paste them."
        )
    if ending == "xlsx":
        raise ReadError(f"{subject} is not an Excel workbook. Save the table as CSV.")
    if ending in _COMPRESSED or raw.startswith((b"\x1f\x8b", _ZIP)):
        raise ReadError(f"{subject} is compressed. Unpack it and load the file inside.")
    if ending not in TEXTS:
        raise ReadError(f"{subject} cannot be read. Use a .csv, .tsv, .txt, .arff or .xlsx file.")


def _decode(raw: bytes, subject: str) -> tuple[str, list[str]]:
    """Return the text: from UTF-8, from UTF-16 if marked as such, or from cp1252 with a note."""
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
            return text.lstrip("\ufeff"), notes  # some programs write the byte order mark twice
    raise ReadError(f"{subject} is not a text file. Save the table as CSV in UTF-8.")


def _split_lines(text: str, subject: str) -> list[str]:
    """Return the lines, split at the line ends of any system and nowhere else."""
    if not text.strip():
        raise ReadError(
            f"{subject} holds nothing but blank space. Choose a table of at least two rows."
        )
    lines = text.rstrip().replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, start=1):
        if len(line) > MAX_LINE:
            raise ReadError(
                f"Line {number:,} of {subject} is too long, {len(line):,} characters; at most "
                f"{MAX_LINE:,} are read. A table has one row per line."
            )
    return lines
