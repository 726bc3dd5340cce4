"""Set a lab up as one of its experiments does, and give the run that is shown."""

from typing import Any

from pages._shared.labs import LabFile
from tests.app.session import Session


def steps_of(session: Session, lab: LabFile, experiment: str, **changes: str) -> Any:
    """Follow an experiment's link, with changes, and give the steps of the run that is shown.

    session : one that watches its runs.
    """
    (link,) = (link for title, link, _ in lab.experiments if title == experiment)
    session.open(lab, **link | changes)
    for name in changes:
        taken = str(session.value(name))
        assert taken in (changes[name], f"{changes[name]}.0"), f"{name} did not take the value"
    assert session.run_shown is not None
    assert session.run_shown.steps, session.stage["error"]
    return session.run_shown.steps


def text_of(lab: LabFile, experiment: str) -> str:
    """Give what an experiment says."""
    (text,) = (text for title, _, text in lab.experiments if title == experiment)
    return text
