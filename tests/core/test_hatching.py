from base64 import b64decode
from io import BytesIO

import numpy as np
import pytest
from numpy import ndarray
from PIL import Image

from viz.core.hatching import hatched

BOX = (0.0, 10.0, 0.0, 10.0)


def ink(trace: dict) -> ndarray:
    """Return where the image is not clear, from the bottom up."""
    image = Image.open(BytesIO(b64decode(trace["source"].partition(",")[2])))
    return np.asarray(image.convert("RGBA"))[:, :, 3] > 0


def fine(cells: ndarray) -> ndarray:
    size = ink(hatched(cells, BOX)).shape[0] // len(cells)
    return np.kron(cells, np.ones((size, size), bool))


@pytest.mark.parametrize("rising", [True, False])
def test_stripes_rise_or_fall(rising: bool) -> None:
    part = np.ones((40, 40), bool)
    rows, columns = np.nonzero(ink(hatched(part, BOX, rising)))
    along, across = (rows - columns, rows + columns) if rising else (rows + columns, rows - columns)
    assert 0.15 < len(rows) / ink(hatched(part, BOX)).size < 0.35
    period = 4 * 3  # dots
    assert len(set(along % period)) == 3
    assert len(set(across % period)) == period


def test_only_the_part_is_hatched_and_the_smallest_shows() -> None:
    part = np.zeros((40, 40), bool)
    part[10:30, 5:20] = part[35, 35] = part[2, :] = True
    for rising in (True, False, np.arange(1600).reshape(40, 40) % 2 > 0):
        inked = ink(hatched(part, BOX, rising))
        assert not (inked & ~fine(part)).any()
        cells = inked.reshape(40, -1, 40, inked.shape[1] // 40).any(axis=(1, 3))
        assert cells[35, 35] and cells[2].all(), "too small for a stripe, they are outlined"
    assert not ink(hatched(np.zeros((4, 4), bool), BOX)).any()
