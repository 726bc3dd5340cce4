import csv
import gzip
import io
import warnings
import zipfile

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from algorithms.core.work import heeded
from algorithms.data.presets import DATASETS, MAX_ROWS, Dataset
from pages._shared.data import numerals
from pages._shared.data.column_roles import suggest
from pages._shared.data.columns import MAX_LINE, MAX_RECORDS
from pages._shared.data.decimals import LEAST_SPREAD
from pages._shared.data.reader import MAX_BYTES, read_table
from pages._shared.data.table import Answers, Picks, ReadError, guarded, unguarded
from pages._shared.data.table_data import to_csv, to_dataset
from tests.data.limits import seconds_of_cpu


def read(text, filename="my.csv"):
    return read_table(text.encode() if isinstance(text, str) else text, filename)


def use(table, x, y, label, seed=0):
    """Make a data set of these columns and all other numeric columns."""
    others = tuple(name for name in table.numeric if name not in (x, y, label))
    rng = np.random.default_rng(seed)
    return to_dataset(table, Picks(x, y, label, others), rng=rng, name="my.csv")


def load(text, x=None, y=None, label="suggested", *, filename="my.csv", seed=0):
    table = read(text, filename)
    a, b, c, _ = suggest(table)
    return use(table, x or a, y or b, c if label == "suggested" else label, seed)


def numbers(table):
    return [column.tolist() for column in table.columns]


# What is found out


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        ("x,y\n1,2\n3,4", "commas"),
        ("x;y\n1;2\n3;4", "semicolons"),
        ("x\ty\n1\t2\n3\t4", "tabs"),
        ("x|y\n1|2\n3|4", "vertical bars"),
        ("  x   y\n 1 2\n3 \t 4 ", "blanks"),
        ("x, y\r\n1, 2\r\n3, 4\r\n", "commas"),
        ("x,y\r1,2\r3,4\r", "commas"),
        ('"x","y"\n"1","2"\n\n"3","4"\n\n', "commas"),
        ('"x";"y"\n"1";"2"\n"3";"4"', "semicolons"),
    ],
)
@pytest.mark.parametrize("filename", ["my.csv", "my.tsv", "MY.TXT", "paste"])
def test_delimiters(text, separator, filename):
    table = read(text, filename)
    assert table.names == ("x", "y")
    assert numbers(table) == [[1.0, 3.0], [2.0, 4.0]]
    assert table.notes[-1] == (
        f"Columns are separated by {separator}; the first row holds the names."
    )
    assert table.reading[:4] == (True, False, ".", False)


MINUSES = "−‐‑‒–﹣－"


@pytest.mark.parametrize("minus", MINUSES)
def test_every_minus_sign_is_a_minus(minus):
    text = "x;y;t\n-1;2,5;-1\n3;-0,5;-2\n4;1e-3;-1\n5;-1.234,5;-inf"
    table = read(text.replace("-", minus))
    assert numbers(table) == [[-1, 3, 4, 5], [2.5, -0.5, 1e-3, -1234.5], [-1, -2, -1, -np.inf]]
    assert suggest(table) == ("x", "y", None, ("t",))
    arff = f"@attribute x real\n@attribute y real\n@data\n{minus}1,2\n3,{minus}4"
    assert numbers(read(arff, "my.arff")) == [[-1, 3], [2, -4]]


@pytest.mark.parametrize(
    ("cell", "cause"),
    [("5-", "minus sign"), ("5−", "minus sign"), ("(5)", "minus sign"), ("(1.234,5)", "minus sign"),
     ("1/2", "decimals"), ("-1/2", "decimals"), ("5 %", "1234.5"), ("12 kg", "1234.5")],
)  # fmt: skip
def test_numbers_in_a_form_that_is_not_read_name_the_cause(cell, cause):
    with pytest.raises(ReadError) as error:
        read(f"x;y\n1;2\n{cell};3\n{cell};4")
    assert f"Column 'x' holds text where numbers belong: '{cell}' in line 3." in str(error.value)
    assert cause in str(error.value)
    table = read(f"x;y;z\n1;2;3\n{cell};3;5\n{cell};4;4")
    assert suggest(table) == ("y", "z", None, ()), "its values cannot be classes"


def test_lakhs_and_crores():
    table = read("amount;y\n1,23,456;2\n-12,34,56,789.5;3\n12,345;4\n999;5")
    assert numbers(table) == [[123456, -123456789.5, 12345, 999], [2, 3, 4, 5]]
    assert table.names == ("amount", "y") and not table.reading.sign_in_doubt
    assert "'1,23,456' is 123456." in table.notes[0]
    assert numbers(read("x\ty\n1,00,000\t1\n2,00,000\t2"))[0] == [100000, 200000]
    for cell in ("1,23,45", "123,45,678", "0,12,345", "1.23.456"):
        assert "x" not in read(f"x;y;z\n{cell};2;3\n1;3;4\n2;5;6").numeric


def test_names_above_numbers_that_commas_have_split_are_doubted():
    table = read("amount,y\n1,23,456,2\n2,34,567,3\n")
    (doubt,) = [note for note in table.notes if "semicolons" in note]
    assert "Line 1 has 2 cells and most rows have 4." in doubt
    assert not [note for note in read("Results\nx,y\n1,2\n3,4").notes if "semicolons" in note]


@pytest.mark.parametrize("first", ["sep=;", "SEP=;", '"sep=;"', "sep=;;;;", "\ufeffsep=;"])
def test_excels_line_that_names_the_separator(first):
    assert read(f"{first}\nx;y\n1;2,5\n3;4").names == ("x", "y")
    table = read(f"{first}\n1,2;3,4\n5,6;7,8")
    assert numbers(table) == [[1.2, 5.6], [3.4, 7.8]]
    with pytest.raises(ReadError, match="'oops' in line 3"):
        read(f"{first}\nx;y\n1;oops\n3;2\n5;1")


