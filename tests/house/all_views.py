"""Every view of every mode of a lab, drawn at a few steps, and what the stage makes of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pages._shared.lab.catalogue import LabFile
from tests.app.session import Session
from tests.house.test_views import Seen, modes
from tests.stage.test_stage_logic import QUIET, run_node

STAGE = Path(__file__).parents[1] / "stage"


class Drawn(NamedTuple):
    """A view at a step: its mode, title and step as a name, and whether it has all it will have."""

    name: str
    linked: bool
    last: bool
    figure: dict


def drawn(lab: LabFile, seen: Seen) -> Iterator[Drawn]:
    """Draw all views of all modes at the first step, in the middle, and at the end."""
    for link in modes(lab):
        Session().open(lab, **link)
        last = len(seen.run.steps) - 1
        for number, view in enumerate(seen.scene.views):
            for now in (0, last // 2, last):
                name = f"{link}: {view.title}, step {now}"
                yield Drawn(name, number > 0, now == last, view.draw(now))


def said_by(script: str, given: Any) -> Any:
    """Have one of the stage's scripts say what it makes of figures."""
    text = json.dumps(given, allow_nan=False, default=np.generic.item)
    done = run_node(QUIET, str(STAGE / script), text=text)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
