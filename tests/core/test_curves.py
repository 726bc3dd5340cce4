import json
from base64 import b64decode

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from viz.core.curves import history, marked, panel_layout, timeline


def unpacked(array: dict) -> np.ndarray:
    return np.frombuffer(b64decode(array["bdata"]), array["dtype"]).astype(float)


def test_each_series_is_a_curve_and_a_mark_in_its_own_panel() -> None:
    figure = history({"loss": [4.0, 2.0, 1.0], "norm": [1.0, 0.1, 0.01]}, 1, log=["norm"])
    loss, now, norm, now_too = figure["data"]
    assert unpacked(loss["x"]).tolist() == unpacked(norm["x"]).tolist() == [0, 1, 2]
    assert unpacked(loss["y"]).tolist() == [4, 2, 1]
    np.testing.assert_allclose(unpacked(norm["y"]), [1, 0.1, 0.01], rtol=1e-6)
    assert (now["x"], now["y"]) == ([1], [2])
    assert (now_too["x"], now_too["y"]) == ([1], [pytest.approx(0.1)])
    assert [trace["yaxis"] for trace in figure["data"]] == ["y", "y", "y2", "y2"]
    above, below = figure["layout"]["yaxis"], figure["layout"]["yaxis2"]
    assert below["domain"][1] < above["domain"][0] + 1e-9 < above["domain"][1] == 1
    assert above["title"]["text"] == "loss"
    assert "type" not in above
    assert below["type"] == "log"
    assert figure["layout"]["xaxis"]["anchor"] == "y2"
    go.Figure(figure)


@settings(deadline=None)
@given(
    values=st.lists(st.floats(-(2.0**99), 2.0**99, width=32), min_size=1, max_size=30),
    log=st.booleans(),
)
def test_the_axis_holds_the_whole_run_and_stays(values: list[float], log: bool) -> None:
    figures = [history({"f": values}, now, log=["f"] if log else []) for now in range(len(values))]
    assert len({json.dumps(figure["layout"], allow_nan=False) for figure in figures}) == 1
    low, high = figures[0]["layout"]["yaxis"]["range"]
    assert low < high
    shown = np.log10([v for v in values if v > 0]) if log else np.array(values)
    assert all(low <= shown) and all(shown <= high)


@settings(deadline=None)
@given(
    low=st.floats(-30, 10),
    span=st.just(0) | st.floats(1e-3, 20),
)
def test_a_log_axis_has_a_few_ticks_in_sight(low: float, span: float) -> None:
    values = 10 ** np.array([low, low + span])
    axis = history({"f": values.tolist()}, 0, log=["f"])["layout"]["yaxis"]
    ticks = np.log10(axis["tickvals"])
    assert (np.diff(ticks) > 0).all()
    assert 1 <= np.sum((axis["range"][0] <= ticks) & (ticks <= axis["range"][1])) <= 9


@pytest.mark.parametrize(
    "values", [[0.0], [0.0, 0.0], [2.0, 0.0], [-1.0, -2.0], [1e-30, 1e30], [5.0, 5.0]]
)
@pytest.mark.parametrize("log", [(), ("f",)])
def test_odd_runs_have_an_axis_too(values: list[float], log: tuple) -> None:
    axis = history({"f": values}, 0, log=log)["layout"]["yaxis"]
    assert np.isfinite(axis["range"]).all()
    assert axis["range"][0] < axis["range"][1]


@pytest.mark.parametrize("log", [(), ("f",)])
def test_rounding_is_not_stretched_over_the_axis(log: tuple) -> None:
    axis = history({"f": [5.0, np.nextafter(5.0, 6.0)]}, 0, log=log)["layout"]["yaxis"]
    assert axis["range"][1] - axis["range"][0] > 1e-9


def test_numbers_beyond_single_precision_can_be_shown() -> None:
    figure = history({"f": [1.0, 1e48]}, 1, log=["f"])
    json.dumps(figure, allow_nan=False)


def test_positive_series_start_at_zero_unless_that_would_hide_the_change() -> None:
    def bottom(values: list[float]) -> float:
        return history({"f": values}, 0)["layout"]["yaxis"]["range"][0]

    assert bottom([10.0, 1.0]) <= 0
    assert bottom([100.0, 99.0]) > 90


def test_many_steps_are_a_line_without_dots() -> None:
    assert history({"f": [1.0] * 60}, 0)["data"][0]["mode"] == "lines+markers"
    assert history({"f": [1.0] * 61}, 0)["data"][0]["mode"] == "lines"


def test_a_mark_is_one_point_and_takes_style() -> None:
    mark = marked(1.0, 2.0, yaxis="y2")
    assert (mark["x"], mark["y"], mark["yaxis"]) == ([1.0], [2.0], "y2")


def test_panels_cannot_be_dragged() -> None:
    layout = panel_layout(xaxis={"range": [0, 1]})
    assert layout["xaxis"] == {"range": [0, 1]}
    assert layout["dragmode"] is False


def test_a_timeline_draws_what_history_draws() -> None:
    series = {"loss": [4.0, 2.0, 1.0], "norm": [1.0, 0.1, 0.01]}
    draw = timeline(series, log=["norm"])
    assert [draw(now) for now in range(3)] == [
        history(series, now, log=["norm"]) for now in range(3)
    ]


def test_a_long_curve_keeps_its_ends_and_every_peak() -> None:
    values = np.random.default_rng(0).normal(size=20_000).cumsum()
    values[[7_003, 12_345]] = 1e4, -1e4
    draw = timeline({"f": values.tolist()})
    curve = draw(0)["data"][0]
    steps, shown = unpacked(curve["x"]).astype(int), unpacked(curve["y"])
    assert len(steps) <= 1002
    np.testing.assert_allclose(shown, values[steps], rtol=1e-5, atol=1e-2)
    assert {0, 7_003, 12_345, 19_999} <= set(steps.tolist())
    for now in (5, 12_345):
        assert (draw(now)["data"][1]["x"], draw(now)["data"][1]["y"]) == ([now], [values[now]])
        assert draw(now)["data"][0] is curve, "made once for all steps"


@pytest.mark.parametrize("low", [800, 1200, 3000, 5900])
def test_ticks_within_a_power_of_ten_keep_clear_of_each_other(low: int) -> None:
    layout = timeline({"left": [6084, low]}, log=("left",))(0)["layout"]
    ticks, (start, end) = np.log10(layout["yaxis"]["tickvals"]), layout["yaxis"]["range"]
    assert len(ticks) >= 2 and np.diff(ticks).min() >= 0.1 * (end - start) - 1e-9
