"""The visitor's own data: what is read, what can be corrected, and that nothing is lost."""

import re
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from openpyxl import Workbook

from pages._shared.data import own_data
from pages._shared.data.clinic import IN_DOUBT
from pages._shared.data.own_data import NO_CLASS, USE
from pages._shared.lab.catalogue import LABS
from pages._shared.session.cache import store
from tests.app.session import Session, unescaped

K_MEANS, PERCEPTRON, PATHS = (
    next(lab for lab in LABS if lab.name == name)
    for name in ("k_means", "perceptron", "linear_paths")
)
STUDENTS = "Student ID,Height,Shoe size,Age,Passed?\n" + "\n".join(
    f"{7000 + 13 * i},{150 + i * 7 % 41}.5,{36 + i * 3 % 11},{'' if i % 9 == 4 else 18 + i % 5},"
    f"{'no' if i * 7 % 41 < 20 else 'yes'}"
    for i in range(60)
)


def notes(session: Session) -> list[str]:
    return [unescaped(line) for text in session.app.caption for line in text.value.split("  \n")]


def picked(session: Session) -> list:
    session.open_own_data()
    boxes = [session.app.selectbox(key=f"column_{name}").value for name in ("x", "y", "class")]
    return [*boxes, session.app.multiselect(key="column_others").value]


def preview(session: Session) -> str:
    session.open_own_data()
    (body,) = [html.proto.body for html in session.app.html if 'class="preview"' in html.proto.body]
    return body


def test_a_school_file_is_understood(session: Session) -> None:
    session.open(PATHS)
    session.upload("class.csv", STUDENTS.encode())
    data = session.board.data
    assert data.columns == ("Height", "Shoe size", "Age")
    assert data.classes == ("no", "yes") and len(data.table) == 60 - 7
    assert picked(session) == ["Height", "Shoe size", "Passed?", ["Age"]]
    shown = notes(session)
    assert "Columns are separated by commas; the first row holds the names." in shown
    assert "7 rows left out: no number in 'Age'." in shown
    assert "Columns left out: 'Student ID' (an id)." in shown


def test_the_pickers_show_what_is_on_the_board_in_every_lab(session: Session) -> None:
    session.open(K_MEANS, k="2")
    session.upload("class.csv", STUDENTS.encode())
    session.correct("selectbox", "column_x", "Age")
    session.correct("selectbox", "column_class", NO_CLASS)
    assert picked(session) == ["Age", "Shoe size", NO_CLASS, ["Height"]]
    for lab in (PERCEPTRON, PATHS, K_MEANS):
        session.open(lab)
        session.open_own_data()
        assert picked(session) == ["Age", "Shoe size", NO_CLASS, ["Height"]]
        data = session.board.data
        assert (data.columns[data.x], data.columns[data.y]) == ("Age", "Shoe size")
        assert data.classes == ("all",) and len(data.table) == 53
    session.correct("selectbox", "column_class", "Passed?")
    assert not session.errors
    assert session.board.data.classes == ("no", "yes")


def test_a_feature_left_out_brings_its_rows_back(session: Session) -> None:
    session.open(PATHS)
    session.upload("class.csv", STUDENTS.encode())
    session.correct("multiselect", "column_others", ["Student ID"])
    data = session.board.data
    assert data.columns == ("Student ID", "Height", "Shoe size") and len(data.table) == 60
    assert "Columns left out: 'Age' (not picked)." in notes(session)


def test_nothing_is_used_before_it_is_asked_for(session: Session) -> None:
    session.open(K_MEANS, k="2")
    session.upload("class.csv", STUDENTS.encode())
    before = session.board.data
    session.open_own_data()
    session.set("selectbox", "column_x", "Age")
    assert picked(session)[0] == "Age" and session.board.data is before
    session.app.file_uploader(key="file").set_value(("other.csv", b"u,v\n1,2\n3,5", "text/csv"))
    session.run()
    assert session.app.selectbox(key="column_x").value == "u"
    assert session.board.data is before
    session.data.loading = None  # the dialog is left
    session.run()
    assert not session.app.file_uploader
    assert picked(session) == ["Height", "Shoe size", "Passed?", ["Age"]]


