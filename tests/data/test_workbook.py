"""Excel workbooks: those that openpyxl writes, and hand-made hostile ones."""

import io
import zipfile
from datetime import date, datetime
from xml.sax.saxutils import escape

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from algorithms.core.work import heeded
from pages._shared.data.column_roles import suggest
from pages._shared.data.columns import MAX_RECORDS
from pages._shared.data.reader import MAX_BYTES, read_table
from pages._shared.data.table import Answers, ReadError
from pages._shared.data.workbook import MAX_CELLS
from tests.data.limits import seconds_of_cpu


def saved(*rows, title="Results", more=()):
    """Return the bytes of a workbook whose first sheet has these rows."""
    book = Workbook()
    sheet = book.active
    sheet.title = title
    for row in rows:
        sheet.append(row)
    for name in more:
        book.create_sheet(name)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def read(raw, filename="my.xlsx", **how):
    return read_table(raw, filename, Answers(**how))


PETS = [["height", "weight", "kind"], [1.5, 2, "cat"], [2.25, None, "dog"], [-3e-7, 4000, "cat"]]


@pytest.mark.parametrize("filename", ["pets.xlsx", "pets.csv", "pets"])
def test_a_workbook_whatever_it_is_called(filename):
    table = read(saved(*PETS, more=["Other"]), filename)
    assert table.names == ("height", "weight", "kind")
    assert table.columns[0].tolist() == [1.5, 2.25, -3e-7]
    np.testing.assert_array_equal(table.columns[1], [2, np.nan, 4000])
    assert table.columns[2].tolist() == ["cat", "dog", "cat"]
    assert table.notes == ("Read from the sheet 'Results'; the first row holds the names.",)
    assert suggest(table) == ("height", "weight", "kind", ())


def test_a_table_below_a_title_and_beside_empty_columns():
    rows = [["Pets of the class"], [], [None, "a", "b"], [None, 1, 2], [None, None], [None, 3, 4]]
    table = read(saved(*rows))
    assert table.names == ("a", "b")
    assert [column.tolist() for column in table.columns] == [[1, 3], [2, 4]]


def test_text_in_a_column_of_numbers_says_its_row():
    table = read(saved(["a", "b", "c"], [1, 2, 3], [4, "oops", 6], [7, 8, 9]))
    assert "Column 'b' was read as text because of 'oops' in line 3." in table.notes


def test_numbers_without_names_and_years_as_names():
    table = read(saved([1, 2], [3, 4], [5, 6]))
    assert table.names == ("column 1", "column 2") and table.reading.header_in_doubt
    assert read(saved([1, 2], [3, 4], [5, 6]), header=True).names == ("1", "2")
    assert read(saved(["land", 2019, 2020], ["Chad", 5, 7], ["Mali", 8, 9])).names[1] == "2019"


def test_dates_and_truth_values():
    rows = [["day", "moment", "ok", "x", "y"]]
    for i in range(1, 5):
        rows.append([date(2024, 1, i), datetime(2024, 1, i, 12, 30), i > 2, i / 4, i * i])
    table = read(saved(*rows))
    assert table.columns[0].tolist()[:2] == ["2024-01-01", "2024-01-02"]
    assert table.columns[1].tolist()[0] == "2024-01-01 12:30:00"
    assert table.columns[2].tolist() == ["FALSE", "FALSE", "TRUE", "TRUE"]
    assert table.columns[3].tolist() == [0.25, 0.5, 0.75, 1]
    assert suggest(table).label == "ok"


def test_formulas_without_stored_results_name_the_cause():
    rows = [["x", "sum", "y"], *([i, f"=A{i + 2}*2", i * i] for i in range(3))]  # openpyxl has none
    table = read(saved(*rows))
    assert table.numeric == ("x", "y") and suggest(table) == ("x", "y", None, ())
    (note,) = [note for note in table.notes if "'sum'" in note]
    assert "'=A2*2' in line 2" in note and "formula" in note and "save" in note
    with pytest.raises(ReadError, match=r"'sum'.*'=A2\*2' in line 2.*formula.*save"):
        read(saved(*(row[:2] for row in rows)))


def test_a_formula_that_gives_an_empty_text_is_a_gap():
    empty = '<c t="str"><f>IF(1,"","")</f><v></v></c>'
    table = read(packed(rows_of(2).replace("</row>", f"{empty}</row>", 1)))
    assert table.notes[1:] == (), "no formula is without its result"


DATES = {
    "yyyy\\-mm\\-dd": True, "[$-407]d. mmm yyyy;@": True, "[Red]dd/mm": True, "hh:mm": True,
    '0.0" days"': False, "[Red]0.00": False, "\\d0": False, "_d0.0": False, "General": False,
    '0"d': False, "0[d": False, "*d0": False,
}  # fmt: skip


