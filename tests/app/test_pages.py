"""Every page through Streamlit's AppTest: tests assert what the browser would be sent."""

import re
from base64 import b64decode
from itertools import product
from typing import Any

import numpy as np
import pytest
from streamlit.runtime.scriptrunner import StopException

from algorithms.classification.linear.logistic_regression.logistic_regression import (
    logistic_regression,
)
from algorithms.clustering.k_means.k_means import k_means
from algorithms.core.features import polynomial_features
from algorithms.data.presets import DATASETS, MAX_ROWS
from pages._shared.data import own_data, panel
from pages._shared.lab import mode_tools as lab_page
from pages._shared.lab.catalogue import LABS, LabFile
from pages._shared.lab.course import weeks
from pages._shared.lab.lesson import prose
from pages._shared.lab.page import Page
from pages._shared.session.view_state import parameters_of
from pages._shared.stage import heard
from tests.app.crawl import values
from tests.app.session import ROOT, Session, on_board, unescaped
from tests.core.samples import dataset, points_of
from tests.house.every_lab import EVERY_LAB, SHORTEST, every

pytestmark = pytest.mark.usefixtures("as_in_the_app")

K_MEANS, LOGISTIC = (
    next(lab for lab in LABS if lab.name == name) for name in ("k_means", "logistic_regression")
)
ALL_LABS = pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)  # what is quick
WITH_BOARD = [lab for lab in LABS if lab.board]
ON_POINTS = [lab for lab in WITH_BOARD if not on_board(lab)]  # in their first mode
EVERY_LAB_WITH_BOARD = pytest.mark.parametrize("lab", WITH_BOARD, ids=lambda lab: lab.name)
BOTH = pytest.mark.parametrize("lab", [K_MEANS, LOGISTIC], ids=lambda lab: lab.name)


def mode_of_links(lab: LabFile) -> dict[str, str]:
    """Return the entry that makes a link open the mode that a link without one opened."""
    found, show = {}, Page.show

    def noted(page: Page, modes: Any, **how: Any) -> None:
        found.update({page.mode: how["before"]} if how.get("before") else {})
        show(page, modes, **how)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Page, "show", noted)
        Session().open(lab)
    return found


# Opening


def test_the_gallery_leads_to_every_lab(session: Session) -> None:
    session.run()
    links = [link.proto.label for link in session.app.get("page_link")]
    course, start, rest = links[0], links[1:11], links[11:]
    assert "course" in course
    assert rest == [f"**{lab.title}**" for lab in LABS]
    assert set(start) < set(rest) and len(set(start)) == 10
    course_order = dict.fromkeys(f"**{s.lab.title}**" for week in weeks() for s in week.situations)
    assert start == [title for title in course_order if title in start]
    said = {text.value for text in session.app.markdown}
    assert {lab.lead for lab in LABS} <= said
    assert "Numbers to predict." in said and {lab.about_section for lab in LABS} <= said


def test_the_gallery_finds_labs_by_their_words(session: Session) -> None:
    session.run()

    def found(words: str) -> list[str]:
        session.set("text_input", "gallery.wanted", words)
        labs = [link.proto.label.strip("*") for link in session.app.get("page_link")[1:]]
        count = len(labs) - ("Glossary" in labs)
        status = f'<p role="status">{count} of {len(LABS)} labs are shown.</p>'
        assert status in {html.proto.body for html in session.app.html}
        return labs

    assert found("ridge")[0] == "Ridge and lasso paths"
    assert found("  Bayes  NAIVE ")[0] == "Naive Bayes and discriminant analysis"
    assert "All clusterings side by side" in found("medoid"), "words of a lesson, too"
    assert found("no *such* word") == ["Glossary"]
    assert "“no \\*such\\* word”" in session.app.info[0].value
    session.set("text_input", "gallery.wanted", " ")
    assert len(session.app.get("page_link")) == 1 + 10 + len(LABS)


@ALL_LABS
def test_a_lab_opens_on_a_run_that_is_computed(lab: LabFile, session: Session) -> None:
    session.open(lab)
    session.check_shown()
    sent = session.stage
    assert sent["place"].split(", ")[0] == lab.name
    assert sent["error"] is None
    assert sent["opening"]["total"] > 1
    first = sent["opening"]["views"][0]
    on_points = first["board"] and "points" in first["first"]
    assert on_points == (lab in ON_POINTS)
    if on_points:
        assert len(session.points) == len(session.board.data.X) > 1
    assert not session.app.warning and not session.app.error
    assert session.app.query_params == {}
    assert lab.title in session.app.html[0].proto.body


