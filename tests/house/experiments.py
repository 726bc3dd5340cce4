"""Set a lab up as one of its experiments does, and give the run that is shown."""

from typing import Any

from pages._shared.labs import Experiment, LabFile
from tests.app.session import Session


def steps_of(session: Session, lab: LabFile, experiment: str, **changes: str) -> Any:
    """Follow an experiment's link, with changes, and give the steps of the run that is shown.

    session : one that watches its runs.
    """
    session.open(lab, **experiment_of(lab, experiment).link | changes)
    for name in changes:
        taken = str(session.value(name))
        assert taken in (changes[name], f"{changes[name]}.0"), f"{name} did not take the value"
    assert session.run_shown is not None
    assert session.run_shown.steps, session.stage["error"]
    return session.run_shown.steps


def experiment_of(lab: LabFile, title: str) -> Experiment:
    """Find an experiment by its title."""
    (found,) = (experiment for experiment in lab.experiments if experiment.title == title)
    return found
