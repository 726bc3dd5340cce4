"""The stage shows the situation under way; hidden links lead through its week, from lab to lab."""

from itertools import pairwise
from urllib.parse import parse_qsl

import pytest

from pages._shared.lab.catalogue import LABS
from pages._shared.lab.course import place_of, weeks
from tests.app.session import Session


def links(session: Session) -> dict[str, tuple[str, str]]:
    """Return the links that the stage presses: label -> page and parameters."""
    found = [each.proto for each in session.app.get("page_link")]
    labs = tuple(f"{lab.title}: " for lab in LABS)
    said = {each.label.replace("\\", ""): (each.page, each.query_string) for each in found}
    return {label: place for label, place in said.items() if label.startswith(labs)}


@pytest.mark.parametrize("place", ["first", "last", "middle"])
def test_next_follows_the_week_and_not_the_lab(session: Session, place: str) -> None:
    week = weeks()[5]
    across = [
        i
        for i, (one, other) in enumerate(zip(week.situations, week.situations[1:], strict=False))
        if one.lab != other.lab
    ]
    i = {"first": 0, "middle": across[0], "last": len(week.situations) - 1}[place]
    here = week.situations[i]
    session.open(here.lab, **here.experiment.link)
    assert place_of(here.lab, here.experiment.title) == (week, i)
    lesson = session.stage["lesson"]
    assert lesson["place"] == f"Week {week.number}: {i + 1} of {len(week.situations)}"
    assert (lesson["question"], lesson["answer"]) == (here.experiment[2], here.experiment.answer)
    earlier = week.situations[i - 1] if i else weeks()[4].situations[-1]
    assert lesson["previous"] == f"{earlier.lab.title}: {earlier.experiment.title}"
    following = week.situations[i + 1] if place != "last" else weeks()[6].situations[0]
    page, query = links(session)[lesson["next"]]
    assert page.endswith(following.lab.name)
    for name in following.experiment.link:
        assert f"{name}=" in query


def test_nothing_follows_after_the_last_situation_of_the_course(session: Session) -> None:
    week = weeks()[-1]
    last, name = week.situations[-1], f"{week.number}.{len(week.situations)}"
    session.open(last.lab, **last.experiment.link, situation=name)
    assert session.stage["lesson"]["question"] == last.experiment.question
    assert session.stage["lesson"]["next"] == ""


def test_two_situations_with_the_same_parameters_are_two(session: Session) -> None:
    every = [each for week in weeks() for each in week.situations]
    one, other = next(
        (one, other)
        for one, other in pairwise(every)
        if one.lab == other.lab and one.experiment.link == other.experiment.link
    )
    session.open(one.lab, **one.experiment.link)
    assert session.stage["lesson"]["question"] == one.experiment.question
    _, query = links(session)[session.stage["lesson"]["next"]]
    session.open(other.lab, **dict(parse_qsl(query)))
    session.check_taken(other.experiment.link)
    assert session.stage["lesson"]["question"] == other.experiment.question
    session.press("End this situation")
    assert session.stage["lesson"] is None and not links(session)
    assert session.stage["lab"] == other.lab.title


@pytest.mark.parametrize(
    "text", ["", "6", "0.1", "99.1", "1.1", "<b>.1", "١.١", "9" * 5000, "14.1"]
)
def test_a_place_that_is_none_of_the_lab_is_refused(session: Session, text: str) -> None:
    session.open(weeks()[-1].situations[-1].lab, situation=text)
    assert session.stage["lesson"] is None
    assert [each[:10] for each in session.state.refused] == ["Situation:"]


def test_every_experiment_has_its_week() -> None:
    for lab in LABS:
        for experiment in lab.experiments:
            week, i = place_of(lab, experiment.title)
            assert week.situations[i].experiment == experiment
    with pytest.raises(KeyError, match="no week"):
        place_of(LABS[0], "no such title")


def test_a_situation_is_plain_text_because_the_stage_sets_text() -> None:
    for lab in LABS:
        for each in lab.experiments:
            said = f"{each.question} {each.todo} {each.answer}"
            assert not set(said) & set("$`*_\\[<"), f"{lab.name}: {each.title}"
