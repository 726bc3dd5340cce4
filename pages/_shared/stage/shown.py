"""The record that a mode returns for the stage."""

from dataclasses import dataclass
from types import ModuleType

from viz.core.scene import Run, Scene


@dataclass(frozen=True, eq=False)
class Shown:
    """A run and its scene, their key, and the module for the Code tab.

    forks : a step of the run can be changed. fork : the changed step, 0 for none. carries : a
    dragged point is moved from the changed step on, and not in the data. grows : the user's answers
    make the run longer, so a new run is shown at its end.
    """

    key: str
    run: Run
    scene: Scene
    code: ModuleType
    forks: bool = False
    fork: int = 0
    carries: bool = False
    grows: bool = False
