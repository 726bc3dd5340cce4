"""Columns that are almost numbers, values far from all others, and the user's corrections."""

import numpy as np
import pytest

from algorithms.data.presets import DATASETS
from pages._shared.data.clinic import parse_marks
from pages._shared.data.column_roles import suggest
from pages._shared.data.far_values import FAR, far_values
from pages._shared.data.reader import read_table
from pages._shared.data.table import Answers, Odd, Picks, ReadError, Table
from pages._shared.data.table_data import rows_used, to_csv, to_dataset

PICKS = Picks("height", "weight", "club", ())


def class_file(**cells: str) -> str:
    """Write 40 rows with the header in line 1; cells by column and line, as in weight_19="7400"."""
    rows = ["height;weight;club;age"]
    for i in range(40):
        row = {"height": f"{160 + i * 7 % 41},5", "weight": f"{50 + i * 11 % 37},25"}
        row |= {"club": "ab"[i % 2], "age": str(15 + i % 4)}
        for name in row:
            row[name] = cells.get(f"{name}_{i + 2}", row[name])
        rows.append(";".join(row.values()))
    return "\n".join(rows)


def read(text: str, **answers) -> Table:
    return read_table(text.encode(), "my.csv", Answers(**answers))


@pytest.mark.parametrize(("odd", "numeric"), [(8, True), (9, False)])
def test_a_column_of_four_fifths_numbers_is_a_column_of_numbers(odd: int, numeric: bool) -> None:
    table = read(class_file(**{f"weight_{line}": "-" for line in range(2, 2 + odd)}))
    assert ("weight" in table.numeric) is numeric
    if numeric:
        assert table.odd == (Odd("weight", "-", tuple(range(2, 10))),)
        assert np.isnan(table.columns[1]).sum() == odd
        assert any("8 cells are no numbers, the first is '-' in line 2" in n for n in table.notes)
    else:
        assert table.odd == ()


def test_missing_values_do_not_count_against_a_column() -> None:
    table = read(class_file(**{f"weight_{line}": "?" for line in range(2, 37)}, weight_37="x"))
    assert "weight" in table.numeric and table.odd == (Odd("weight", "x", (37,)),)


def test_what_is_missing_can_be_said() -> None:
    text = class_file(**{f"weight_{line}": "k. A." for line in range(2, 20)}, weight_30="?")
    assert "weight" not in read(text).numeric
    table = read(text, missing=parse_marks("-, K. A."))
    assert table.odd == (Odd("weight", "?", (30,)),)  # no longer a mark
    assert not read(text, missing=parse_marks("?, k. a.,")).odd
    clubs = read(class_file(club_4="-", club_5="none"), missing=parse_marks("-, none"))
    assert clubs.columns[2][2:4].tolist() == ["", "none"]  # a class may be called none


def test_cells_are_corrected_and_rows_left_out_and_the_sum_is_right() -> None:
    text = class_file(weight_9="-", weight_12="krank", height_12="?") + "\n1;2"
    cells = ((9, "weight", "61,5"), (12, "weight", "x"), (99, "weight", "1"), (9, "age", "1"))
    table = read(text, cells=cells, left_out=frozenset({3, 4, 5000}))
    assert table.columns[1][table.lines == 9] == 61.5
    assert table.odd == (Odd("weight", "x", (12,)),)
    assert not {3, 4} & set(table.lines.tolist())
    data, _ = to_dataset(table, PICKS, rng=np.random.default_rng(0), name="my.csv")
    # Left out: a row of two cells, two by the user, and line 12.
    assert rows_used(table, data) == "37 of 41 rows are used; 4 are left out."
    whole = read(class_file())
    data, _ = to_dataset(whole, PICKS, rng=np.random.default_rng(0), name="my.csv")
    assert rows_used(whole, data) == "All 40 rows are used."
    with pytest.raises(ReadError, match="are left out"):
        read(class_file(), left_out=frozenset(range(100)))


def test_a_column_of_numbers_can_be_text_after_all() -> None:
    text = class_file(weight_9="V7").replace("club", "1")
    assert read(text).columns[1].dtype == float
    text = text.replace("\n", ";1\n").replace("1;1", "1;x") + ";1"
    table = read(text, texts=frozenset({"weight"}))
    assert table.columns[1][7] == "V7" and "weight" in table.texts


def test_delimiter_and_sign_can_be_overridden() -> None:
    assert read("a;b|c;d\n1;2|3;4\n5;6|7;8", delimiter=";").names == ("a", "b|c", "d")
    with pytest.raises(ReadError):
        read("1,5 2,5\n3,5 4,5", delimiter="|")
    table = read("x;y\n1,234;1\n12,345;2\n950;3", sign=".")
    assert table.columns[0].tolist() == [1234, 12345, 950]


def test_a_typing_error_is_far_from_all_others() -> None:
    table = read(class_file(weight_19="7400,0"))
    (far,) = far_values(table, PICKS)
    assert (far.column, far.value, far.line) == ("weight", 7400, 19)
    values = table.columns[1]
    deviations = np.abs(values - np.median(values))
    assert far.times == pytest.approx((7400 - np.median(values)) / np.median(deviations))
    assert far.times > FAR
    assert not far_values(read(class_file(weight_19="7400,0"), left_out=frozenset({19})), PICKS)


def test_a_long_tail_is_no_typing_error() -> None:
    values = np.random.default_rng(0).lognormal(0, 3, 200)
    text = "height,weight\n" + "\n".join(f"{i * 37 % 101}.5,{v}" for i, v in enumerate(values))
    assert far_values(read(text), Picks("height", "weight", None, ())) == []


@pytest.mark.parametrize("values", [["1"] * 30 + ["9"], ["1e300", "-1e300"] * 6, ["1", "2", "9e9"]])
def test_no_usual_distance_and_huge_values_are_harmless(values: list[str]) -> None:
    text = "height,weight\n" + "\n".join(f"{i},{v}" for i, v in enumerate(values))
    assert far_values(read(text), Picks("height", "weight", None, ())) == []


@pytest.mark.parametrize("name", DATASETS)
def test_of_the_presets_only_one_has_a_value_far_from_all_others(name: str) -> None:
    """The preset "outlier" is made for that."""
    preset = DATASETS[name]
    data = preset.make(preset.n, noise=preset.noise, rng=np.random.default_rng(0))
    table = read(to_csv(data))
    assert bool(far_values(table, suggest(table))) == (name == "outlier")