def test_separators_that_are_not_read_are_named():
    for text, words in (
        ("sep=^\nx^y\n1^2", r"\^"),
        ("sep=;", "table"),
        ("sep=;\nx,y\n1,2", "one col"),
    ):
        with pytest.raises(ReadError, match=words):
            read(text)
    assert numbers(read("sep=\t\n1\t2\n3\t4")) == [[1, 3], [2, 4]]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_may_stand_twice(encoding):
    assert read("\ufeff\ufeffx,y\n1,2\n3,4".encode(encoding)).names == ("x", "y")


@pytest.mark.parametrize("filename", ["my.csv", "my.arff"])
def test_reading_pauses_at_every_row(filename):
    head = {"my.csv": "x,y\n", "my.arff": HEAD + "@data\n"}[filename]
    pauses = []
    with heeded(lambda: pauses.append(1)):
        load(head + "".join(f"{i},{i * i % 7}\n" for i in range(1000)), filename=filename)
    assert len(pauses) > 1000


def test_no_header():
    table = read("1,2,a\n3,4,b")
    assert table.names == ("column 1", "column 2", "column 3")
    assert table.notes == ("Columns are separated by commas; there is no header.",)
    assert table.reading.header_in_doubt


@pytest.mark.parametrize("text", ["0,5;1,5\n1,5;3", "0,5\t1,5\n1,5\t3", "0,5 1,5\n1,5 3"])
def test_decimal_comma(text):
    table = read(text)
    assert numbers(table) == [[0.5, 1.5], [1.5, 3.0]]
    assert table.notes[0].endswith("; the decimal sign is a comma; '0,5' is 0.5.")
    assert not table.reading.sign_in_doubt


def test_comma_is_no_decimal_sign_where_it_separates():
    assert numbers(read("1,5\n2,6")) == [[1.0, 2.0], [5.0, 6.0]]


@pytest.mark.parametrize(
    ("encoding", "note"),
    [
        ("utf-8", None),
        ("utf-8-sig", None),
        ("utf-16", "The text is encoded as UTF-16."),
        ("cp1252", "The text is not UTF-8 and was read as cp1252; check accented letters."),
    ],
)
def test_encodings(encoding, note):
    table = read("größe,y\n1,2\n3,4".encode(encoding))
    assert table.names == ("größe", "y")
    assert [n for n in table.notes if "text" in n] == ([note] if note else [])


def test_quoted_cells():
    table = read('x,y,c\n1,2,"a, ""b"""\n3,4,"line\nbreak"\n5,6,"=1+1"')
    assert table.columns[2].tolist() == ['a, "b"', "line\nbreak", "=1+1"]
    data, _ = use(table, "x", "y", "c")
    assert data.classes == ("=1+1", 'a, "b"', "line break")


def test_delimiters_inside_quotes_do_not_count():
    assert read('x,y,c\n1,2,"a;b;c;d"\n3,4,"e;f;g;h"').names == ("x", "y", "c")


def test_missing_values():
    table = read("x,y,c\n1,NA,a\n?,2,\nnan,3,?\n,4,NA\nN/A,5,none\nnull,6,b\n7,8,None")
    np.testing.assert_array_equal(table.columns[0], [1] + [np.nan] * 5 + [7])
    np.testing.assert_array_equal(table.columns[1], [np.nan, 2, 3, 4, 5, 6, 8])
    assert table.columns[2].tolist() == ["a", "", "", "", "none", "b", "None"]


@pytest.mark.parametrize("cell", ["1e400", "inf", "-Infinity"])
def test_infinite_values_are_dropped_and_counted(cell):
    data, notes = load(f"x,y\n1,2\n{cell},3\n4,5\n6,{cell}")
    assert data.X.tolist() == [[1, 2], [4, 5]]
    assert "2 rows left out: an infinite value in one of 'x', 'y'." in notes


def test_rows_with_missing_values_are_dropped_and_counted():
    data, notes = load("x,y,c\n1,2,a\n,3,b\n4,?,a\n6,7,\n8,9,b")
    assert data.X.tolist() == [[1, 2], [8, 9]]
    assert "3 rows left out: no value in one of 'x', 'y', 'c'." in notes


@pytest.mark.parametrize("cell", ["1_000", "١٢", "0x10", "1 00", "12%", "--1", "1e"])
def test_what_is_no_number(cell):
    words = f"Column 'x' holds text where numbers belong: '{cell.strip(chr(34))}' in line 3. Write"
    with pytest.raises(ReadError, match=words):
        read(f"x,y\n1,2\n{cell},3\n4,5")


THOUSANDS = {
    "German": ("x;y\n1.234.567;1,5\n12.345;2,5\n950;1.234,75", ","),
    "German, whole numbers only": ("x;y\n1.234.567;1\n12.345;2\n950;1.234", ","),
    "English": ('x,y\n"1,234,567",1.5\n"12,345",2.5\n950,"1,234.75"', "."),
    "English, quoted, whole numbers only": ('x,y\n"1,234,567",1\n"12,345",2\n950,"1,234"', "."),
    "English, by tab": ("x\ty\n1,234,567\t1.5\n12,345\t2.5\n950\t1,234.75", "."),
    "French": ("x;y\n1 234 567;1,5\n12 345;2,5\n950;1\u202f234,75", ","),
    "blanks and points": ("x\ty\n1 234 567\t1.5\n12 345\t2.5\n950\t1 234.75", "."),
    "no-break blanks between blanks": (
        "x y\n1\xa0234\xa0567 1.5\n12\xa0345 2.5\n950 1\xa0234.75",
        ".",
    ),
    "Swiss": ("x;y\n1'234'567;1.5\n12’345;2.5\n950;1'234.75", "."),
}


