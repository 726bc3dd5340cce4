"""Two labs, or two settings of one lab, side by side under one player.

The right side's parameters have a prefix in the address, and are kept separately for every pair.
"""

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from streamlit.delta_generator import DeltaGenerator

from pages._shared.lab.catalogue import LABS, LabFile
from pages._shared.session.cache import digest, once
from pages._shared.session.parameters import Parameters
from pages._shared.session.state import Declared, session
from pages._shared.session.values import one_of
from viz.core.lockstep import Pane, both_runs, side_by_side
from viz.core.scene import Plane, Run, Scene

NOTHING = "nothing"
RIGHT = "right."  # before the names of the right side's parameters
MOST_NAMED = 2  # parameters that name a side


def scope(page: str, other: str) -> str:
    """Return the name of the scope that keeps the right side's parameters of a pair."""
    return f"{page} beside {other}"


def ask(foot: DeltaGenerator, lab: Parameters, file: LabFile) -> LabFile | None:
    """Ask what to compare a lab with: itself, or a lab that finds the same kind of result.

    The menu is made when it is opened: a hidden menu would miss the value that a link sets.
    """
    others = [each for each in LABS if each.path != file.path and _alike(each, file)]
    found = {file.name: file} | {each.name: each for each in others}
    titles = {name: each.title for name, each in found.items()}
    titles |= {NOTHING: "nothing", file.name: "itself, with other settings"}
    place = foot.popover("Compare", key="compare", on_change="rerun")
    asked = ("beside", "Compare with")
    if place.open:
        chosen = lab.within(place).choice(
            *asked, [NOTHING, *found], NOTHING, format_func=lambda name: titles[name],
            help="Two labs, or two settings, side by side.",
        )  # fmt: skip
    else:
        chosen = lab.declare(*asked, NOTHING, one_of([NOTHING, *found]))
    return found.get(chosen)


def _alike(one: LabFile, other: LabFile) -> bool:
    """Return whether two labs find the same kind of result for every point, such as classes."""
    return one.section.gives == other.section.gives != "something else"


def ask_mode(right: Parameters, file: LabFile, modes: Mapping[str, Any], left: str) -> Any:
    """Ask which mode the right side shows; by default the one of the same name, if there is one."""
    if len(modes) == 1:
        (name,) = modes
    else:
        first = left if left in modes else next(iter(modes))
        name = right.choice("view", f"View of {file.title}", list(modes), first)
    return name, modes[name]


def modes_of(file: LabFile) -> Mapping[str, Callable]:
    """Return a lab's modes by name, without showing its page."""
    return importlib.import_module(f"pages.{file.path.parent.name}.{file.name}").MODES


def names(left: tuple[LabFile, str], right: tuple[LabFile, str]) -> tuple[str, str]:
    """Return the names of the two sides: their labs, modes or parameters, whichever differ."""
    if left[0] is not right[0]:
        return left[0].title, right[0].title
    if left[1] != right[1]:
        return left[1], right[1]
    declared = session().declared
    pairs = [
        (here, declared[RIGHT + name])
        for name, here in declared.items()
        if RIGHT + name in declared and declared[RIGHT + name].value != here.value
    ]
    if not 0 < len(pairs) <= MOST_NAMED:
        return "Left", "Right"
    return tuple(", ".join(map(_said, side)) for side in zip(*pairs, strict=True))  # type: ignore


def _said(parameter: Declared) -> str:
    return f"{parameter.label} {parameter.value}"


def joined(
    sides: Sequence[tuple[str, str, Run, Scene]], data: Plane
) -> tuple[str, Run, Scene | None]:
    """Return two runs side by side, made once for all sessions: the key, the run and its scene.

    sides : name, key, run and scene of each side. The scene is None if a run failed.
    """
    panes = [Pane(name, run, scene) for name, _, run, scene in sides]
    key = digest(("compare", [(name, known) for name, known, _, _ in sides], data))
    run = once(digest(("both", key)), lambda: both_runs(panes))
    if run.error:
        return key, run, None
    return key, run, once(key, lambda: side_by_side(panes[0], panes[1], data))
