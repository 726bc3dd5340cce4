"""The time of every reader is proportional to the size of a stranger's text, up to 1 MB."""

import gc
import io
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

import pytest

from pages._shared.data import (
    arff,
    clinic,
    column_roles,
    delimited,
    link,
    numerals,
    table,
    workbook,
)
from pages._shared.data.reader import read_table
from pages._shared.data.table_data import _natural
from pages._shared.exports.provenance import read_link
from pages._shared.lab import hiding, share
from pages._shared.session import values
from pages._shared.session.view_state import read_look
from pages._shared.stage import fork, handles
from pages._shared.text import plain
from tests.data.test_workbook import STRINGS, STYLES, packed, rows_of

MOST = 2**20
SIZES = (MOST // 4, MOST // 2, MOST)
RUNS = 3
FAR_BELOW = 8  # times the work for four times the text: linear work has 4, quadratic work has 16
SLACK = 0.05  # seconds: quadratic work at 1 MB takes minutes on any machine

# Each is repeated to the size wanted; what stands after the bar ends the text.
PATTERNS = [
    *"\"'[({1a=-−;, \t\\.:@_*|\n", "1|x", "1,", "1,11,", "1.111", "1 111", "1'111'", "1,11,|1",
    "1e", " |x", "\t|x", '" ', '";', ";'", ";'|=1", "''|=", "; |=", "\t=", "[(|x", "(a", "a]",
    "'\\", "\\'", "1/", "1:", "1-", "-1", "|(1", "1, ", "a@", "http:", "www.", "Aa", "A", "ä",
    "1 Jan ", "sep=", "==", '"a"', "a\n", "1,2\n", "1;2,3\n", '"\n', "%", "%41", "&a=1", "0,1,2;",
    "0,1;", "data,", "nan;",
]  # fmt: skip


@pytest.fixture(autouse=True)
def without_the_garbage_of_earlier_tests() -> Iterator[None]:
    gc.freeze()
    yield
    gc.unfreeze()


def at_size(pattern: str, size: int) -> str:
    """Repeat the part of a pattern before the bar, and end with the part after it."""
    body, _, end = pattern.partition("|") if len(pattern) > 1 else (pattern, "", "")
    return (body * (size // len(body)))[:size] + end if body else end[0] + "1" * size


def seconds(read: Callable[[], object]) -> float:
    """Return the CPU time of a reader, which may refuse the text."""
    start = time.thread_time()
    with suppress(ValueError):
        read()
    return time.thread_time() - start


def check_growth(readers: list[Callable[[], object]], slack: float = SLACK) -> None:
    """Check that a text four times as long takes far less than 16 times the work.

    The least of several runs counts: others on the machine can only add to it.
    """
    least = [float("inf")] * len(readers)
    for _ in range(RUNS):
        least = [min(was, seconds(read)) for was, read in zip(least, readers, strict=True)]
        if least[-1] <= FAR_BELOW * least[0] + slack:
            return
    raise AssertionError(f"sizes {SIZES} took {least} seconds")


def as_arff(text: str) -> object:
    return read_table(f"@attribute x real\n@attribute y real\n@data\n{text}".encode(), "my.arff")


def as_attribute(text: str) -> object:
    return arff._ATTRIBUTE.fullmatch(f"@attribute {text}")


def as_lines(text: str) -> object:
    """Read a table of lines as long as a reader takes."""
    lines = [text[i : i + 15_990] for i in range(0, len(text), 15_990)]
    return read_table("\n".join(["x,y", *lines]).replace("\r", "").encode(), "my.csv")


def with_answers(text: str) -> object:
    """Read a table whose cells the user has corrected, with marks of missing values."""
    cells = tuple((2 + i, "y", text[i : i + 40]) for i in range(clinic.MOST_CORRECTED))
    answers = table.Answers(missing=clinic.parse_marks(text), cells=cells, delimiter=",")
    return read_table(f"x,y\n1,2\n3,4\n{text}".encode(), "my.csv", answers)


READERS: dict[str, Callable[[str], object]] = {
    "csv": lambda text: read_table(text.encode(), "my.csv"),
    "csv in lines": as_lines,
    "csv with answers": with_answers,
    "missing marks": clinic.parse_marks,
    "arff": as_arff,
    "arff attribute": as_attribute,
    "sep line": delimited._DECLARED.fullmatch,
    "sep line with a sign": lambda text: delimited._DECLARED.fullmatch(f"sep={text}"),
    "number, point": lambda text: numerals.number(text, "."),
    "number, comma": lambda text: numerals.number(text, ","),
    "amount": numerals.is_amount,
    "how to write": numerals.how_to_write,
    "date": column_roles._DATE.fullmatch,
    "words of a name": column_roles._words,
    "natural order": _natural,
    "one line": table.one_line,
    "guarded": table.guarded,
    "unguarded": table.unguarded,
    "date format": lambda text: workbook._NO_DATE.sub("", text),
    "Markdown": plain,
    "parameter": values.number(float, 0, 1),
    "whole parameter": values.number(int, 0, 1),
    "option": values.one_of(["a", "b"]),
    "moved points": partial(fork.parse_moved, 50),
    "places": partial(handles.parse_places, 3),
    "hidden parts": hiding.parse_parts,
    "step": lambda text: read_look({"step": text}, 50),
    "zoom": lambda text: read_look({"zoom": text}, 50),
    "points": link.decode,
    "address": read_link,
    "shared address": lambda text: share.shared_link(f"http://a/?{text}", "b", []),
}


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("reader", READERS)
def test_work_is_in_proportion_to_the_text(reader: str) -> None:
    read = READERS[reader]
    for pattern in PATTERNS:
        try:
            check_growth([partial(read, at_size(pattern, size)) for size in SIZES])
        except AssertionError as error:
            raise AssertionError(f"{reader}, {pattern!r}: {error}") from None


def escaped(text: str) -> str:
    for sign, name in (("&", "amp"), ("<", "lt"), (">", "gt"), ('"', "quot")):
        text = text.replace(sign, f"&{name};")
    return text


def styled(formats: str) -> bytes:
    styles = f"<s><numFmts>{formats}</numFmts><cellXfs><xf/></cellXfs></s>"
    return packed(rows_of(3), STYLES, styles=styles)


def with_strings(strings: str) -> bytes:
    cells = '<c t="s"><v>0</v></c><c><v>1</v></c>'
    return packed(rows_of(3, cells), STRINGS, strings=f"<sst>{strings}</sst>")


def of_entries(count: int) -> bytes:
    """Make an archive of many empty files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("xl/workbook.xml", "")
        for i in range(count):
            archive.writestr(f"{i}", "")
    return out.getvalue()


# For texts of the patterns, then for a size alone.
PARTS: dict[str, Callable[[str], bytes]] = {
    "number format": lambda text: styled(f'<numFmt numFmtId="9" formatCode="{escaped(text)}"/>'),
    "number formats": lambda text: styled(
        "".join(
            f'<numFmt numFmtId="9" formatCode="{escaped(text[i : i + 999])}"/>'
            for i in range(0, len(text), 999)
        )
    ),
    "string": lambda text: with_strings(f"<si><t>{escaped(text)}</t></si>"),
    "place": lambda text: packed(rows_of(2, f'<c r="{escaped(text)}"><v>1</v></c>')),
    "cell": lambda text: packed(rows_of(2, f"<c><v>{escaped(text)}</v></c><c><v>1</v></c>")),
}
PARTS_BY_SIZE: dict[str, Callable[[int], bytes]] = {
    "tags": lambda size: packed(rows_of(size // 7, "")),
    "deep tags": lambda size: packed("<a>" * (size // 3)),
    "strings": lambda size: with_strings("<si><t>a</t></si>" * (size // 17)),
    "pieces of a string": lambda size: with_strings(f"<si>{'<t>a</t>' * (size // 8)}</si>"),
    "pieces of a cell": lambda size: packed(rows_of(2, f"<c>{'<v>1</v>' * (size // 8)}</c>")),
    "attributes": lambda size: packed(
        rows_of(1, "<c " + " ".join(f"a{i}=''" for i in range(size // 10)) + "/>")
    ),
    "cells": lambda size: packed(rows_of(1, "<c><v>1</v></c>" * (size // 15))),
    "far cells": lambda size: packed(rows_of(size // 40, '<c r="A1"><v>1</v></c><c r="BL1"/>')),
    "formulas": lambda size: packed(rows_of(size // 20, "<c><f>1</f></c><c/>")),
    "a comment": lambda size: packed(f"<worksheet><!--{'-a' * (size // 2)}--></worksheet>"),
    "entries": lambda size: of_entries(size // 100),
}


def read_workbook(raw: bytes) -> object:
    return read_table(raw, "my.xlsx")


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("part", PARTS)
def test_work_is_in_proportion_to_a_part_of_a_workbook(part: str) -> None:
    for pattern in PATTERNS:
        texts = [at_size(pattern, size) for size in SIZES]
        try:
            check_growth([partial(read_workbook, PARTS[part](text)) for text in texts])
        except AssertionError as error:
            raise AssertionError(f"{part}, {pattern!r}: {error}") from None


@pytest.mark.long
@pytest.mark.parametrize("part", PARTS_BY_SIZE)
def test_work_is_in_proportion_to_the_size_of_a_workbook(part: str) -> None:
    check_growth([partial(read_workbook, PARTS_BY_SIZE[part](size)) for size in SIZES])


def test_the_check_notices_quadratic_work() -> None:
    def read(size: int) -> None:
        for _ in range(size):
            sum(range(size))

    with pytest.raises(AssertionError, match="seconds"):
        check_growth([partial(read, size) for size in (750, 1500, 3000)], slack=0)
