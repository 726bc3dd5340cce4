"""What if: a run, or the run that follows when one of its steps is changed.

A mode hands over its run, a function that shows a run, and one plain function that asks for the
change: `change(ways, step)` returns the changed run, usually by `algorithms.core.iterate.resumed`.

If a run can go on with other points, a dragged point is moved from the changed step on, and the
data stay; `ways.plane` has the points as they are from then on. Otherwise (the cuts of a tree were
chosen from all points) the point is moved in the data, as always.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from numpy import ndarray

from algorithms.core.iterate import moved
from pages._shared.data.session_data import board
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.session.cache import digest, once
from pages._shared.session.parameters import by_user
from pages._shared.session.state import session
from pages._shared.stage import fork as forking
from viz.core import what_if as draw
from viz.core.scene import Plane, Run, Scene

PointsMoved = tuple[int, ndarray, ndarray]
"""The step at which points are moved, their rows, and their places from then on."""

MOST_STEPS = 1_000_000
MOVED_OF = "points of"  # the key under which it is kept which data the moved points belong to


class Ways(Lab):
    """A lab whose parameters belong to the changed step.

    points_moved : the points moved by hand, if there are any.
    """

    points_moved: PointsMoved | None = None

    @property
    def plane(self) -> Plane:
        """Return the points as they are from the changed step on."""
        return seen(super().plane, self.points_moved)


Change = Callable[[Ways, int], Run]


def what_if(
    lab: Lab,
    run: Run,
    show: Callable[[Run, Plane], Shown],
    change: Change,
    *,
    after: bool = False,
    points: bool = False,
) -> Shown:
    """Show a run, or the run with a changed step and the original run as a ghost.

    show : shows a run on the points it ran on. change : asks for the change, and returns the run.
    after : the last step can be changed, too. points : points can be moved from that step on.
    """

    was = show(run, lab.plane)
    fork = lab.by_link(forking.NAME, "Changed step", 0, MOST_STEPS, 0)
    if run.error:
        return was
    total = len(run.steps)
    most = total if after else total - 1
    if not fork or not most:
        return replace(was, forks=most > 0)
    if fork > total:
        _refuse(lab, fork, total)
        return replace(was, forks=True)
    step = min(fork, most)
    ways, moved = _ways(lab, step), None
    if points:
        ways.points_moved = _points_moved(ways, step)
    new = show(change(ways, step), ways.plane)
    if ways.points_moved:
        _, rows, places = ways.points_moved
        moved = lab.plane.X[rows], places
    if new.run.error:
        return replace(new, forks=True, fork=step)

    def make() -> Scene:
        scene = draw.what_if(new.scene, was.scene, total - 1, step, moved)
        there = "from there on; the data stay" if points else "in the data, for all steps"
        return replace(scene, note=f"{scene.note} Dragging a point here moves it {there}.")

    key = digest(("what if", new.key, was.key, step))
    scene = once(key, make)
    return replace(new, key=key, scene=scene, forks=True, fork=step, carries=points)


def seen(data: Plane, points_moved: PointsMoved | None) -> Plane:
    """Return the points with those moved that were moved by hand."""
    if points_moved is None:
        return data
    at, rows, places = points_moved
    return replace(data, X=moved(data.X, rows, places), moved=(at, data.X))


def rate_from_there(ways: Ways, rates: Sequence[float], rate: float) -> float:
    """Ask for the learning rate from the changed step on; by default a tenth of the original.

    If points were moved, the default is the original rate, since the change is already made.
    """
    first = rate if ways.points_moved else min(rates, key=lambda each: abs(each - rate / 10))
    return ways.log_slider("rate", "Learning rate η from then on", rates, first)


def _points_moved(ways: Ways, step: int) -> PointsMoved | None:
    """Read which points were moved; none if the data or the number of points have changed."""
    n, here = len(ways.data.X), session()
    of = board().revision, n
    if here.link is None and ways.kept.get(MOVED_OF) != of:
        ways.kept.pop(forking.MOVED, None)
    ways.kept[MOVED_OF] = of
    parse = partial(forking.parse_moved, n)
    text = ways.declare(forking.MOVED, "Points moved by hand", "", parse)
    return (step, *forking.rows_and_places(text)) if text else None


def _ways(lab: Lab, step: int) -> Ways:
    """Start the part of the page that asks for the change."""
    place = lab.first
    head = place.container(horizontal=True, vertical_alignment="center")
    head.markdown(f"**What if**, at step {step}", width="content")
    head.button(
        "As it was", help="Go back to the original run (W).", key=f"{lab.scope}.as it was",
        on_click=by_user(lambda: forking.end(session(), lab.scope)),
    )  # fmt: skip
    ways = Ways(lab.file, forking.scope(lab.scope), place, lab.prefix + forking.WAYS)
    ways.handles = lab.handles
    return ways


def _refuse(lab: Lab, fork: int, total: int) -> None:
    """Tell the user that there is no such step: the link was wrong, or the run is shorter now."""
    if session().link is None:
        lab.place.caption(f"What if: this run has no step {fork} that could be changed.")
    else:
        here, name = session(), lab.prefix + forking.NAME
        here.refused.append(f"{here.declared[name].label}: {fork} is not between 0 and {total}")
        here.declared[name] = here.declared[name]._replace(value=0)
        forking.end(here, lab.scope)