@EVERY_LAB
def test_a_lab_has_its_lesson(lab: LabFile, session: Session) -> None:
    session.open(lab)
    chapters = ["Try this", "Idea", "Code", "Maths"]
    assert [tab.label for tab in session.app.tabs] == chapters
    shown = {}
    for number, chapter in enumerate(chapters):
        session.app.session_state["chapter"] = chapter
        shown[chapter] = session.app.run().tabs[number]
    for chapter in ("Idea", "Maths"):
        assert prose(lab.texts[chapter]) in [text.value for text in shown[chapter].markdown]
    assert any("def " in code.value for code in shown["Code"].code)
    session.app.session_state["chapter"] = "Code"
    (files,) = session.app.run().tabs[2].selectbox
    for name in files.options:
        (code,) = files.set_value(name).run().tabs[2].code
        assert code.value.strip() == (ROOT / name).read_text(encoding="utf-8").strip()
    trials = shown["Try this"].get("page_link")
    assert [trial.proto.label for trial in trials] == [
        f"**{e.title}**" for e in sorted(lab.experiments, key=lambda each: each.goal is None)
    ]


def test_k_means_shows_the_steps_of_k_means(session: Session) -> None:
    session.open(K_MEANS, data="moons", n="90", noise="0.1", k="3", init="random", seed="5")
    X = points_of("moons", 90, noise=0.1)
    steps = list(k_means(X, 3, rng=np.random.default_rng(5), init="random"))
    last = len(steps) - 1
    assert session.opening["total"] == len(steps)
    assert session.events[last] == steps[-1].event == "converged"
    assert f"of all points to their centres, is {steps[0].inertia:.4g}." in session.captions[0]
    np.testing.assert_allclose(session.points, X, rtol=1e-6)


@pytest.mark.parametrize("method", ["newton", "gradient"])
def test_logistic_regression_shows_its_steps(method: str, session: Session) -> None:
    how = {"degree": "2", "method": method, "penalty": "0.01", "tol": "1e-08"}
    session.open(LOGISTIC, data="circles", n="80", **how)
    data = dataset("circles", 80, noise=0.15)
    X = polynomial_features(data.X, 2)(data.X)
    rate = session.value("rate") if method == "gradient" else 1.0  # Newton's method has none
    how = {"max_iter": int(session.value("steps")), "learning_rate": rate}
    steps = list(logistic_regression(X, data.labels, method=method, penalty=0.01, **how))
    assert session.opening["total"] == len(steps)
    assert f"→ {steps[-1].loss:.4g}" in session.captions[-1]
    assert f"{round(80 * steps[-1].accuracy)} of 80 points" in session.captions[-1]


# Parameters


@pytest.mark.parametrize("lab", SHORTEST, ids=lambda lab: lab.name)
def test_every_widget_can_be_moved(lab: LabFile, session: Session) -> None:
    """Only the first mode; the long walk in test_crawl.py covers every mode of every lab."""
    link = {"n": "41"} if lab.board else {}
    session.open(lab, **link)
    kinds = ("slider", "select_slider", "number_input", "selectbox", "radio", "toggle", "checkbox")
    own = [
        (kind, widget.key.partition(".")[2], values(kind, widget))
        for kind in (*kinds, "button_group")
        for widget in getattr(session.app, kind)
        if widget.key.startswith(f"{lab.name}.")
    ]
    assert own
    for kind, name, options in own:
        default = session.value(name)
        for value in options:
            session.set(kind, name, value)
            assert session.value(name) == value or str(session.value(name)) == value
            session.check_shown()
            assert not session.stage["error"], f"{name} = {value}"
        session.set(kind, name, default)
    assert session.app.query_params == link | mode_of_links(lab)


