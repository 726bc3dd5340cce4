"""The run of show of every week: 50 minutes, at most ten situations, with their links and codes."""

from html import escape
from itertools import pairwise
from urllib.parse import parse_qsl

import pytest

from pages._shared.lab import way
from pages._shared.lab.course import Week, weeks
from pages._shared.site.run_of_show import MINUTES, MOST, planned
from tests.app.session import Session


@pytest.mark.parametrize("week", weeks(), ids=lambda week: week.title)
def test_the_minutes_add_up_and_every_lab_has_its_share(week: Week) -> None:
    slots = planned(week)
    assert (slots[0].start, slots[-1].end) == (0, MINUTES)
    assert all(one.end == other.start for one, other in pairwise(slots))
    assert len(slots) == min(MOST, len(week.situations))
    places = [slot.at for slot in slots]
    assert places == sorted(set(places))
    assert [slot.situation for slot in slots] == [week.situations[at] for at in places]
    labs = {each.lab.name for each in week.situations}
    assert {slot.situation.lab.name for slot in slots} == labs
    lengths = [slot.end - slot.start for slot in slots]
    assert max(lengths) - min(lengths) <= 1 and min(lengths) >= 5
    longer = [slot for slot in slots if slot.end - slot.start > min(lengths)]
    failing = sum(slot.situation.fails for slot in slots)
    assert sum(slot.situation.fails for slot in longer) == min(failing, len(longer))


@pytest.mark.parametrize("number", [1, 7])
def test_the_page_has_question_answer_link_and_code(session: Session, number: int) -> None:
    week = weeks()[number - 1]
    session.app.switch_page("pages/course.py")
    session.app.query_params = {"week": str(number)}
    session.run()
    said = " ".join(each.proto.body for each in session.app.get("html"))
    links = [each.proto for each in session.app.get("page_link")]
    shown = [each for each in links if each.label.startswith("**")]
    slots = planned(week)
    assert said.count("data:image/svg+xml") == len(shown) == len(slots)
    for slot, link in zip(slots, shown, strict=True):
        assert link.page == slot.situation.lab.name
        assert dict(parse_qsl(link.query_string)) == way.parameters((number, slot.at))
        assert f"{slot.start}–{slot.end}" in said
    left = [each for at, each in enumerate(week.situations) if at not in {s.at for s in slots}]
    assert all(escape(each.experiment.title) in said for each in left)


def test_another_week_is_refused_with_a_sentence(session: Session) -> None:
    session.app.switch_page("pages/course.py")
    session.app.query_params = {"week": "<b>13"}
    session.run()
    (warning,) = session.app.warning
    assert "13" in warning.value and session.app.header
