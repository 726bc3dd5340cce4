"""What if: a run, or what becomes of it where one of its steps is done otherwise.

A mode that can be asked so hands over how it shows its run, and one plain function that asks for
what is done otherwise: `otherwise(lab, was, step)` gives what the call has in addition.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from pages._shared.lab import Lab, Shown
from pages._shared.session import fork as forking
from pages._shared.session.cache import digest, once
from pages._shared.session.parameters import by_user
from pages._shared.session.state import session
from viz.core import what_if as draw
from viz.core.scene import Run

MOST_STEPS = 1_000_000

Otherwise = Callable[[Lab, Run, int], dict[str, Any]]


def what_if(
    lab: Lab, show: Callable[..., Shown], otherwise: Otherwise, *, after: bool = False
) -> Shown:
    """Show a run as it is, or with a step done otherwise and the run as it was as a ghost.

    show : runs and shows; it takes what differs in the call. otherwise : asks for that, of a lab
    whose parameters are those of the fork alone. after : there may be a step after the last one.
    """
    was = show()
    fork = lab.by_link(forking.NAME, "Step done otherwise", 0, MOST_STEPS, 0)
    if was.run.error:
        return was
    total = len(was.run.steps)
    most = total if after else total - 1
    if not fork or not most:
        return replace(was, forks=most > 0)
    if fork > total:
        _refuse(lab, fork, total)
        return replace(was, forks=True)
    step = min(fork, most)
    new = show(**otherwise(_ways(lab, step), was.run, step))
    if new.run.error:
        return replace(new, forks=True, fork=step)
    key = digest(("what if", new.key, was.key, step))
    scene = once(key, lambda: draw.what_if(new.scene, was.scene, total - 1, step))
    return replace(new, key=key, scene=scene, forks=True, fork=step)


def another_rate(
    rates: Sequence[float], rate: float, lab: Lab, _was: Run, step: int
) -> dict[str, Any]:
    """Ask for the learning rate from a step on: at first a tenth of what it was."""
    tenth = min(rates, key=lambda each: abs(each - rate / 10))
    return {"later": (step, lab.log_slider("rate", "Learning rate η from there", rates, tenth))}


def _ways(lab: Lab, step: int) -> Lab:
    """Start the part of the page that asks what is done otherwise."""
    place = lab.first
    head = place.container(horizontal=True, vertical_alignment="center")
    head.markdown(f"**What if**, at step {step}", width="content")
    head.button(
        "As it was", help="All steps as they were (W).", key=f"{lab.scope}.as it was",
        on_click=by_user(lambda: forking.end(session(), lab.scope)),
    )  # fmt: skip
    ways = Lab(lab.file, forking.scope(lab.scope), place, lab.prefix + forking.WAYS)
    ways.handles = lab.handles
    return ways


def _refuse(lab: Lab, fork: int, total: int) -> None:
    """Say that there is no such step: of a link, or because the run is shorter now."""
    if session().link is None:
        lab.place.caption(f"What if: this run has no step {fork} that could be done otherwise.")
    else:
        here, name = session(), lab.prefix + forking.NAME
        here.refused.append(f"{here.declared[name].label}: {fork} is not between 0 and {total}")
        here.declared[name] = here.declared[name]._replace(value=0)
        forking.end(here, lab.scope)
