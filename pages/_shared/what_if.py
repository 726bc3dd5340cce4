"""What if: a run, or what becomes of it where one of its steps is done otherwise.

A mode that can be asked so hands over how it shows its run, and one plain function that asks for
what is done otherwise: `otherwise(ways, was, step)` gives what the call has in addition.

Where a run can go on from its state with other data, points that are dragged are moved from that
step on, and the data stay. Elsewhere (the cuts of a tree were chosen from all points) they are
moved in the data, as always.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from algorithms.core.moved_points import PointsMoved, moved_points
from pages._shared.lab import Lab, Shown
from pages._shared.session import fork as forking
from pages._shared.session.cache import digest, once
from pages._shared.session.parameters import by_user
from pages._shared.session.state import board, session
from viz.core import what_if as draw
from viz.core.scene import Plane, Run, Scene

MOST_STEPS = 1_000_000
MOVED_OF = "points of"  # beside the points that were moved: which data they belong to


class Ways(Lab):
    """A lab whose parameters are those of the fork alone: what is done otherwise, and how.

    points_moved : points that were moved by hand, if there are any.
    """

    points_moved: PointsMoved | None = None


Otherwise = Callable[[Ways, Run, int], dict[str, Any]]


def what_if(
    lab: Lab,
    show: Callable[..., Shown],
    otherwise: Otherwise,
    *,
    after: bool = False,
    points: bool = False,
) -> Shown:
    """Show a run as it is, or with a step done otherwise and the run as it was as a ghost.

    show : runs and shows; it takes what differs in the call. otherwise : asks for that. after :
    there may be a step after the last one. points : they can be moved from there on; then `show`
    takes `points_moved`, too.
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
    ways, moved = _ways(lab, step), None
    if points:
        ways.points_moved = _points_moved(ways, step)
    how = otherwise(ways, was.run, step)
    if ways.points_moved:
        _, rows, places = ways.points_moved
        how["points_moved"], moved = ways.points_moved, (lab.plane.X[rows], places)
    new = show(**how)
    if new.run.error:
        return replace(new, forks=True, fork=step)

    def make() -> Scene:
        scene = draw.what_if(new.scene, was.scene, total - 1, step, moved)
        there = f"from step {step} on; the data stay" if points else "in the data, so for all steps"
        return replace(scene, note=f"{scene.note} A point that is dragged here is moved {there}.")

    key = digest(("what if", new.key, was.key, step))
    scene = once(key, make)
    return replace(new, key=key, scene=scene, forks=True, fork=step, carries=points)


def seen(data: Plane, points_moved: PointsMoved | None = None, **_: Any) -> Plane:
    """Give the points as a fork has them; further arguments of its call are not needed."""
    if points_moved is None:
        return data
    at, X = moved_points(data.X, points_moved)
    return replace(data, X=X, moved=(at, data.X))


def another_rate(
    rates: Sequence[float], rate: float, ways: Ways, _was: Run, step: int
) -> dict[str, Any]:
    """Ask for the learning rate from a step on: at first a tenth of what it was.

    Where points were moved, that is done otherwise, and the rate is at first as it was.
    """
    first = rate if ways.points_moved else min(rates, key=lambda each: abs(each - rate / 10))
    later = ways.log_slider("rate", "Learning rate η from there", rates, first)
    return {} if ways.points_moved and later == rate else {"later": (step, later)}


def _points_moved(ways: Ways, step: int) -> PointsMoved | None:
    """Read which points were moved; of other data, or of more or fewer points, none were."""
    n, here = len(ways.data.X), session()
    of = board().revision, n
    if here.link is None and ways.kept.get(MOVED_OF) != of:
        ways.kept.pop(forking.MOVED, None)
    ways.kept[MOVED_OF] = of
    parse = partial(forking.parse_moved, n)
    text = ways.declare(forking.MOVED, "Points moved by hand", "", parse)
    return (step, *forking.rows_and_places(text)) if text else None


def _ways(lab: Lab, step: int) -> Ways:
    """Start the part of the page that asks what is done otherwise."""
    place = lab.first
    head = place.container(horizontal=True, vertical_alignment="center")
    head.markdown(f"**What if**, at step {step}", width="content")
    head.button(
        "As it was", help="All steps as they were (W).", key=f"{lab.scope}.as it was",
        on_click=by_user(lambda: forking.end(session(), lab.scope)),
    )  # fmt: skip
    ways = Ways(lab.file, forking.scope(lab.scope), place, lab.prefix + forking.WAYS)
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
