"""Set a lab up as one of its experiments does, and return the run that is shown."""

from typing import Any

from pages._shared.lab.catalogue import Experiment, LabFile
from pages._shared.session.view_state import parameters_of
from tests.app.session import Session

asked: set[str] = set()
"""The titles of the experiments that were asked for."""

changed_links: dict[str, dict[str, str]] = {}
"""By title, what an experiment's link is changed to, to see that its test fails."""


def steps_of(session: Session, lab: LabFile, experiment: str, **changes: str) -> Any:
    """Follow an experiment's link, with changes, and return the steps of the shown run.

    session : one that watches its runs.
    """
    link = experiment_of(lab, experiment).link | changes
    session.open(lab, **link)
    session.check_taken(parameters_of(link))
    assert session.run_shown is not None
    assert session.run_shown.steps, session.stage["error"]
    return session.run_shown.steps


def experiment_of(lab: LabFile, title: str) -> Experiment:
    """Find an experiment by its title."""
    (found,) = (experiment for experiment in lab.experiments if experiment.title == title)
    asked.add(title)
    return found._replace(link=changed_links.get(title, found.link))
