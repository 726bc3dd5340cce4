"""The links above the stage lead through a week, from lab to lab."""

import pytest

from pages._shared.lab.course import place_of, weeks
from tests.app.session import Session


def links(session: Session) -> dict[str, tuple[str, str]]:
    """The links of the question above the stage: label -> page and parameters."""
    found = [each.proto for each in session.app.get("page_link")]
    wanted = ("Previous", "Next", "Next week")
    return {each.label: (each.page, each.query_string) for each in found if each.label in wanted}


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
    said = " ".join(each.value for each in session.app.caption)
    assert f"Week {week.number}: {i + 1} of {len(week.situations)}" in said
    shown = links(session)
    assert ("Previous" in shown) == (i > 0)
    following = week.situations[i + 1] if place != "last" else weeks()[6].situations[0]
    page, query = shown["Next week" if place == "last" else "Next"]
    assert page.endswith(following.lab.name)
    for name in following.experiment.link:
        assert f"{name}=" in query


def test_every_experiment_has_its_week() -> None:
    from pages._shared.lab.catalogue import LABS

    for lab in LABS:
        for experiment in lab.experiments:
            week, i = place_of(lab, experiment.title)
            assert week.situations[i].experiment == experiment
    with pytest.raises(KeyError, match="no week"):
        place_of(LABS[0], "no such title")