@every(WITH_BOARD)
def test_the_data_can_be_changed(lab: LabFile, session: Session) -> None:
    session.open(lab, **(on_board(lab) | {"data": "blobs"}))
    for kind, name, options in (
        ("number_input", "n", [1, 2, 3, 150]),
        ("slider", "noise", [0.0, 1.0]),
        ("number_input", "sample", [9999]),
        ("slider", "classes", [6, 2]),
    ):
        for value in options:
            session.set(kind, name, value)
            session.check_shown()
            expected = dataset(
                "blobs",
                session.value("n"),
                sample=session.value("sample"),
                noise=session.value("noise"),
                classes=session.value("classes"),
            )
            np.testing.assert_allclose(session.points, expected.X, rtol=1e-6)
    assert not session.stage["error"]


@pytest.mark.parametrize(
    "lab",
    [
        lab if lab is K_MEANS else pytest.param(lab, marks=pytest.mark.thorough)
        for lab in WITH_BOARD
    ],
    ids=lambda lab: lab.name,
)
def test_every_preset_can_be_chosen(lab: LabFile, session: Session) -> None:
    session.open(lab, **on_board(lab))
    for name, preset in DATASETS.items():
        session.set("selectbox", "data", name)
        data = session.board.data
        assert len(data.X) == preset.n or name == session.state.declared["data"].default
        if lab.name != "linear_paths" or name == "line":  # of a table the path is the picture
            assert len(session.points) == len(data.X)
        classes = len(np.unique(data.labels))
        if error := session.stage["error"]:
            assert classes != 2 and (lab.section.two_classes or classes == 1), name
            assert ("one class" if classes == 1 else "two classes") in error


# Links


@EVERY_LAB
def test_every_experiment_opens_with_its_parameters_set(lab: LabFile, session: Session) -> None:
    for _, link, *_ in lab.experiments:
        session.open(lab, **link)
        session.check_taken(parameters_of(link))
        assert session.app.query_params == {
            name: text for name, text in session.app.query_params.items() if name in link
        }, "all else is at its default"
        assert not session.stage["error"]
        assert session.opening["total"] > 1


@EVERY_LAB
def test_a_bad_link_is_corrected_with_a_sentence(lab: LabFile, session: Session) -> None:
    session.open(lab)
    defaults = session.values
    names = [name for name in session.state.declared if session.key(name) != name]
    assert not lab.board or {"data", "n", "noise", "sample"} < set(names)
    for text in ("-1e9", "<b>*x*</b> [a](b)"):
        session.open(lab, **dict.fromkeys(names, text))
        sentences = [warning.value for warning in session.app.warning]
        assert len(sentences) == len(names)
        assert session.values == defaults
        for sentence in sentences:
            assert unescaped(sentence).startswith("The link was corrected. ")
            assert not re.search(r"(?<!\\)[<*\[]", sentence), "what the link says is escaped"
        assert session.app.query_params == {}
        assert not session.stage["error"]
    session.run()
    assert not session.app.warning


@ALL_LABS
def test_what_a_lab_does_not_know_is_left_out(lab: LabFile, session: Session) -> None:
    session.open(lab, unknown="1", utm_source="mail")
    (refused,) = session.state.refused
    assert "“unknown”" in refused and "mail" not in refused
    assert len(session.app.warning) == 1
    assert not session.stage["error"]
    assert session.app.query_params == mode_of_links(lab)


def test_places_in_a_link(session: Session) -> None:
    session.open(K_MEANS, k="2", init="placed by hand", centers="-1,0.5;2,1")
    assert session.stage["handles"][0]["places"] == [[-1, 0.5], [2, 1]]
    assert session.app.query_params["centers"] == "-1,0.5;2,1"
    session.set("slider", "k", 3)
    assert len(session.stage["handles"][0]["places"]) == 3
    assert not session.app.warning


@pytest.mark.parametrize(
    "text", ["", "1,2", "1,2;3", "a,b;c,d", "1,2;3,4;5,6", "nan,0;0,0", "1e999,0;0,0", "1;2", ";"]
)
def test_bad_places_in_a_link(text: str, session: Session) -> None:
    session.open(K_MEANS, k="2", init="placed by hand", centers=text)
    assert len(session.app.warning) == 1
    assert len(session.stage["handles"][0]["places"]) == 2
    assert not session.stage["error"]


