"""What a mode puts on the stage."""

from dataclasses import dataclass
from types import ModuleType

from viz.core.scene import Run, Scene


@dataclass(frozen=True, eq=False)
class Shown:
    """What a mode shows: a run and its scene, the key they are known by, and the source to read.

    forks : a step of the run can be done differently. fork : the one that is, 0 for none.
    carries : a point that is dragged is moved there, and not in the data.
    """

    key: str
    run: Run
    scene: Scene
    code: ModuleType
    forks: bool = False
    fork: int = 0
    carries: bool = False
