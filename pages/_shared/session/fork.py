"""Which step of a run is done otherwise: a parameter of the lab, with others that say how.

Those others have a scope of their own, so that each time they start anew.
"""

from pages._shared.session.state import Session

NAME = "fork"  # in the address; 0: every step is as it was
WAYS = "if."  # before the names of those that say how


def scope(page: str) -> str:
    """Name the scope of the parameters that say how; it begins as that of the page does."""
    return f"{page} forked"


def turn(here: Session, step: int) -> None:
    """Have a step done otherwise; where one is already, have all of them as they were."""
    if NAME not in here.declared:
        return  # this mode has no such steps
    forked = here.declared[NAME].value
    end(here, here.page)
    if not forked:
        here.kept[here.page][NAME] = step


def end(here: Session, page: str) -> None:
    """Have all steps as they were."""
    here.kept.pop(scope(page), None)
    here.kept[page].pop(NAME, None)