@pytest.mark.parametrize("case", THOUSANDS)
def test_thousands(case):
    text, sign = THOUSANDS[case]
    table = read(text)
    decimals = "75" in text
    assert numbers(table) == [
        [1234567, 12345, 950],
        [1.5, 2.5, 1234.75] if decimals else [1, 2, 1234],
    ]
    assert table.reading.sign == sign
    assert not table.reading.sign_in_doubt
    assert "is 1234567." in table.notes[0]


def test_marks_beside_small_numbers_part_thousands_and_can_be_read_otherwise():
    text = "x\ty\n1,234\t1\n12,345\t2\n950\t3"
    table = read(text)
    assert numbers(table)[0] == [1234, 12345, 950]
    assert table.notes[0].endswith("'1,234' is 1234.")
    assert table.reading == (True, False, ".", True, "\t")
    again = read_table(text.encode(), "my.csv", Answers(sign=","))
    assert numbers(again)[0] == [1.234, 12.345, 950]
    assert again.reading == (True, False, ",", True, "\t")
    assert numbers(read("x;y\n1.234;1\n12.345;2\n950;3"))[0] == [1234, 12345, 950]


def test_three_decimals_everywhere_are_in_doubt():
    for text, x in (
        ("x;y\n1,234;5\n2,345;7", [1.234, 2.345]),
        ("x;y\n1.234;5\n2.345;7", [1.234, 2.345]),
        ("x\ty\n1,234\t5\n2,345\t7", [1234, 2345]),
        ('x,y\n"1,234",5\n"2,345",7', [1234, 2345]),
    ):
        table = read(text)
        assert numbers(table)[0] == x
        assert table.reading.sign_in_doubt
    assert not read("x;y\n1,234;0,5\n2,345;7").reading.sign_in_doubt
    assert not read("x;y\n1,234;5,25\n2,345;7").reading.sign_in_doubt
    assert not read("x;y\n1;5\n2;7").reading.sign_in_doubt


def written(value, sign, mark):
    text = f"{value:,.3f}".rstrip("0").rstrip(".")
    return text.translate({ord(","): mark, ord("."): sign})


DIALECTS = [
    (sign, mark)
    for sign, marks in {".": ("", ",", " ", "'", "\xa0"), ",": ("", ".", " ", "'", "\xa0")}.items()
    for mark in marks
]


@settings(max_examples=300, deadline=None)
@given(
    data=st.data(),
    delimiter=st.sampled_from(",;\t|"),
    sign_and_mark=st.sampled_from(DIALECTS),
)
def test_every_dialect_reads_back(data, delimiter, sign_and_mark):
    sign, mark = sign_and_mark
    thousandths = st.integers(-(10**10), 10**10)
    rows = data.draw(
        st.lists(st.lists(thousandths, min_size=3, max_size=3), min_size=2, max_size=9)
    )
    table = np.array([[0.5, 1234567.25, 2], *(np.array(rows) / 1000)])
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(["a", "b", "c"])
    writer.writerows([[written(value, sign, mark) for value in row] for row in table.tolist()])
    again = read(out.getvalue())
    assert again.names == ("a", "b", "c")
    np.testing.assert_array_equal(np.column_stack(again.columns), table)
    assert again.reading.sign == sign


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("country,2019,2020\nChad,5,7\nMali,8,9", ("country", "2019", "2020")),
        (",2019,2020\nChad,5,7\nMali,8,9", ("column 1", "2019", "2020")),
        ("x,y,2020\n1,2,3\n4,5,6", ("x", "y", "2020")),
        ("2019,2020\n5,7\n8,9", ("column 1", "column 2")),
        ("Chad,2019,2020\nMali,2018,2021\nPeru,2017,2015", ("column 1", "column 2", "column 3")),
        ("a,1,2\nb,3,4\na,5,6", ("column 1", "column 2", "column 3")),
        ("NA,?\n1,2\n3,4", ("column 1", "column 2")),
    ],
)
def test_the_header_is_found_and_can_be_corrected(text, names):
    table = read(text)
    assert table.names == names
    if table.reading.header_in_doubt and "x" not in names:  # else no numbers are left
        other = read_table(text.encode(), "my.csv", Answers(header=not table.reading.header))
        assert len(other.columns[0]) == len(table.columns[0]) + (1 if table.reading.header else -1)
        assert other.reading.header_in_doubt


def test_rows_that_a_stray_quote_swallows_are_said():
    text = 'x,y,c\n1,2,a\n1,2,"tall\n3,4,short\n5,6,b"\n7,8,b\n'
    with pytest.raises(
        ReadError, match=r"A quote in line 3 of 'my\.csv' is closed in line 5, with"
    ):
        read(text)


def test_a_column_of_almost_numbers_becomes_text_with_a_note():
    table = read("x,y,z\n1,2,3\n4,oops,6\n7,8,9")
    assert table.numeric == ("x", "z")
    assert "Column 'y' was read as text because of 'oops' in line 3." in table.notes
    with pytest.raises(ReadError, match="Column 'y' holds text where numbers belong: 'oops' in li"):
        use(table, "x", "y", None)


def test_ragged_rows_are_dropped_and_counted():
    table = read("x,y\n1,2\n3,4,5\n6\n7,8\n9,10")
    assert numbers(table) == [[1, 7, 9], [2, 8, 10]]
    assert (
        "2 rows with more or fewer than 2 cells were left out, the first in line 3." in table.notes
    )


