"""The lens on states that crowd at a stable point, against the picture that it enlarges."""

import numpy as np
import pytest

from algorithms.sequences.recurrent_unit.recurrent_unit import recurrent_unit
from tests.core.figures import line
from viz.core.scene import Run
from viz.sequences.recurrent_unit.lens import ROOM
from viz.sequences.recurrent_unit.recurrent_unit import RecurrentUnit


def shown(w: float, *, u: float = 2.0, start: float = -0.5, times: int = 6) -> RecurrentUnit:
    x = np.zeros(times)
    x[0] = 1.0
    return RecurrentUnit(Run("", list(recurrent_unit(x, w=w, u=u, start=start))), x, w, u, 0.0)


@pytest.mark.parametrize(
    ("show", "crowd"),
    [(shown(1.7), True), (shown(2.0, u=1.0, start=0.0, times=12), True), (shown(0.7), False)],
)
def test_there_is_a_lens_if_the_states_crowd(show: RecurrentUnit, crowd: bool) -> None:
    assert (show.lens is not None) == crowd
    for now in range(len(show.steps)):
        data = show.picture(now)["data"]
        assert len(data) == len(show.picture(0)["data"])
        assert any("lens" in trace.get("name", "") for trace in data) == crowd


def test_the_lens_shows_the_states_and_the_stairs_of_its_square_where_nothing_else_is() -> None:
    show = shown(1.7)
    lens = show.lens
    assert lens is not None
    taken = show._taken()
    assert (np.abs(taken - lens.at) > ROOM).any(axis=1).all()
    for now in range(len(show.steps)):
        traces = {trace.get("name"): trace for trace in show.picture(now)["data"]}
        for name in ("stairs", "state"):
            path = line(traces[f"{name} in the lens"])
            path = path[np.isfinite(path[:, 0])]
            assert (np.abs(path - lens.at) < ROOM + 1e-6).all()
            back = lens.middle + (path - lens.at) / lens.times
            if name == "state":
                states = show.states[: min(now + 2, len(show.states))]
                held = states[np.abs(states - lens.middle[0]) <= lens.half]
                np.testing.assert_allclose(back[:, 0], held, atol=1e-6)
                np.testing.assert_allclose(back[:, 1], held, atol=1e-6)
            else:  # a stair goes up or down, or across: on one axis it is at a state
                near = np.abs(back[:, :, None] - show.states).min(axis=2).min(axis=1)
                assert (near < 1e-6).all()


def test_the_slope_in_the_lens_is_the_slope_of_the_map() -> None:
    show = shown(1.7)
    assert show.lens is not None
    for now in range(len(show.x), 2 * len(show.x)):
        step = show.steps[now]
        (tangent,) = (
            line(trace)
            for trace in show.picture(now)["data"]
            if trace.get("name") == "slope at the time at hand"
        )
        across, up = tangent[1] - tangent[0]
        assert up / across == pytest.approx(show.slopes[step.t], rel=1e-4)
