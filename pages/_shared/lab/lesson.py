"""The lesson below the stage: its chapters, the source that ran, and the experiments."""

import inspect
from types import ModuleType

import streamlit as st

from pages._shared.lab.catalogue import Experiment, LabFile
from pages._shared.lab.course import Situation, place_of, weeks
from pages._shared.session.parameters import by_user
from pages._shared.session.state import session
from pages._shared.session.view_state import parameters_of


def show(lab: LabFile, code: ModuleType) -> None:
    """Show the tabs.

    Only the open tab has content: colouring the source would add a third of a second to every
    first visit.
    """
    st.html('<h2 class="lesson-heading">Lesson</h2>')
    chapters = ["Idea", "Maths", "Code", "Try this"]
    idea, maths, source, trials = st.tabs(chapters, key="chapter", on_change=by_user(_turn_page))
    if idea.open:
        idea.markdown(lab.texts["Idea"])
    if maths.open:
        maths.markdown(lab.texts["Maths"])
    if source.open:
        with source:
            _show_source(lab, code)
    if trials.open:
        for experiment in lab.experiments:
            with trials:
                _show_experiment(lab, experiment)


def _show_source(lab: LabFile, code: ModuleType) -> None:
    """Show the file with the update rule, and a menu of all files that it uses."""
    files = {_name(module): module for module in files_used(code)}
    place = f"{lab.name}.source of {_name(code)}"
    name = st.selectbox("File", list(files), key=place, on_change=by_user(_turn_page))
    st.code(inspect.getsource(files[name]), language="python", line_numbers=True)


def files_used(code: ModuleType) -> list[ModuleType]:
    """Return a module and all modules of `algorithms` that it uses, the nearest first."""
    found = [code]
    for module in found:  # grows while it is walked
        for value in vars(module).values():
            owner = value if isinstance(value, ModuleType) else inspect.getmodule(value)
            if owner and owner.__name__.startswith("algorithms.") and owner not in found:
                found.append(owner)
    return found


def _name(module: ModuleType) -> str:
    return module.__name__.replace(".", "/") + ".py"


def tried(lab: LabFile, link: dict[str, str]) -> str | None:
    """Return the title of the experiment that a link sets up."""
    return next((each.title for each in lab.experiments if parameters_of(each.link) == link), None)


def show_trial(lab: LabFile) -> None:
    """Show the question of the current experiment above the stage, and the way through its week."""
    title = session().trial
    if title is None:
        return
    week, place = place_of(lab, title)
    trial, total = week.situations[place].experiment, len(week.situations)
    with st.container(key="trial", horizontal=True, vertical_alignment="center", border=True):
        st.markdown(f"**{trial.question}** {trial.todo}")
        with st.popover("Answer", key=f"answer {trial.title}"):
            st.markdown(trial.answer)
        if place > 0:
            _open_situation(week.situations[place - 1], "Previous", ":material/arrow_back:")
        if place + 1 < total:
            _open_situation(week.situations[place + 1], "Next", ":material/arrow_forward:")
        elif week.number < len(weeks()):
            following = weeks()[week.number].situations[0]
            _open_situation(following, "Next week", ":material/arrow_forward:")
        st.caption(f"Week {week.number}: {place + 1} of {total}", width="content")
        st.button("✕", key="end_trial", help="End this experiment.", on_click=by_user(_end_trial))


def _open_situation(situation: Situation, label: str, icon: str) -> None:
    st.page_link(
        str(situation.lab.path), label=label, icon=icon, query_params=situation.experiment.link,
        help=f"{situation.lab.title}: {situation.experiment.title}",
    )  # fmt: skip


def _end_trial() -> None:
    session().trial = None


def _show_experiment(lab: LabFile, experiment: Experiment) -> None:
    """Show the question and what to do; the answer is a click away."""
    st.page_link(
        str(lab.path), label=f"**{experiment.title}**", icon=":material/play_circle:",
        query_params=experiment.link,
    )  # fmt: skip
    st.markdown(f"{experiment.question} *{experiment.todo}*")
    with st.expander("Answer"):
        st.markdown(experiment.answer)


def _turn_page() -> None:
    """Open another chapter. Nothing else changes, so the callback is empty."""