def test_names_are_made_unique_and_short():
    table = read(f"x,x,,x (2),{'long' * 30}\n1,2,3,4,5\n6,7,8,9,10")
    assert table.names[:4] == ("x", "x (2)", "column 3", "x (2) (2)")
    assert len(table.names[4]) == 60 and table.names[4].endswith("…")
    note = "Columns with a name that occurs before are now 'x (2)', 'x (2) (2)'."
    assert note in table.notes


def test_control_characters_are_replaced():
    table = read("a\x07b,c\u202ed\n1,2\n3,4")
    assert table.names == ("a\ufffdb", "c\ufffdd")


def test_an_unnamed_empty_column_is_left_out():
    table = read("x,y,\n1,2,\n3,4,")
    assert table.names == ("x", "y")
    assert "Column 3 has neither a name nor values and was left out." in table.notes


def test_only_the_first_lines_are_looked_at():
    table = read("x,y\n" + "".join(f"{i},{i % 7}\n" for i in range(MAX_RECORDS + 5)))
    assert len(table.columns[0]) == MAX_RECORDS - 1
    assert any("20,000 of 20,006 lines" in note for note in table.notes)


# What cannot be read


def zipped(data):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.csv", data)
    return out.getvalue()


BAD = {
    "empty": (b"", "my.csv", "'my.csv' is empty"),
    "empty paste": (b"", "paste", "The pasted text is empty"),
    "blank": (" \n\t\r\n\u3000", "my.csv", "'my.csv' holds nothing but blank space"),
    "only a header": (
        "x,y\n",
        "my.csv",
        "'my.csv' holds only a header",
    ),
    "too large": (b"1" * (MAX_BYTES + 1), "my.csv", "too large, 5.0 MB"),
    "50 MB": (b"1,2\n" * 12_500_000, "my.csv", "'my.csv' is too large, 50.0 MB"),
    "binary": (b"\x89PNG\r\n\x1a\n\0\0\0", "my.csv", "'my.csv' is not a text file"),
    "undefined in cp1252": (b"x,y\n\x81,\x8d", "my.csv", "'my.csv' is not a text file"),
    "half UTF-16": (b"\xff\xfea", "my.csv", "'my.csv' is not a text file"),
    "UTF-16 without mark": ("x,y\n1,2".encode("utf-16-le"), "my.csv", "is not a text file"),
    "gzip": (gzip.compress(b"1,2\n" * 10**6), "my.csv", "'my.csv' is compressed"),
    "gzip by name": (gzip.compress(b"1,2\n" * 10**6), "my.csv.gz", "'my.csv.gz' is compressed"),
    "zip": (zipped(b"1,2\n" * 10**6), "my.txt", "'my.txt' is compressed"),
    "no workbook": (
        zipped(b""),
        "my.xlsx",
        "'my.xlsx' is not an Excel workbook",
    ),
    "open document": (zipped(b""), "my.ods", "is not an .xlsx file"),
    "old workbook": (b"\xd0\xcf\x11\xe0" * 99, "my.csv", "is not an .xlsx file"),
    "ending": (
        b"1,2",
        "my.json",
        "'my.json' cannot be read",
    ),
    "no ending": (b"1,2", "csv data", "'csv data' cannot be read"),
    "65 columns": ("1," * 64 + "1", "my.csv", "too many columns, 65"),
    "long line": (
        "x,y\n" + "1" * (MAX_LINE + 1),
        "my.csv",
        "Line 2 of 'my.csv' is too long, 16,001",
    ),
    "a million columns": ("1,2," * 10**6, "my.csv", "Line 1 of 'my.csv' is too long, 4,000,000"),
    "5 MB in one line": ("1" * MAX_BYTES, "my.csv", "Line 1 of 'my.csv' is too long, 5,000,000"),
    "one column": ("x\n1\n2", "my.csv", "has only one column"),
    "one numeric": ("x,c\n1,a\n2,b", "my.csv", "fewer than two columns of numbers"),
    "prose": ("Dear Sir,\nI write to you.\nYours", "my.txt", ""),
    "mostly ragged": (
        "1,2\n3,4\n5\n6,7,8\n9,1,2,3",
        "my.csv",
        "Most rows of 'my.csv' do not have 2 cell",
    ),
    "open quote": (
        'x,y\n1,2\n3,"4\n5,6\n',
        "my.csv",
        "The quotes in line 3 of 'my.csv' do not match",
    ),
    "bad quote": ('x,y\n1,2\n"3"x,4\n', "my.csv", "The quotes in line 3 of 'my.csv' do not match"),
    "100 quotes": ('"' * 100 + "\n1,2", "my.csv", ""),
    "name": (b"", "\x1b[31m" + "n" * 300 + ".csv", "nnn…' is empty"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_read_says_why(case):
    raw, filename, words = BAD[case]
    with seconds_of_cpu(1), pytest.raises(ReadError) as error:
        read(raw, filename)
    message = str(error.value)
    assert words in message
    assert message.endswith(".") and message.isprintable() and len(message) < 300


CELLS = ",".join(f"{v:.10g}" for v in np.random.default_rng(0).normal(size=64)) + "\n"
HEAVY = {
    "quotes": '"' * 15_999 + "\n" + ('"a"b,' * 3000 + "\n") * 300,
    "a quote per line": '"\n' * 2_499_999,
    "open quote": 'x,y\n"' + "1,2\n" * 1_249_000,
    "quoted pairs": ('""' * 7000 + "\n") * 350,
    "blank lines": "\n" * 4_999_990 + "1,2",
    "short rows": "1,2\n" * 1_250_000,
    "all the cells": CELLS * (MAX_BYTES // len(CELLS)),
    "decimal commas": (CELLS.replace(",", ";").replace(".", ",")) * (MAX_BYTES // len(CELLS)),
    "one digit cells": ("1,2," * 16)[:-1].join(["", "\n"]) * 38_000,
    "long numbers": ("1" * 15_900 + ",2\n") * 310,
    "almost numbers": ("1" * 15_900 + "x 2\n") * 310,
    "blanks": (" " * 15_000 + "1 2\n") * 330,
    "wide rows": ("1 " * 7990 + "\n") * 310,
    "long text": ("a" * 15_000 + ",1,2\n") * 330,
    "distinct text": "".join(f"{i}text,{i},{i * 2}\n" for i in range(220_000)),
    "carriage returns": "1,2\r" * 1_250_000,
}


@pytest.mark.parametrize("case", HEAVY)
@pytest.mark.parametrize("filename", ["my.csv", "my.arff"])
def test_hostile_files_take_less_than_a_second(case, filename):
    text = HEAVY[case]
    if filename == "my.arff":
        text = "@attribute x numeric\n@attribute y numeric\n@data\n" + text
    with seconds_of_cpu(1):
        try:
            load(text[:MAX_BYTES], filename=filename)
        except ReadError as error:
            assert len(str(error)) < 300


# What is chosen


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x,y\n1,5\n2,5\n3,5", "Column 'y' is constant, every value is 5"),
        ("x,y\n1,\n2,\n3,", "Column 'y' has no values"),
        ("x,y\n1,inf\n2,1e999\n3,", "Column 'y' has only infinite values"),
        ("x,y\n1,2", "There is only one point"),
        ("x,y\n1,\n2,3\n,4", "There is only one point"),
        ("x,y\n1,\n2,\n,4\n,5", "No row has a value in each of 'x', 'y'"),
        ("x,y\n1,2\n3,2e12", "Column 'y' holds 2e+12; values beyond 1e+12 are refused"),
        ("x,y\n1,2\n3,-1e300", "Column 'y' holds -1e+300; values beyond 1e+12 are refused"),
    ],
)
def test_what_cannot_be_drawn_says_why(text, words):
    with pytest.raises(ReadError) as error:
        load(text, "x", "y", None)
    assert words in str(error.value)


def test_columns_must_exist_and_differ():
    with pytest.raises(ReadError, match="Column 'x' is chosen for both x and y"):
        load("x,y\n1,2\n3,4", "x", "x", None)
    with pytest.raises(ReadError, match="There is no column 'z'"):
        load("x,y\n1,2\n3,4", "x", "z", None)


def test_names_make_no_classes():
    text = "x,y,name\n" + "".join(f"{i},{i},n{i}\n" for i in range(200))
    words = "Column 'name' has a different value in each of 200 rows"
    with pytest.raises(ReadError, match=words):
        load(text, label="name")


def test_rare_classes_are_taken_together():
    kinds = [f"k{i}" for i in range(12) for _ in range(20 - i)]
    text = "x,y,kind\n" + "".join(f"{i}.5,{-i}.5,{kind}\n" for i, kind in enumerate(kinds))
    data, notes = load(text)
    assert data.classes == (*(f"k{i}" for i in range(7)), "other")
    assert np.bincount(data.labels).tolist() == [20, 19, 18, 17, 16, 15, 14, 13 + 12 + 11 + 10 + 9]
    words = "the 7 most frequent are classes, the others (55 rows) are the class 'other'."
    assert f"'kind' has 12 different values: {words}" in notes
    others = text.replace("k0\n", "other\n")
    assert load(others)[0].classes == (*(f"k{i}" for i in range(1, 7)), "other", "other (2)")


@pytest.mark.parametrize("axis", "xy")
def test_the_class_is_no_axis(axis):
    words = f"Column '{axis}' is chosen for both {axis} and the class"
    with pytest.raises(ReadError, match=words):
        load("x,y\n1,2\n3,4", "x", "y", axis)


def test_a_single_class_is_a_note():
    data, notes = load("x,y,c\n1,2,a\n3,4,a", label="c")
    assert data.classes == ("a",) and data.labels.tolist() == [0, 0]
    assert "All rows are of one class, 'a'." in notes


@pytest.mark.parametrize(
    ("cells", "classes"),
    [
        (["1.0", "-1", "10", "2.5"], ("-1", "1", "2.5", "10")),
        (["b10", "b9", "A", "b10"], ("A", "b9", "b10")),
        (["yes", "no", "1", "yes"], ("1", "no", "yes")),
    ],
)
def test_classes_are_named_and_sorted(cells, classes):
    data, _ = load(
        "x,y,c\n" + "".join(f"{i},{i},{c}\n" for i, c in enumerate(cells)), "x", "y", "c"
    )
    assert data.classes == classes
    assert [data.classes[k] for k in data.labels] == [c.removesuffix(".0") for c in cells]


def test_long_class_names_stay_apart():
    text = "x,y,c\n" + "".join(f"{i},{i},{'a' * 80}{i}\n" for i in range(3))
    data, _ = load(text, "x", "y", "c")
    assert len(set(data.classes)) == 3 and max(map(len, data.classes)) <= 60


def test_other_columns_are_kept_if_they_can_be_features():
    text = "a,b,c,d,e,f,g\n1,2,3,4,5,t,1e13\n2,3,4,5,5,u,2\n3,5,9,6,5,t,3\n"
    data, notes = load(text, "b", "c", None)
    assert data.columns == ("a", "b", "c", "d")
    assert (data.x, data.y) == (1, 2)
    words = "'e' (constant), 'f' (text), 'g' (values beyond 1e+12)"
    assert notes == (f"Columns left out: {words}.",)
    assert data.name == "my.csv"


def with_gaps(**gaps):
    """Return 150 rows of x, y and columns whose first or last cells are blank."""
    rng = np.random.default_rng(0)
    names = ["x", "y", *gaps]
    cells = [[f"{value:.4f}" for value in row] for row in rng.normal(size=(150, len(names)))]
    for name, count in gaps.items():
        for row in cells[:count] if count > 0 else cells[count:]:
            row[names.index(name)] = ""
    return "\n".join(map(",".join, [names, *cells]))


def test_some_blanks_cost_rows_and_many_a_column():
    data, notes = load(with_gaps(age=17))
    assert data.columns == ("x", "y", "age") and len(data.table) == 133
    assert notes == ("17 rows left out: no number in 'age'.",)
    data, notes = load(with_gaps(age=17, size=-3, weight=100))
    assert data.columns == ("x", "y", "age", "size") and len(data.table) == 130
    assert notes == (
        "20 rows left out: no number in 'age', 'size'.",
        "Columns left out: 'weight' (100 of 150 values missing).",
    )


def test_blanks_in_many_columns_leave_half_of_the_rows():
    data, notes = load(with_gaps(a=60, b=-60, c=-10))
    assert data.columns == ("x", "y", "b", "c") and len(data.table) == 90
    assert "Columns left out: 'a' (60 of 150 values missing)." in notes
    _, notes = load(with_gaps(**{f"c{i}": 9 for i in range(5)}))
    assert notes == ("9 rows left out: no number in 'c0', 'c1', 'c2' and 2 more.",)


def test_blanks_elsewhere_do_not_make_an_axis_constant():
    data, notes = load("x,y,z\n1,1,\n2,2,\n3,3,5\n3,4,6\n", "x", "y", None)
    assert data.columns == ("x", "y")
    assert notes == ("Columns left out: 'z' (2 of 4 values missing).",)


def test_a_gap_in_a_dropped_row_does_not_matter():
    data, _ = load("x,y,z\n1,2,3\n4,,\n5,6,7", "x", "y", None)
    assert data.table.tolist() == [[1, 2, 3], [5, 6, 7]]


def test_many_rows_are_sampled_with_the_seed():
    text = "x,y\n" + "".join(f"{i},{i * i}\n" for i in range(6000))
    data, notes = load(text, label=None)
    assert len(data.table) == MAX_ROWS
    assert "5,000 of 6,000 rows were drawn at random, with the seed." in notes
    assert (np.diff(data.X[:, 0]) > 0).all()
    np.testing.assert_array_equal(data.table, load(text, label=None)[0].table)
    assert not np.array_equal(data.table, load(text, label=None, seed=1)[0].table)


def table_of(names, row, n=20):
    return read(names + "\n" + "".join(row(i) + "\n" for i in range(n)))


@pytest.mark.parametrize(
    "name", ["id", "Student ID", "studentId", "Nr.", "ID number", "#", "Index"]
)
def test_ids_are_neither_feature_nor_class(name):
    table = table_of(f"x,y,{name},z", lambda i: f"{i}.5,{i * i}.1,{i * 37 % 101},{-i}.5")
    assert suggest(table) == ("x", "y", None, ("z",))
    _, notes = to_dataset(table, suggest(table), rng=np.random.default_rng(0), name="n")
    assert notes == (f"Columns left out: '{name}' (an id).",)
    assert suggest(read(f"{name},x,y\n3,1.5,2\n1,2.5,3\n2,3.5,3")).label is None


def test_what_only_sounds_like_an_id_is_a_feature():
    for name in ("humid", "number of rooms", "no of children"):
        table = table_of(f"x,y,{name}", lambda i: f"{i}.5,{i * i}.1,{i * 37 % 101}")
        assert suggest(table).others == (name,)
    table = table_of("x,y,mass index", lambda i: f"{i}.5,{i * i}.1,{i % 9 + 0.5}")
    assert suggest(table).others == ("mass index",)


def test_row_numbers_are_no_features_unless_there_is_nothing_else():
    def row(i):
        return f"{i + 1},{i * 7 % 20},{i * 3 % 20}"

    table = table_of("n,a,b", row)
    assert suggest(table) == ("a", "b", None, ())
    _, notes = to_dataset(table, suggest(table), rng=np.random.default_rng(0), name="n")
    assert notes == ("Columns left out: 'n' (it numbers the rows).",)
    assert suggest(table_of("x,a,b", row)) == ("x", "a", None, ("b",))
    assert suggest(table_of("n,a", lambda i: f"{i},{i * i}")) == ("n", "a", None, ())


@pytest.mark.parametrize(
    "date", ["2024-01-0{}", "0{}.01.2024", "1/{}/24", "{} Jan 2024", "2024-01-0{}T10:00", "0{}:30"]
)
def test_dates_are_no_class(date):
    table = table_of("x,y,when", lambda i: f"{i}.5,{i * i}.1,{date.format(i % 3 + 1)}")
    assert suggest(table) == ("x", "y", None, ())
    _, notes = to_dataset(table, suggest(table), rng=np.random.default_rng(0), name="n")
    assert notes == ("Columns left out: 'when' (dates).",)


@pytest.mark.parametrize(
    "cell",
    ["{}%", "${}", "{} kg", '"{},5"', "{}.5.2"],
    ids=["percent", "dollar", "kg", "sign", "?"],
)
def test_numbers_that_cannot_be_read_are_no_class(cell):
    table = table_of("x,y,p", lambda i: f"{i}.5,{i * i}.1,{cell.format(i % 3)}")
    assert suggest(table) == ("x", "y", None, ())
    value = cell.format(0).strip('"')
    assert f"Column 'p' was read as text because of '{value}' in line 2." in table.notes


def test_classes_are_text_or_named_so_or_two_numbers():
    table = table_of("id,x,y,sex,kind", lambda i: f"{i},{i}.5,{-i}.1,{i % 2},{'abc'[i % 3]}")
    assert table.numeric == ("id", "x", "y", "sex")
    assert suggest(table) == ("x", "y", "kind", ("sex",))
    for last, label in (
        ("{}5b", "g"), ("{}", None), ("{}.5", None),
    ):  # fmt: skip
        table = table_of("x,y,g", lambda i, last=last: f"{i}.5,{-i}.1,{last.format(i % 3)}")
        assert suggest(table).label == label
    assert suggest(table_of("x,y,rooms", lambda i: f"{i}.5,{-i}.1,{i % 5}")).label is None
    assert suggest(table_of("class,x,y", lambda i: f"{i % 3},{i}.5,{-i}.1")).label == "class"
    assert suggest(table_of("x,y,sick", lambda i: f"{i}.5,{-i}.1,{i % 2}")).label == "sick"
    assert suggest(table_of("x,y,name", lambda i: f"{i}.5,{-i}.1,n{i}")).label is None
    assert suggest(table_of("x,y,town", lambda i: f"{i}.5,{-i}.1,t{i % 12}", 60)).label == "town"
    assert suggest(read("x,y\n1,2\n3,1")) == ("x", "y", None, ())


# ARFF

IRIS = """% Title: Iris Plants Database
%
@RELATION iris

@ATTRIBUTE 'sepal length'  NUMERIC   
@attribute sepalwidth REAL
@ATTRIBUTE "petal length" integer
@ATTRIBUTE class {Iris-setosa,'Iris versicolor',"Iris-virginica"}

@DATA
5.1,3.5,1,Iris-setosa
% a comment
4.9,?,1,Iris-setosa

7.0,3.2,4,'Iris versicolor'
6.3, 3.3, 6, Iris-virginica
"""


def test_arff():
    table = read(IRIS, "iris.arff")
    assert table.names == ("sepal length", "sepalwidth", "petal length", "class")
    assert suggest(table) == ("sepal length", "sepalwidth", "class", ("petal length",))
    data, notes = load(IRIS, filename="iris.arff")
    assert data.table.tolist() == [[5.1, 3.5, 1], [7.0, 3.2, 4], [6.3, 3.3, 6]]
    assert data.classes == ("Iris versicolor", "Iris-setosa", "Iris-virginica")
    assert "1 row left out: no value in one of 'sepal length', 'sepalwidth', 'class'." in notes
    assert "ARFF file with 4 attributes." in table.notes


def test_nominal_numbers_are_text_and_quotes_are_of_either_kind():
    text = "@attribute a numeric\n@attribute b{0,1}\n@attribute c string\n@attribute d date 'y'\n"
    text += '@attribute \'it\\\'s\' real\n@data\n1,0,"x, y","2001",5\n2,1,"don\'t","2002",7\n'
    table = read(text, "my.arff")
    assert table.names == ("a", "b", "c", "d", "it's")
    assert table.numeric == ("a", "it's")
    assert table.columns[1].tolist() == ["0", "1"]
    assert table.columns[2].tolist() == ["x, y", "don't"]
    with pytest.raises(
        ReadError, match="Column 'b' holds text where numbers belong: '0' in line 7"
    ):
        use(table, "a", "b", None)


HEAD = "@relation r\n@attribute x numeric\n@attribute y numeric\n"
BAD_ARFF = {
    "no data": (HEAD, "has no @data line"),
    "csv": (
        "x,y\n1,2\n",
        "Line 1 of 'my.arff' is not understood: 'x,y'. Before @data an ARFF file",
    ),
    "no type": ("@attribute x\n@data\n1", "Line 1 of 'my.arff' is not understood: '@attribute x'"),
    "bad type": ("@attribute x float\n@data\n1", "is not understood: '@attribute x float'"),
    "relational": ("@attribute b relational\n@data\n", "is not understood: '@attribute b relation"),
    "open brace": ("@attribute x {a,b\n@data\n", "is not understood: '@attribute x {a,b'"),
    "open quote": ("@attribute 'x numeric\n@data\n", "Line 1 of 'my.arff' is not understood"),
    "sparse": (
        HEAD + "@data\n{0 1, 1 2}\n",
        "sparse ARFF file",
    ),
    "no rows": (
        HEAD + "@data\n% none\n",
        "'my.arff' holds only a header",
    ),
    "no attributes": (
        "@relation r\n@data\n1,2\n",
        "Most rows of 'my.arff' do not have 0 cells, line 3",
    ),
    "quotes": (HEAD + "@data\n'1'x,2\n", "The quotes in line 5 of 'my.arff' do not match"),
    "ragged": (HEAD + "@data\n1,2,3\n", "Most rows of 'my.arff' do not have 2 cells, line 5 for"),
    "text": (
        HEAD + "@data\n1,2\n3,oops\n",
        "Column 'y' holds text where numbers belong: 'oops' in l",
    ),
    "65": ("@attribute x real\n" * 65 + "@data\n", "has too many columns, 65"),
    "empty": ("", "'my.arff' is empty"),
}


@pytest.mark.parametrize("case", BAD_ARFF)
def test_a_broken_arff_file_says_why(case):
    text, words = BAD_ARFF[case]
    with pytest.raises(ReadError) as error:
        read(text, "my.arff")
    assert words in str(error.value)


# Whatever comes, a table or a sentence

VALID = [IRIS, "x,y,c\n1,2,a\n3,4.5,b\n-5e3,6,a\n", '"x";"y"\n1,5;"2,5"\n3;4\n', "1 2\n3 4\n5 6"]


def survives(raw, filename):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            table = read_table(raw, filename)
            rng = np.random.default_rng(0)
            data, notes = to_dataset(table, suggest(table), rng=rng, name=filename)
            assert np.isfinite(data.table).all()
            assert all(isinstance(n, str) for n in (*table.notes, *notes))
            to_csv(data)
        except ReadError as error:
            assert str(error).endswith((".", "none")) and str(error).isprintable()


FILENAMES = st.sampled_from(["a.csv", "a.arff", "paste"])


@settings(max_examples=300, deadline=None)
@given(raw=st.binary(max_size=300), filename=FILENAMES)
def test_random_bytes(raw, filename):
    survives(raw, filename)


@settings(max_examples=300, deadline=None)
@given(text=st.text("01.,;e+-x\"'\n\t ?{}@%=\\nafi", max_size=200), filename=FILENAMES)
def test_random_tables(text, filename):
    survives(text.encode(), filename)


@settings(max_examples=300, deadline=None)
@given(data=st.data(), filename=FILENAMES)
def test_mutated_files(data, filename):
    raw = bytearray(data.draw(st.sampled_from(VALID)).encode())
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(raw)))
        raw[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=4))
    survives(bytes(raw), filename)