@pytest.mark.parametrize("code", DATES)
def test_number_formats_of_dates(code):
    table = read(with_format(code))
    assert table.columns[0].tolist() == (["1899-12-31", "1899-12-31"] if DATES[code] else [1, 1])


def test_a_hidden_first_sheet_is_passed_over():
    book = Workbook()
    book.active.sheet_state = "hidden"
    sheet = book.create_sheet("Shown")
    for row in PETS:
        sheet.append(row)
    book.active = 1
    out = io.BytesIO()
    book.save(out)
    assert read(out.getvalue()).notes[0].startswith("Read from the sheet 'Shown'")


CELLS = st.one_of(
    st.none(),
    st.floats(-1e12, 1e12),
    st.integers(-(10**9), 10**9),
    st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=9),
)


def is_plain(text):
    """Return whether a text is neither a number, nor missing, nor a formula."""
    return text[0].isalpha() and text.lower() not in (
        "na", "nan", "null", "none", "inf", "infinity", "n"
    ) and not text.lower().startswith(("n/a", "inf"))  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(
        st.tuples(st.floats(-1e12, 1e12), st.integers(-(10**9), 10**9), CELLS),
        min_size=2,
        max_size=8,
    )
)
def test_what_openpyxl_writes_is_read(rows):
    rows = [(x, y, c if not isinstance(c, str) or is_plain(c) else "text") for x, y, c in rows]
    table = read(saved(["a", "b", "c"], *rows))
    np.testing.assert_allclose(table.columns[0], [x for x, _, _ in rows], rtol=1e-14)
    assert table.columns[1].tolist() == [y for _, y, _ in rows]
    if "c" in table.texts:
        texts = [c if isinstance(c, str) else None for _, _, c in rows]
        for cell, text in zip(table.columns[2].tolist(), texts, strict=True):
            assert text is None or cell == text


# By hand

WORKBOOK = (
    '<workbook xmlns:r="r"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>'
)
RELS = (
    '<Relationships><Relationship Id="rId1" Type="t/worksheet" Target="worksheets/s.xml"/>{}'
    "</Relationships>"
)


def packed(sheet, more="", **parts):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("xl/workbook.xml", WORKBOOK)
        archive.writestr("xl/_rels/workbook.xml.rels", RELS.format(more))
        archive.writestr("xl/worksheets/s.xml", sheet)
        for name, text in parts.items():
            archive.writestr(f"xl/{name}.xml", text)
    return out.getvalue()


def with_format(code, count=1):
    """Return a workbook of 1, 2, 3 in two rows; the first column has a number format."""
    formats = f'<numFmt numFmtId="200" formatCode="{escape(code, {chr(34): "&quot;"})}"/>' * count
    cells = '<c s="1"><v>1</v></c><c><v>2</v></c><c><v>3</v></c>'
    styles = f'<s><numFmts>{formats}</numFmts><cellXfs><xf/><xf numFmtId="200"/></cellXfs></s>'
    return packed(rows_of(2, cells), STYLES, styles=styles)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_archives_that_excel_does_not_write_are_refused(method):
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(SAVED)) as archive, zipfile.ZipFile(out, "w", method) as packed:
        for part in archive.infolist():
            packed.writestr(part.filename, archive.read(part))
    raw = out.getvalue()
    damaged = bytearray(raw)
    start = raw.index(b"xl/workbook.xml") + 40
    damaged[start : start + 30] = b"\xff" * 30
    for each in (raw, bytes(damaged)):
        with pytest.raises(ReadError) as error:
            read(each)
        assert f"method {method}" in str(error.value) and ".xlsx" in str(error.value)


def test_a_negative_number_of_a_text_is_refused():
    strings = "<sst><si><t>a</t></si></sst>"
    raw = packed(rows_of(2, '<c t="s"><v>-1</v></c><c><v>2</v></c>'), STRINGS, strings=strings)
    with pytest.raises(ReadError, match="damaged"):
        read(raw)


def test_reading_pauses():
    pauses = []
    with heeded(lambda: pauses.append(1)):
        read(packed(rows_of(10_000)))
    assert len(pauses) > 8, "one for every 64 kB"


def test_prefixes_inline_texts_and_cells_without_a_place():
    sheet = (
        '<x:worksheet xmlns:x="m"><x:sheetData>'
        '<x:row><x:c t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c>'
        '<x:c t="inlineStr">'
        "<x:is><x:r><x:t>b</x:t></x:r><x:r><x:t>c</x:t></x:r></x:is></x:c></x:row>"
        "<x:row><x:c><x:v>1</x:v></x:c><x:c><x:f>A2*2</x:f><x:v>2</x:v></x:c></x:row>"
        '<x:row><x:c t="e"><x:v>#N/A</x:v></x:c><x:c><x:v>4</x:v></x:c></x:row>'
        '<x:row r="9"><x:c r="A9"><x:v>5</x:v></x:c><x:c r="B9" t="str"><x:v>6</x:v></x:c></x:row>'
        "</x:sheetData></x:worksheet>"
    )
    table = read(packed(sheet))
    assert table.names == ("a", "bc")
    np.testing.assert_array_equal(table.columns[0], [1, np.nan, 5])
    assert table.columns[1].tolist() == [2, 4, 6]


