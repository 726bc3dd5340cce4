"""The lesson: the chapters of the page's docstring, the source that ran, the experiments."""

import inspect
from types import ModuleType

import streamlit as st

from pages._shared.labs import Experiment, LabFile
from pages._shared.session.look import parameters_of
from pages._shared.session.parameters import by_user
from pages._shared.session.state import session


def show(lab: LabFile, code: ModuleType) -> None:
    """Show the tabs.

    Only the open one has content: colouring the source would take a third of a second of
    everybody's first visit.
    """
    chapters = ["Idea", "Maths", "Code", "Try this"]
    idea, maths, source, trials = st.tabs(chapters, key="chapter", on_change=by_user(_turn_page))
    if idea.open:
        idea.markdown(lab.texts["Idea"])
    if maths.open:
        maths.markdown(lab.texts["Maths"])
    if source.open:
        source.code(inspect.getsource(code), language="python", line_numbers=True)
    if trials.open:
        for experiment in lab.experiments:
            with trials:
                _show_experiment(lab, experiment)


def tried(lab: LabFile, link: dict[str, str]) -> Experiment | None:
    """Find the experiment that a link sets up."""
    return next((each for each in lab.experiments if parameters_of(each.link) == link), None)


def show_trial(lab: LabFile) -> None:
    """Show the experiment that is under way above the stage, so that its question is in sight."""
    here = session()
    if not (trial := here.trial):
        return
    titles = [each.title for each in lab.experiments]
    following = lab.experiments[(titles.index(trial.title) + 1) % len(titles)]
    with st.container(key="trial", horizontal=True, vertical_alignment="center", border=True):
        st.markdown(f"**{trial.question}** {trial.todo}")
        with st.popover("Answer", key=f"answer {trial.title}"):
            st.markdown(trial.answer)
        _open_experiment(lab, following, "Next")
        st.button("✕", key="end_trial", help="End this experiment.", on_click=by_user(_end_trial))


def _end_trial() -> None:
    session().trial = None


def _open_experiment(lab: LabFile, experiment: Experiment, label: str) -> None:
    st.page_link(
        str(lab.path),
        label=label,
        icon=":material/play_circle:",
        query_params=experiment.link,
    )


def _show_experiment(lab: LabFile, experiment: Experiment) -> None:
    """Show what is asked and what to do; the answer is a click away."""
    _open_experiment(lab, experiment, f"**{experiment.title}**")
    st.markdown(f"{experiment.question} *{experiment.todo}*")
    with st.expander("Answer"):
        st.markdown(experiment.answer)


def _turn_page() -> None:
    """Open another chapter: nothing else changes."""