# There and back

NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=20
)
VALUES = st.floats(-1e12, 1e12)


def is_number(text):
    """Return whether a text is a number for us, in any dialect, or for Python."""
    try:
        return numerals.is_number(text, "") or (text.isascii() and float(text) is not None)
    except ValueError:
        return False


@st.composite
def data_sets(draw):
    n, c = draw(st.integers(2, 8)), draw(st.integers(2, 4))
    columns = draw(st.lists(VALUES, min_size=n * c, max_size=n * c))
    table = np.array(columns).reshape(n, c)
    assume((np.ptp(table, axis=0) >= LEAST_SPREAD).all())
    names = [f"{'=+-@#'[k]}{name}" for k, name in enumerate(draw(st.tuples(*[NAMES] * c)))]
    classes = draw(st.lists(NAMES, min_size=2, max_size=8, unique=True))
    labels = draw(st.lists(st.integers(0, len(classes) - 1), min_size=n, max_size=n))
    return "d", table, tuple(names), np.array(labels), tuple(classes), c - 1, 0


@settings(max_examples=300, deadline=None)
@given(fields=data_sets())
def test_csv_reads_back_as_the_same_data(fields):
    data = Dataset(*fields)
    stand_ins = ("na", "n/a", "nan", "null", "none", "?")
    assume(not any(name.lower() in stand_ins for name in data.classes))
    assume(not any(is_number(name) for name in (*data.classes, *data.columns)))
    again = read(to_csv(data))
    back, notes = use(again, data.columns[data.x], data.columns[data.y], again.names[-1])
    np.testing.assert_array_equal(back.table, data.table)
    assert back.columns == data.columns and (back.x, back.y) == (data.x, data.y)
    assert [back.classes[k] for k in back.labels] == [data.classes[k] for k in data.labels]
    assert [n for n in notes if "one class" not in n] == []


