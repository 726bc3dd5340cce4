"""The way through the course or a lecture: the situation under way, and links to its neighbours."""

import streamlit as st

from pages._shared.lab.catalogue import Experiment, LabFile
from pages._shared.lab.course import Situation, place_of, weeks
from pages._shared.lab.lecture import LECTURE, Stop, lecture
from pages._shared.session.parameters import by_user
from pages._shared.session.state import session
from pages._shared.session.values import MOST_QUOTED
from pages._shared.session.view_state import parameters_of
from pages._shared.stage.protocol import Lesson
from pages._shared.text import plain

NAME = "situation"  # in a link: "6.3" is the third of week 6, "0.3" of my lecture

Place = tuple[int, int]  # a week, and a place in it, counted from 0


def asked(lab: LabFile, link: dict[str, str]) -> Place | None:
    """Return the situation that a link opens, or None.

    A link on the way names its situation, because two may have the same parameters. The name is
    taken out of the link. Any other link opens the first experiment that has the same parameters.
    """
    text = link.pop(NAME, None)
    for place in (*_places(LECTURE), *_places(1)) if text else ():
        if _name(place) == text and _sets_up(place, lab, link):
            return place
    if text is not None:
        quoted = text[:MOST_QUOTED]
        session().refused.append(f"Situation: “{quoted}” is none of this lab with these parameters")
    titles = (each.title for each in lab.experiments if parameters_of(each.link) == link)
    if (title := next(titles, None)) is None:
        return None
    week, at = place_of(lab, title)
    return week.number, at


def under_way(lab: LabFile) -> Experiment | None:
    """Return the words of the situation under way in a lab."""
    here = session().trial
    return _at(here).experiment if here and _at(here).lab == lab else None


def show() -> Lesson | None:
    """Return the situation under way, for the stage; None if there is none.

    The page gets hidden links to its neighbours, which the stage presses: only Streamlit's own
    links lead to another lab without loading the app again.
    """
    if (here := session().trial) is None:
        return None
    places = _places(here[0])
    i = places.index(here)
    before, after = places[i - 1 : i] if i else [], places[i + 1 : i + 2]
    with st.container(key="way"):
        for key, places in (("previous_situation", before), ("next_situation", after)):
            with st.container(key=key):
                for place in places:
                    link(place, plain(_title(place)))
        st.button("End this situation", key="end_situation", on_click=by_user(_end))
    experiment = _at(here).experiment
    return {
        "question": experiment.question, "todo": experiment.todo, "answer": experiment.answer,
        "place": _said(here),
        "previous": "".join(map(_title, before)), "next": "".join(map(_title, after)),
        "hides_end": experiment.hides_end, "goal": None,
    }  # fmt: skip


def link(place: Place, label: str, icon: str | None = None) -> None:
    """Show a link to a situation of the course. label : Markdown."""
    path = str(_at(place).lab.path)
    st.page_link(path, label=label, icon=icon, query_params=parameters(place))


def parameters(place: Place) -> dict[str, str]:
    """Return the parameters of the link to a situation."""
    return _at(place).experiment.link | {NAME: _name(place)}


def _places(week: int) -> list[Place]:
    """Return the places on the way that a week is on: those of my lecture, or of all weeks."""
    if week == LECTURE:
        return [(LECTURE, at) for at in range(len(lecture().stops))]
    return [(week.number, at) for week in weeks() for at in range(len(week.situations))]


def _at(place: Place) -> Situation | Stop:
    week, at = place
    return lecture().stops[at] if week == LECTURE else weeks()[week - 1].situations[at]


def _sets_up(place: Place, lab: LabFile, link: dict[str, str]) -> bool:
    """Return whether a situation is in a lab, with the parameters of a link."""
    situation = _at(place)
    return situation.lab == lab and parameters_of(situation.experiment.link) == link


def _said(place: Place) -> str:
    week, at = place
    if week == LECTURE:
        return f"My lecture: {at + 1} of {len(lecture().stops)}"
    return f"Week {week}: {at + 1} of {len(weeks()[week - 1].situations)}"


def _name(place: Place) -> str:
    week, at = place
    return f"{week}.{at + 1}"


def _title(place: Place) -> str:
    situation = _at(place)
    return f"{situation.lab.title}: {situation.experiment.title}"


def _end() -> None:
    session().trial = None
