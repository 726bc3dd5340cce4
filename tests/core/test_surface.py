from base64 import b64decode
from io import BytesIO

import numpy as np
from PIL import Image

from viz.core import surface


def test_the_valley_is_in_the_lowest_band_and_the_cells_lie_around_their_weights() -> None:
    first, second = np.linspace(-1, 1, 21), np.linspace(0, 4, 41)
    height = first**2 + (second[:, None] - 1) ** 2
    trace, box = surface.bands(first, second, height)
    np.testing.assert_allclose(box, (-1.05, 1.05, -0.05, 4.05))
    np.testing.assert_allclose([trace["x0"], trace["y0"]], [-1, 0], atol=1e-12)
    np.testing.assert_allclose([trace["dx"], trace["dy"]], 0.1)
    image = Image.open(BytesIO(b64decode(trace["source"].partition(",")[2])))
    assert image.size == (21, 41)
    opacity = np.asarray(image.convert("RGBA"))[..., 3].astype(int)
    assert opacity[10, 10] == opacity.min() < opacity.max() == opacity[40, 0]
    rising = np.argsort(height.ravel())
    assert (np.diff(opacity.ravel()[rising]) >= 0).all()


def test_a_level_surface_is_one_band() -> None:
    trace, _ = surface.bands(np.arange(3.0), np.arange(3.0), np.full((3, 3), 7.0))
    image = Image.open(BytesIO(b64decode(trace["source"].partition(",")[2])))
    assert len(set(np.asarray(image).ravel())) == 1