@pytest.mark.parametrize("name", DATASETS)
def test_every_preset_reads_back(name):
    data = DATASETS[name].make(50, noise=0.1, rng=np.random.default_rng(0))
    label = "class" if len(data.classes) > 1 else None
    table = read(to_csv(data))
    x, y = (data.columns[i] for i in (data.x, data.y))
    back, _ = use(table, x, y, label)
    np.testing.assert_array_equal(back.table, data.table)
    np.testing.assert_array_equal(back.labels, data.labels)
    assert back.classes == data.classes and back.columns == data.columns


def test_csv_cannot_run_formulas():
    table = np.array([[1.0, 2.5], [-3.0, 1e-20]])
    data = Dataset("d", table, ("=x", "y"), np.array([0, 1]), ("=1+1", "-1"))
    text = to_csv(data)
    assert text == "'=x,y,class\n1,2.5,'=1+1\n-3,1e-20,-1\n"
    for row in csv.reader(io.StringIO(text)):
        assert not any(cell.startswith(("=", "+", "@", "\t", "\r")) for cell in row)
    back, _ = load(text, "=x", "y", "class")
    assert back.classes == ("-1", "=1+1")


def test_csv_runs_no_formula_where_the_separator_is_another():
    names = (
        "a;=1+1",
        'a;"=1+1;b',
        "＝1+1",
        "；＝1",
        "＋1",
        "－a",
        "＠x",
        "x; @y",
        "a,b",
        "-5",
        "it's",
    )
    data = Dataset("d", np.arange(22.0).reshape(11, 2), names[:2], np.arange(11) % 8, names[2:10])
    text = to_csv(data)
    for delimiter in ",;\t|":
        for line in text.split("\n"):
            for cell in line.split(delimiter):
                inside = cell.strip('" ')
                assert numerals.is_number(inside, ",") or not inside.startswith(
                    tuple("=+-@＝＋－＠")
                )
    assert read(text).names[:2] == data.columns
    assert load(text, *data.columns, "class")[0].classes == tuple(sorted(data.classes))


@given(st.text("'\";, \t\n=-＝@a1", max_size=12))
def test_what_is_guarded_comes_back(text):
    assert unguarded(guarded(text)) == text


def test_values_that_hardly_differ_are_refused():
    with pytest.raises(ReadError, match="'y' differ by 1e-300 only; less than 1e-40 is refused"):
        load("x,y\n1,1e-300\n2,2e-300\n3,1.5e-300")
    with pytest.raises(ReadError, match="beyond 1e\\+12 are refused"):
        load("x,y\n1,1e300\n2,2e300\n3,5")
    assert load("x,y\n1,1e-39\n2,2e-39\n3,1.5e-39")[0].X[1, 1] == 2e-39