def test_a_second_click_after_the_dialog_has_shut_does_nothing(session: Session) -> None:
    session.open(K_MEANS, k="2")
    session.open_own_data()
    session.app.text_area(key="pasted").set_value("a,b\n1,2\n3,5\n4,4")
    session.press("Read the pasted table")
    session.data.loading = None  # by the first click
    session.press(USE)
    session.open_own_data()
    assert not session.board.own and not session.errors


def test_the_picture_names_the_classes_where_points_have_their_looks(session: Session) -> None:
    session.open(PERCEPTRON)
    assert session.stage["legend"] == ["1", "2"]
    session.upload("class.csv", STUDENTS.encode())
    assert session.stage["legend"] == ["no", "yes"]
    session.open(K_MEANS)
    assert session.stage["legend"] is None, "points have the looks of clusters"
    session.paste("a,b\n1,2\n3,5\n4,4")
    session.open(PERCEPTRON)
    assert session.stage["legend"] is None, "there are no classes"


def test_a_column_is_not_both_axis_and_class(session: Session) -> None:
    session.open(K_MEANS, k="2")
    session.upload("class.csv", STUDENTS.encode())
    before = session.board.data
    session.correct("selectbox", "column_class", "Height")
    words = "Column 'Height' is chosen for both x and the class"
    assert len(session.errors) == 1 and session.errors[0].startswith(words)
    assert session.board.data is before


def test_many_classes_in_a_lab_of_two(session: Session) -> None:
    session.open(PERCEPTRON)
    rows = [f"{i}.5,{i * i % 17}.5,town {i % 12}" for i in range(90)]
    session.paste("x,y,town\n" + "\n".join(rows))
    assert session.board.data.classes[-1] == "other"
    assert session.stage["error"] == (
        "This needs exactly two classes; these data have 8. Under “Data”, choose a class column "
        "with two values or another preset, or erase or relabel the points of the other classes."
    )


def test_the_decimal_sign_can_be_corrected(session: Session) -> None:
    session.open(K_MEANS, k="2")
    session.paste("x\ty\n1,234\t1\n12,345\t2\n950\t3")
    assert session.points[:, 0].tolist() == [1234, 12345, 950]
    session.open_own_data()
    session.correct("button_group", "decimal_sign", ",")
    np.testing.assert_allclose(session.points[:, 0], [1.234, 12.345, 950])
    session.open_own_data()
    assert session.app.button_group(key="decimal_sign").value == ","
    session.correct("button_group", "decimal_sign", ".")
    assert session.points[:, 0].tolist() == [1234, 12345, 950]


def test_the_header_can_be_corrected(session: Session) -> None:
    session.open(K_MEANS, k="2")
    session.paste("1,2\n3,5\n4,4")
    session.open_own_data()
    toggle = session.app.toggle(key="has_header")
    assert (toggle.label, toggle.value) == ("First row holds the names", False)
    assert toggle.help == IN_DOUBT and not session.app.button_group(key="decimal_sign").help
    session.correct("toggle", "has_header", True)
    np.testing.assert_allclose(session.points, [[3, 5], [4, 4]])
    assert session.board.data.columns == ("1", "2")
    session.paste("x,y\n1,2\n3,5\n4,4")
    session.open_own_data()
    assert not session.app.toggle(key="has_header").help


