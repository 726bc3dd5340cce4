"""The lesson below the stage: its chapters, the source that ran, and the experiments."""

import inspect
import re
from types import ModuleType

import streamlit as st

from pages._shared.lab import goals
from pages._shared.lab.catalogue import Experiment, LabFile
from pages._shared.session.parameters import by_user


def show(lab: LabFile, code: ModuleType) -> None:
    """Show the tabs: first to try, then the idea, the algorithm and the maths.

    Only the open tab has content: colouring the source would add a third of a second to every
    first visit.
    """
    st.html('<h2 class="lesson-heading">Lesson</h2>')
    chapters = ["Try this", "Idea", "Code", "Maths"]
    trials, idea, source, maths = st.tabs(chapters, key="chapter", on_change=by_user(_turn_page))
    if trials.open:
        for experiment in sorted(lab.experiments, key=lambda each: each.goal is None):
            with trials:
                _show_experiment(lab, experiment)
    if idea.open:
        idea.markdown(prose(lab.texts["Idea"]))
    if source.open:
        with source:
            _show_source(lab, code)
    if maths.open:
        maths.markdown(prose(lab.texts["Maths"]))


def prose(text: str) -> str:
    """Return a text as Markdown, in which a link to a setting of the lab has no spaces."""
    return re.sub(r"\]\(\?[^)]*\)", lambda link: link[0].replace(" ", "%20"), text)


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


def _show_experiment(lab: LabFile, experiment: Experiment) -> None:
    """Show the question and what to do; the answer is a click away."""
    st.page_link(
        str(lab.path), label=f"**{experiment.title}**", icon=":material/play_circle:",
        query_params=experiment.link,
    )  # fmt: skip
    st.markdown(prose(f"{experiment.question} *{experiment.todo}*"))
    if experiment.goal:
        with st.container(key=goals.name(lab, experiment)):
            st.markdown(f"**Goal:** {experiment.goal.text}")
    with st.expander("Answer"):
        st.markdown(prose(experiment.answer))


def _turn_page() -> None:
    """Open another chapter. Nothing else changes, so the callback is empty."""