def test_a_handle_is_heard_although_the_run_before_was_given_up(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.open(K_MEANS, k="2", init="placed by hand")
    with monkeypatch.context() as patch:
        patch.setattr(panel, "show", give_up)
        session.run()
    let_go = {"name": "centers", "places": [[0, 0], [1, 1]], "moving": False, "number": 3}
    with monkeypatch.context() as patch:
        patch.setattr(heard, "session", lambda: session.state)
        patch.setattr(heard, "sent", lambda *_: let_go)
        heard.put_places()
    session.run()
    assert session.stage["handles"][0]["places"] == [[0, 0], [1, 1]]
    assert session.stage["put"] == 3


def test_a_handle_of_a_what_if_that_a_link_has_ended(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab = next(lab for lab in LABS if lab.name == "multidimensional_scaling")
    session.open(lab, fork="3")
    handles = [group["name"] for group in session.stage["handles"]]
    assert handles
    session.open(lab, n="20")
    late = {"name": handles[0], "places": [[0.5, 1]], "moving": False, "number": 1}
    with monkeypatch.context() as patch:
        patch.setattr(heard, "session", lambda: session.state)
        patch.setattr(heard, "sent", lambda *_: late)
        heard.put_places()
    session.run()
    assert not session.stage["error"] and not session.stage["fork"]


def test_a_button_in_the_picture_sets_its_parameter(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab = next(lab for lab in LABS if lab.name == "belief_networks")
    session.open(lab)
    cloud = next(each for each in session.stage["choices"] if each["name"] == "clouds")
    assert cloud["value"] == "yes" and session.state.declared["clouds"].value == "not seen"
    for value, found, follows in (("yes", "yes", "no"), ("perhaps", "not seen", "yes")):
        with monkeypatch.context() as patch:
            patch.setattr(heard, "session", lambda: session.state)
            patch.setattr(heard, "sent", lambda *_, value=value: {"name": "clouds", "value": value})
            heard.choose()
        session.run()
        assert session.state.declared["clouds"].value == found
        cloud = next(each for each in session.stage["choices"] if each["name"] == "clouds")
        assert cloud["value"] == follows


def test_messages_of_another_form_change_nothing(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.open(K_MEANS, k="2", init="placed by hand")
    before = session.stage["handles"]
    names: list[Any] = [[], {"x": 1}, None, "centers"]
    rest: list[Any] = [None, [], {"x": 1}, "x", [["\ud800", 1]], [[1, 10**400]], [{}]]
    with monkeypatch.context() as patch:
        patch.setattr(heard, "session", lambda: session.state)
        patch.setattr(heard, "board", lambda: session.board)
        for name, value in product(names, rest):
            message = {"name": name, "key": name, "page": name, "scene": name} | dict.fromkeys(
                ("places", "value", "before", "edits", "step", "steps", "at", "index", "to"), value
            )
            for sent in (message, name, value):
                patch.setattr(heard, "sent", lambda *_, sent=sent: sent)
                for hear in (
                    heard.carry_out,
                    heard.put_places,
                    heard.choose,
                    heard.note_live,
                    heard.note_carried,
                ):
                    hear()
                heard.note_fork()
                heard.note_wanted()
    session.run()
    assert session.stage["handles"] == before and session.state.wanted is None


def give_up(*_: object, **__: object) -> None:
    """End a run as a newer request does."""
    raise StopException


def test_places_far_outside_the_picture_in_a_link(session: Session) -> None:
    session.open(K_MEANS, k="2", init="placed by hand", centers="1e60,0;0,0")
    assert session.stage


# Own data


CSV = "height;width;kind\n1,5;2;cat\n2,5;3;dog\n0,5;9;cat\n4;4;dog\n"
ARFF = (
    "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute kind {no, yes}\n"
    "@data\n1,2,no\n3,4,yes\n5,7,yes\n"
)


@every(WITH_BOARD)
def test_a_csv_file(lab: LabFile, session: Session) -> None:
    session.open(lab, **({"k": "2"} if lab == K_MEANS else on_board(lab)))
    session.upload("pets.csv", CSV.encode())
    np.testing.assert_allclose(session.points, [[1.5, 2], [2.5, 3], [0.5, 9], [4, 4]])
    assert session.board.data.classes == ("cat", "dog")
    session.open_own_data()
    assert [session.app.selectbox(key=f"column_{name}").value for name in ("x", "y", "class")] == [
        "height", "width", "kind",
    ]  # fmt: skip
    layout = session.figure()["layout"]
    own = {"convolution": "column"}  # it numbers the pixels that it makes of the points
    assert layout["xaxis"]["title"]["text"] == own.get(lab.name, "height")
    notes = [unescaped(caption.value) for caption in session.app.caption]
    assert any("decimal sign is a comma" in note for note in notes)
    assert any(note.startswith("pets.csv: 4 points, 2 classes.") for note in notes)
    assert not session.app.error
    session.check_shown()


@BOTH
def test_an_arff_file(lab: LabFile, session: Session) -> None:
    session.open(lab, **({"k": "2"} if lab == K_MEANS else {}))
    session.upload("weka.arff", ARFF.encode())
    np.testing.assert_allclose(session.points, [[1, 2], [3, 4], [5, 7]])
    assert session.board.data.classes == ("no", "yes")
    assert not session.app.error and not session.stage["error"]


def test_a_pasted_table(session: Session) -> None:
    session.open(LOGISTIC)
    session.paste(CSV)
    assert len(session.points) == 4
    session.paste("a\tb\n1\t2\n3\t5\n8\t1")
    np.testing.assert_allclose(session.points, [[1, 2], [3, 5], [8, 1]])
    assert "one class" in session.stage["error"]


def test_columns_can_be_picked(session: Session) -> None:
    session.open(K_MEANS, k="1")
    session.paste("a,b,c,kind\n1,2,3,u\n4,6,6,v\n7,8,7,u")
    session.correct("selectbox", "column_x", "c")
    np.testing.assert_allclose(session.points, [[3, 2], [6, 6], [7, 8]])
    session.correct("selectbox", "column_class", own_data.NO_CLASS)
    assert session.board.data.classes == ("all",)
    session.correct("selectbox", "column_y", "c")
    (error,) = session.errors
    assert "Column 'c'" in error and "both x and y" in error
    np.testing.assert_allclose(session.points, [[3, 2], [6, 6], [7, 8]])
    session.correct("selectbox", "column_y", "a")
    assert not session.app.error
    np.testing.assert_allclose(session.points, [[3, 1], [6, 4], [7, 7]])


MANY = "x,y,kind\n" + "\n".join(f"{i},{i * i % 7},c{i}" for i in range(200))
BAD_FILES = {
    "empty": ("my.csv", b"", "empty"),
    "only a header": ("my.csv", b"x,y\n", "my.csv"),
    "one column": ("my.csv", b"x\n1\n2\n", "my.csv"),
    "one point": ("my.csv", b"x,y\n1,2\n", "only one point"),
    "text where numbers belong": ("my.csv", b"x,y\n1,2\n3,four\n5,6", "'four' in line 3"),
    "text only": ("my.csv", b"red,blue\ngreen,pink\n", "columns of numbers"),
    "constant": ("my.csv", b"x,y\n1,2\n1,3\n1,4", "'x' is constant"),
    "infinite": ("my.csv", b"x,y\ninf,2\ninf,3", "infinite"),
    "missing": ("my.csv", b"x,y\n,2\n,3", "no values"),
    "huge numbers": ("my.csv", b"x,y\n1e300,2\n1,3", "larger unit"),
    "too large": ("my.csv", b"x,y\n" + b"1,2\n" * 1_300_000, "MB"),
    "too many columns": ("my.csv", b",".join([b"1"] * 70) + b"\n", "too many columns"),
    "zip": ("my.csv", b"PK\x03\x04" + b"\x00" * 99, "my.csv"),
    "binary": ("my.csv", bytes(range(256)) * 9, "my.csv"),
    "quotes": ("my.csv", b'x,y\n1,"2\n3,4\n', "quotes"),
    "ragged": ("my.csv", b"x,y\n1,2\n1,2,3\n1,2,3\n1", "cells"),
    "arff without data": ("my.arff", b"@relation r\n@attribute a numeric\n", "@data"),
    "sparse arff": ("my.arff", b"@attribute a numeric\n@data\n{0 1}\n", "sparse"),
    "markup": ("<b>*x*<b>.csv", b"", "<b>*x*<b>.csv"),
    "markup in a column": ("my.csv", b"[a](b),**y**\n1,1\n1,2", "'[a](b)' is constant"),
}  # fmt: skip


def test_a_bad_file_changes_nothing_and_gets_a_sentence(session: Session) -> None:
    session.open(K_MEANS, k="2")
    session.upload("pets.csv", CSV.encode())
    before = session.board.data
    for what, (name, raw, words) in BAD_FILES.items():
        session.upload(name, raw)
        (error,) = session.errors
        assert words in error, what
        assert error.endswith("."), what
        assert not re.search(r"(?<!\\)[<*\[]", session.app.error[0].value), "user text is escaped"
        assert session.board.data is before, what
        assert len(session.points) == 4
    session.upload("again.csv", CSV.encode())
    assert not session.app.error


def test_bad_pasted_text_changes_nothing_and_gets_a_sentence(session: Session) -> None:
    session.open(K_MEANS)
    before = session.board.data
    for text in ("", "hello", "1,2", "<script>,*\n1,1\n1,2"):
        session.paste(text)
        (error,) = session.errors
        assert error.endswith(".")
        assert not re.search(r"(?<!\\)[<*\[]", session.app.error[0].value)
        assert session.board.data is before


def test_names_make_no_classes(session: Session) -> None:
    session.open(K_MEANS)
    session.paste(MANY)
    session.open_own_data()
    assert session.app.selectbox(key="column_class").value == own_data.NO_CLASS
    before = session.board.data
    session.correct("selectbox", "column_class", "kind")
    assert "has a different value in each of 200 rows" in session.errors[0]
    assert session.board.data is before


def test_user_text_is_escaped_wherever_it_is_shown(session: Session) -> None:
    session.open(LOGISTIC)
    session.upload("*my* $x$.csv", b"<b>a</b>,:red[b],**kind**\n1,2,_u_\n3,5,:smile:\n4,4,_u_")
    shown = [*session.app.caption, *session.app.warning, *session.app.error, *session.app.markdown]
    lesson = set(LOGISTIC.texts.values()) | {
        text for e in LOGISTIC.experiments for text in (f"{e.question} *{e.todo}*", e.answer)
    }
    texts = [element.value for element in shown if element.value not in lesson]
    assert any("my" in text for text in texts)
    assert any("red" in text for text in texts)
    for text in texts:
        text = re.sub(r"^\*\*([^*]*)\*\*", r"\1", text)  # the dialog's own sum of rows is bold
        assert not re.search(r"(?<!\\)[<*$_\[]|(?<!\\):(red|smile)", text)


def test_a_large_file_is_sampled_and_says_so(session: Session) -> None:
    rng = np.random.default_rng(0)
    rows = "\n".join(f"{x:.3f},{y:.3f}" for x, y in rng.normal(size=(MAX_ROWS + 100, 2)))
    session.open(K_MEANS)
    session.upload("large.csv", f"x,y\n{rows}".encode())
    assert len(session.points) == MAX_ROWS
    captions = [unescaped(caption.value) for caption in session.app.caption]
    assert any("5,000 of 5,100 rows" in caption for caption in captions)
    assert any("5000 points is the limit" in caption for caption in captions)


@every(WITH_BOARD)
@pytest.mark.parametrize("scale", [1e-9, 1e12], ids=["tiny", "huge"])
def test_data_of_any_size(lab: LabFile, scale: float, session: Session) -> None:
    X = np.random.default_rng(0).uniform(0.1, 1, size=(30, 2)) * scale
    rows = "\n".join(f"{x:.6g},{y:.6g},{'ab'[int(x + y > 1.1 * scale)]}" for x, y in X)
    session.open(lab, **on_board(lab))
    session.paste(f"x,y,kind\n{rows}")
    np.testing.assert_allclose(session.points, X, rtol=1e-5)
    session.check_shown()


def test_high_powers_of_huge_data(session: Session) -> None:
    session.open(LOGISTIC, degree="4", standardize="False", method="gradient")
    session.paste("x,y,kind\n1e12,2e11,a\n1e12,3e11,b\n5e11,9e11,a\n3e11,1e12,b")
    assert session.errors == []
    assert session.stage["error"] is None


def test_a_run_that_needs_too_much_work_says_so(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab_page, "MOST_WORK", 1e3)
    svm = next(lab for lab in LABS if lab.name == "svm")
    session.open(svm, view="pairs", n="61", C="1000")
    assert session.stage["error"] == lab_page.TOO_MUCH
    assert len(session.points) == 61, "the points are there"


# One data set for all labs


def test_clear_says_what_to_do(session: Session) -> None:
    session.open(K_MEANS)
    session.press("Clear")
    assert "Choose Point or Brush and draw some on the picture." in session.stage["error"]
    assert len(session.points) == 0
    assert any("drawn: 0 points" in unescaped(text.value) for text in session.app.caption)
    for lab in ON_POINTS:
        session.open(lab)
        assert "draw some" in (session.stage["error"] or ""), lab.name


def test_painted_points_are_shown_in_every_lab(session: Session) -> None:
    session.open(K_MEANS, k="2")
    session.press("Clear")
    board = session.board
    points = [[0, 0], [1, 1], [2, 0], [2, 2], [0, 2], [1, 2], [1.5, 0.5], [0.5, 0]]
    edits = [
        {"op": "add", "points": points[:4], "label": 0, "number": 1, "revision": board.revision},
        {"op": "add", "points": points[4:], "label": 1, "number": 2, "revision": board.revision},
    ]
    board.carry_out({"page": "p", "edits": edits})
    for lab in ON_POINTS:
        session.open(lab)
        np.testing.assert_allclose(session.points, points, atol=1e-3)
        paint = session.stage["paint"]
        assert b64decode(paint["labels"]["bdata"]) == bytes([0] * 4 + [1] * 4)
        assert paint["done"] == {"page": "p", "number": 2}
        assert (paint["undo"], paint["redo"]) == (True, False)
        assert not session.stage["error"], lab.name
        captions = [unescaped(text.value) for text in session.app.caption]
        assert any("8 points, 2 classes, edited." in text for text in captions)


def test_data_and_parameters_are_kept_between_labs(session: Session) -> None:
    session.open(K_MEANS)
    session.set("slider", "k", 6)
    session.upload("pets.csv", CSV.encode())
    for lab in (*ON_POINTS, K_MEANS):
        session.open(lab)
        assert len(session.points) == 4
        assert session.board.data.name == "pets.csv"
    assert session.value("k") == session.widget("slider", "k").value == 6
    assert session.app.query_params["k"] == "6"


def test_a_preset_is_kept_between_labs(session: Session) -> None:
    session.open(K_MEANS, data="circles", n="50", noise="0.3", sample="3")
    shown = session.points
    for lab in ON_POINTS:
        session.open(lab)
        np.testing.assert_array_equal(session.points, shown)
        assert session.widget("selectbox", "data").value == "circles"
        assert session.app.query_params["n"] == "50"


def test_own_data_are_in_the_address(session: Session) -> None:
    session.open(K_MEANS, k="2")
    assert set(session.app.query_params) == {"k"}
    session.upload("pets.csv", CSV.encode())
    address = dict(session.app.query_params)
    other = Session().open(K_MEANS, **address)
    np.testing.assert_allclose(other.points, session.points, atol=1e-3)
    assert other.board.data.classes == ("cat", "dog")
    assert not other.app.warning
    assert other.app.query_params == address
    session.set("number_input", "sample", 3)
    assert "points" not in session.app.query_params


@pytest.mark.parametrize("text", ["", "x", "A" * 9000, "%00", "eJwDAAAAAAE", "<b>*x*"])
def test_bad_points_in_a_link(text: str, session: Session) -> None:
    session.open(K_MEANS, points=text, k="3")
    assert len(session.points) == 200
    assert len(session.app.warning) == (text != "")
    assert session.app.query_params == {"k": "3"}


def test_a_link_replaces_the_data(session: Session) -> None:
    session.open(K_MEANS)
    session.upload("pets.csv", CSV.encode())
    session.open(LOGISTIC, data="moons", n="30")
    assert len(session.points) == 30
    assert session.board.data.name == "moons"


def test_sessions_do_not_see_each_other(session: Session) -> None:
    session.open(K_MEANS).press("Clear")
    other = Session().open(K_MEANS)
    assert len(other.points) == 200
    assert not other.stage["error"]


def test_a_slider_in_the_hand_is_looked_at_and_not_kept(session: Session) -> None:
    session.open(K_MEANS)
    session.state.live = ("k_means-k", "4", "6")
    session.run()
    assert "Start: 6 centres" in session.captions[0]
    assert session.value("k") == 4
    assert session.app.query_params == {}
    session.set("slider", "k", 6)  # let go
    assert session.app.query_params == {"k": "6"}
    session.set("slider", "k", 4)  # and where it had been taken hold of again
    assert "Start: 4 centres" in session.captions[0]