def test_what_was_understood_is_shown_as_text(session: Session) -> None:
    session.open(K_MEANS, k="2")
    session.upload("odd.csv", b'<b>a</b>,**b**,"=1+1"\n"1,234.5",2,<i>u</i>\n-3,,[v](w)\n5,6,\n')
    shown = preview(session)
    cells = re.findall(r"<t[dh](?: [^>]*)?>(.*?)</t[dh]>", shown)
    assert cells[:6] == ["&lt;b&gt;a&lt;/b&gt;", "**b**", "=1+1", "x", "y", "not used"]
    assert cells[6:] == [
        "1234.5", "2", "&lt;i&gt;u&lt;/i&gt;", "−3", "", "[v](w)", "5", "6", "",
    ]  # fmt: skip
    session.upload("class.csv", STUDENTS.encode())
    assert preview(session).count("<tr>") == 2 + 5
    assert "<td>class</td>" in preview(session) and "<td>feature</td>" in preview(session)


@pytest.mark.parametrize("name", ["class.xlsx", "class.csv"])
def test_a_workbook(name: str, session: Session) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["a", "b", "kind"], [1, 2.5, "u"], [3, 4, "v"], [5, -1, "u"]):
        sheet.append(row)
    out = BytesIO()
    book.save(out)
    session.open(K_MEANS, k="2")
    session.upload(name, out.getvalue())
    np.testing.assert_allclose(session.points, [[1, 2.5], [3, 4], [5, -1]])
    assert session.board.data.classes == ("u", "v")


def test_other_spreadsheets_say_how(session: Session) -> None:
    session.open(K_MEANS)
    session.upload("class.ods", b"PK\x03\x04mimetype")
    assert "'class.ods'" in session.errors[0] and ".xlsx or CSV" in session.errors[0]


def buttons(session: Session) -> list[str]:
    return [button.label for button in session.app.button]


def test_a_preset_takes_the_place_of_own_data_and_they_come_back(session: Session) -> None:
    session.open(K_MEANS, k="2")
    assert not any("Your own points" in note for note in notes(session))
    session.upload("class.csv", STUDENTS.encode())
    own = session.board.data
    assert any(note.startswith("Your own points are on the board.") for note in notes(session))
    assert "Back to your data" not in buttons(session)
    session.set("slider", "noise", 0.5)
    assert session.board.data.name != "class.csv"
    session.press("Back to your data")
    assert session.board.data is own
    assert "Back to your data" not in buttons(session)
    assert "7 rows left out: no number in 'Age'." in notes(session)
    for kind, name, value in (
        ("selectbox", "data", "moons"), ("number_input", "n", 50), ("number_input", "sample", 3),
    ):  # fmt: skip
        session.set(kind, name, value)
        assert session.board.preset is not None
    session.open(PERCEPTRON)
    session.press("Back to your data")
    assert session.board.data is own and len(session.points) == 53


def test_undo_brings_own_data_back(session: Session) -> None:
    session.open(K_MEANS, k="2")
    session.upload("class.csv", STUDENTS.encode())
    board, own = session.board, session.board.data
    session.set("slider", "noise", 0.5)
    undo = {"op": "undo", "number": 1, "revision": board.revision}
    board.carry_out({"page": "p", "edits": [undo]})
    session.run()
    assert board.data is own and len(session.points) == 53


def test_drawn_points_come_back_too_and_an_empty_plane_does_not(session: Session) -> None:
    session.open(K_MEANS, k="2")
    session.press("Clear")
    board = session.board
    session.set("slider", "noise", 0.5)
    assert "Back to your data" not in buttons(session)
    session.press("Clear")
    add = {"op": "add", "points": [[0, 0], [1, 2]], "label": 0, "number": 1}
    board.carry_out({"page": "p", "edits": [add | {"revision": board.revision}]})
    session.run()
    session.set("slider", "noise", 0.3)
    session.press("Back to your data")
    np.testing.assert_allclose(session.points, [[0, 0], [1, 2]], atol=1e-4)


def test_names_of_columns_are_no_markdown_in_any_label(session: Session) -> None:
    session.open(PATHS)
    session.paste('"![p](http://example.invalid)","y *b*"\n1,2\n3,5\n4,4\n6,9')
    kinds = ("selectbox", "slider", "select_slider", "number_input", "toggle", "multiselect")
    labels = [widget.label for kind in kinds for widget in getattr(session.app, kind)]
    assert "Features of x" in labels
    assert not [label for label in labels if "](" in label or "*" in label]


