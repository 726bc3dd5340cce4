"""Weka's ARFF: attributes with their types, then rows separated by commas."""

import re

from pages._shared.data.columns import Cells
from pages._shared.data.delimited import read_rows
from pages._shared.data.table import ReadError, quoted

_ATTRIBUTE = re.compile(
    r"""@attribute\s+(?P<name>'(\\.|[^'\\])+'|"(\\.|[^"\\])+"|[^\s{'"][^\s{]*)(\s+|(?={))"""
    r"(?P<kind>numeric|real|integer|string|date\b.*|\{.*\})",
    re.IGNORECASE,
)


def read_arff(lines: list[str], subject: str, notes: list[str]) -> Cells:
    """Return the attributes as headings, and the rows below them."""
    # scipy.io.arff (1.17) is not used: it refuses string attributes and class names beyond ASCII,
    # misreads quotes in names, and fails with an IndexError or StopIteration if a row is short or
    # missing.
    headings, texts = [], set()
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
            texts.add(len(headings))
        headings.append(re.sub(r"\\(.)", r"\1", attribute["name"].strip("'\"")))
    else:
        raise ReadError(f"{subject} has no @data line. Write @data above the rows of an ARFF file.")
    data = ["" if line.lstrip().startswith("%") else line for line in lines[start:]]
    if next(filter(str.strip, data), "").lstrip().startswith("{"):
        raise ReadError(
            f"{subject} is a sparse ARFF file. Save it in the dense form, with a value for every "
            "attribute in each row."
        )
    notes.append(f"ARFF file with {len(headings)} attributes.")
    quote = max("'\"", key=lambda mark: sum(mark in line for line in data[:1000]))
    lines = [""] * start + data
    width = len(headings)
    rows, ragged = read_rows(lines, width, subject, notes, quotechar=quote, escapechar="\\")
    return Cells(subject, headings, rows, notes, texts=texts, ragged=ragged)