def rows_of(count, cells="<c><v>1</v></c><c><v>2</v></c>"):
    return f"<worksheet><sheetData>{f'<row>{cells}</row>' * count}</sheetData></worksheet>"


def a_cell_with(count):
    """Write a cell with this many attributes."""
    return f"<c {' '.join(f'a{i}=_' for i in range(count))}/>".replace("_", "''")


ENTITIES = (
    '<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><worksheet>&b;</worksheet>'
)
STRINGS = '<Relationship Id="rId2" Type="t/sharedStrings" Target="/xl/strings.xml"/>'
STYLES = '<Relationship Id="rId3" Type="t/styles" Target="styles.xml"/>'
BAD = {
    "truncated": (lambda: saved(*PETS)[:-300], "cannot be read as an Excel workbook"),
    "entities": (lambda: packed(ENTITIES), "cannot be read as an Excel workbook"),
    "no XML": (lambda: packed("x,y\n1,2"), "cannot be read as an Excel workbook"),
    "empty sheet": (lambda: packed("<worksheet/>"), "no table of two columns or more"),
    "only names": (lambda: saved(["a", "b"]), "holds only a header"),
    "no strings": (lambda: packed(rows_of(2, '<c t="s"><v>7</v></c>')), "cannot be read as an Ex"),
    "65 columns": (lambda: saved(range(65), range(65)), "too many columns, 65"),
    "unpacked": (lambda: packed(" " * 31_000_000), "'my.xlsx' is too large when unpacked"),
    "no place": (lambda: packed(rows_of(2, '<c r="é1"><v>7</v></c>')), ""),
    "a date beyond": (
        lambda: packed(
            rows_of(2, '<c s="0"><v>1e300</v></c><c><v>2</v></c>'),
            STYLES,
            styles='<s><cellXfs><xf numFmtId="14"/></cellXfs></s>',
        ),
        "cannot be read as an Excel workbook",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_workbook_says_why(case):
    make, words = BAD[case]
    raw = make()
    with pytest.raises(ReadError) as error:
        read(raw)
    assert words in str(error.value)
    assert str(error.value).endswith(".") and str(error.value).isprintable()


HEAVY = {
    "many rows": lambda: packed(rows_of(500_000)),
    "a wide row": lambda: packed(rows_of(1, "<c><v>1</v></c>" * 1_900_000)),
    "empty cells": lambda: packed(rows_of(1, "<c/>" * 7_000_000)),
    "many empty rows": lambda: packed(rows_of(2_000_000, "")),
    "deep": lambda: packed("<a>" * 4_000_000),
    "strings": lambda: packed(
        rows_of(3), STRINGS, strings=f"<sst>{'<si><t>a</t></si>' * 1_700_000}</sst>"
    ),
    "a long string": lambda: packed(
        rows_of(9, '<c t="s"><v>0</v></c><c><v>1</v></c><c><v>2</v></c>'),
        STRINGS,
        strings=f"<sst><si><t>{'a' * 29_000_000}</t></si></sst>",
    ),
    "styles": lambda: packed(
        rows_of(3), STYLES, styles="<s><cellXfs>" + '<xf numFmtId="9"/>' * 1_600_000
    ),
    "a long attribute": lambda: packed(rows_of(2, '<c a="{}"/>'.format("a" * 14_000_000))),
    "attributes of one tag": lambda: packed(rows_of(1, a_cell_with(1_500_000))),
    "attributes of many tags": lambda: packed(rows_of(60, a_cell_with(20_000))),
    "a format of brackets": lambda: with_format("[" * 3_000_000),
    "a format of quotes": lambda: with_format('"d' * 2_000_000 + '"'),
    "formats of brackets": lambda: with_format("[" * 250, 100_000),
}


@pytest.mark.thorough
@pytest.mark.parametrize("case", HEAVY)
def test_hostile_workbooks_take_two_seconds_at_most(case):
    raw = HEAVY[case]()
    assert len(raw) < MAX_BYTES
    with seconds_of_cpu(2):
        try:
            table = read(raw)
            assert len(table.columns[0]) <= min(MAX_CELLS, MAX_RECORDS)
        except ReadError as error:
            assert len(str(error)) < 300


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_mutated_workbooks(data):
    raw = bytearray(SAVED)
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(4, len(raw)))
        raw[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=4))
    try:
        read(bytes(raw))
    except ReadError as error:
        assert str(error).isprintable()


SAVED = saved(*PETS)
