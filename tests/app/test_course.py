import re

import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from pages._shared.lab.catalogue import LABS
from pages._shared.lab.course import weeks
from tests.app.session import Session

SITUATIONS = [each for week in weeks() for each in week.situations]


@pytest.fixture
def course() -> AppTest:
    session = Session()
    session.app.switch_page("pages/course.py")
    session.run()
    return session.app


def titles(app: AppTest) -> list[str]:
    labels = [link.proto.label for link in app.get("page_link")]
    return [label.strip("*") for label in labels if label.startswith("**")]


def test_every_experiment_is_a_situation_of_one_week() -> None:
    named = [(each.lab.name, each.experiment.title) for each in SITUATIONS]
    assert sorted(named) == sorted((lab.name, e.title) for lab in LABS for e in lab.experiments)
    assert len(weeks()) == 14 and all(len(week.situations) >= 5 for week in weeks())
    assert len(SITUATIONS) >= 36
    assert sum(each.fails for each in SITUATIONS) >= 18


def test_a_situation_says_where_the_notes_have_it() -> None:
    for each in SITUATIONS:
        assert each.notes.startswith(("CS725", "CS337", "CPSC340", "CIS787", "20APC3316")), each


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_situation_has_a_picture(theme: str) -> None:
    for each in SITUATIONS:
        with Image.open(each.picture(theme)) as picture:
            assert picture.size == (320, 240), each.picture(theme)
    folder = SITUATIONS[0].picture(theme).parent
    assert {each.picture(theme) for each in SITUATIONS} == set(folder.glob(f"*_{theme}.png"))


def test_the_course_leads_to_every_situation(course: AppTest) -> None:
    assert titles(course) == [each.experiment.title for each in SITUATIONS]
    assert [header.value for header in course.header] == [
        f"Week {week.number}: {week.title}" for week in weeks()
    ]


def test_situations_are_found_by_word_lab_and_failure(course: AppTest) -> None:
    course.text_input(key="course.word").set_value("Silhouette").run()
    found = [each.experiment.title for each in SITUATIONS if "silhouette" in each.text]
    assert titles(course) == found and "The silhouette" in found
    course.text_input(key="course.word").set_value("").run()
    course.selectbox(key="course.lab").set_value("Decision tree").run()
    course.toggle(key="course.failures").set_value(True).run()
    wanted = [e.experiment.title for e in SITUATIONS if e.lab.name == "decision_tree" and e.fails]
    assert titles(course) == wanted
    status = [each.proto.body for each in course.get("html")]
    assert (
        f'<p role="status">{len(wanted)} of {len(SITUATIONS)} situations are shown.</p>' in status
    )
    course.text_input(key="course.word").set_value("*no such* word").run()
    assert titles(course) == [] and len(course.info) == 1


def test_the_weeks_that_are_shown_can_be_jumped_to(course: AppTest) -> None:
    def jumps() -> list[str]:
        (nav,) = [html for each in course.get("html") if "<nav" in (html := each.proto.body)]
        return re.findall(r'href="#(.*?)"', nav)

    assert jumps() == [header.proto.anchor for header in course.header]
    assert jumps() == [f"week-{week.number}" for week in weeks()]
    course.selectbox(key="course.lab").set_value("Decision tree").run()
    assert jumps() == ["week-3"]
