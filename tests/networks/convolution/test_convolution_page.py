import numpy as np
import pytest

from pages._shared.lab.catalogue import LABS
from pages._shared.stage.handles import places_text
from tests.app.session import Session
from viz.core.words import number
from viz.networks.convolution.convolve import REACH, TALL, grips

LAB = next(lab for lab in LABS if lab.path.stem == "convolution")
KERNEL = np.array([[1.0, 0, -1], [2, 0, -2], [1, 0, -1]])


@pytest.mark.parametrize("up", [1, -1])
def test_a_weight_dragged_out_of_its_cell_stops_at_its_end(session: Session, up: int) -> None:
    dragged = grips(KERNEL)
    dragged[4, 1] += up  # the weight in the middle, into the next cell
    session.open(LAB, vertical_edges=places_text(dragged))
    found = {handles["name"]: handles["places"] for handles in session.stage["handles"]}
    ends = grips(KERNEL)
    ends[4, 1] += up * TALL
    assert np.allclose(found["vertical_edges"], ends, atol=1e-3)
    assert f"The weights add up to {number(up * REACH)}" in session.captions[-1]