def test_what_is_painted_on_data_that_are_gone_is_said_to_be_lost(session: Session) -> None:
    session.open(K_MEANS)
    board = session.board
    late = {"op": "erase", "indices": [0], "number": 1, "revision": board.revision - 1}
    board.carry_out({"page": "p", "edits": [late]})
    session.run()
    assert [
        toast.value.startswith("Your last edits were left out") for toast in session.app.toast
    ] == [True]
    session.run()
    assert not session.app.toast


def test_a_reload_brings_back_exact_numbers_of_very_unlike_scales(session: Session) -> None:
    session.open(K_MEANS, k="2")
    session.paste("population,fertility\n100000,7.1\n1380000000,1.8\n38000000,1.4\n5500000,4.25")
    again = Session().open(K_MEANS, **session.app.query_params)
    assert np.array_equal(again.board.data.table, session.board.data.table)
    left, right, bottom, top = again.board.bounds
    assert right - left > 1e9 and top - bottom < 10, "each axis on its own"
    assert again.stage["opening"] == session.stage["opening"]


def test_a_reload_of_a_large_file_says_that_it_is_gone(session: Session) -> None:
    session.open(K_MEANS)
    chance = np.random.default_rng(0)
    rows = "\n".join(f"{x},{y}" for x, y in chance.normal(size=(3000, 2)))
    session.upload("large.csv", f"x,y\n{rows}".encode())
    assert not session.app.warning
    again = Session().open(K_MEANS, **session.app.query_params)
    (said,) = [unescaped(warning.value) for warning in again.app.warning]
    assert said.startswith(
        "The link was corrected. Points: 3000 points were too many for an address"
    )


def test_a_table_is_read_in_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """A large table is read in turn with what other visitors compute, and read to its end."""
    inside, read = [], own_data.read_table

    def noted(*args: Any, **how: Any) -> Any:
        inside.append(store().gate.inside)
        return read(*args, **how)

    monkeypatch.setattr(own_data, "read_table", noted)
    session = Session().open(K_MEANS)
    session.paste("a,b\n1,2\n3,5\n4,4\n6,1")
    assert inside == [True]
    assert len(session.points) == 4


ODD = "height,weight,club\n" + "\n".join(
    f"{150 + i * 7 % 41}.5,{'-' if i == 4 else 7400 if i == 9 else 50 + i * 11 % 37},{'abc'[i % 3]}"
    for i in range(40)
)


def test_a_typing_error_is_left_out_by_one_click_and_cells_are_corrected(session: Session) -> None:
    session.open(K_MEANS, k="2")
    session.upload("class.csv", ODD.encode())
    assert len(session.points) == 39 and session.points[:, 1].max() == 7400
    assert "**39 of 40 rows are used; 1 are left out.**" in notes(session)
    session.open_own_data()
    said = [unescaped(text.value) for text in session.app.markdown]
    assert any("7400 in line 11 of 'weight' is far from all others" in text for text in said)
    session.press("Leave out line 11")
    session.correct("text_input", "correct 6 weight", "61")
    assert len(session.points) == 39 and session.points[:, 1].max() < 100
    assert 61 in session.points[:, 1]
    picked = session.state.declared["query"].default
    medians = np.median(session.points, axis=0)
    np.testing.assert_allclose([float(text) for text in picked.split(",")], medians, rtol=1e-3)
    session.open_own_data()
    session.press("Undo the corrections: 1 corrected, 1 row left out")
    session.use_own_data()
    assert session.points[:, 1].max() == 7400


def test_a_lab_of_two_classes_offers_what_takes_more(session: Session) -> None:
    session.open(PERCEPTRON)
    session.upload("class.csv", ODD.encode())
    session.press("Show these data under “several classes”")
    assert session.value("variant") == "several classes"
    assert not [button for button in session.app.button if button.key == "several"]
