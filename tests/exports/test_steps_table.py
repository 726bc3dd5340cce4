"""The table of steps: our reader reads it back, and no spreadsheet runs it."""

import csv
import io
from dataclasses import dataclass

import numpy as np
import pytest

from pages._shared.data.reader import read_table
from pages._shared.exports.steps_table import MOST_ROWS, evenly, steps_csv
from viz.core.scene import Run, Scene


@dataclass(frozen=True)
class Step:
    """A step of a hostile algorithm."""

    loss: float
    size: int
    name: str
    weights: np.ndarray
    event: str | None = None


def table(total: int) -> str:
    steps = [
        Step(0.1 * i if i else np.nan, np.int64(i), "=1+1", np.zeros(2), "converged" * (i == 1))
        for i in range(total)
    ]
    return steps_csv(Run("", steps), Scene([], lambda i: f"@SUM, step {i}\nthe rule"))


def test_a_step_is_a_row_of_its_event_its_first_line_and_its_numbers() -> None:
    header, first, second = csv.reader(io.StringIO(table(2)))
    assert header == ["step", "event", "caption", "loss", "size", "name"]
    assert first == ["0", "", "'@SUM, step 0", "", "0", "'=1+1"]
    assert second == ["1", "converged", "'@SUM, step 1", "0.1", "1", "'=1+1"]


def test_our_own_reader_reads_it() -> None:
    read = read_table(table(40).encode(), "steps.csv")
    columns = dict(zip(read.names, read.columns, strict=True))
    np.testing.assert_array_equal(columns["step"], np.arange(40))
    np.testing.assert_array_equal(columns["loss"], [np.nan, *(0.1 * i for i in range(1, 40))])
    assert columns["caption"][3] == "@SUM, step 3"


def test_a_long_run_is_thinned_evenly() -> None:
    rows = list(csv.DictReader(io.StringIO(table(MOST_ROWS + 1))))
    assert len(rows) == MOST_ROWS
    assert (rows[0]["step"], rows[-1]["step"]) == ("0", str(MOST_ROWS))


@pytest.mark.parametrize("total, most", [(1, 5), (5, 5), (6, 5), (100_000, 300), (2, 2)])
def test_steps_are_chosen_evenly(total: int, most: int) -> None:
    chosen = evenly(total, most)
    assert len(chosen) == min(total, most)
    assert (chosen[0], chosen[-1]) == (0, total - 1)
    assert np.ptp(np.diff(chosen)) <= 1 if len(chosen) > 1 else True
