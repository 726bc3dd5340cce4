from io import BytesIO

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from viz.core.png import png


@given(
    cells=arrays(
        np.uint8, st.tuples(st.integers(1, 40), st.integers(1, 40)), elements=st.integers(0, 5)
    ),
    colors=arrays(np.uint8, (6, 3)),
    opacity=arrays(np.uint8, 6),
)
def test_others_read_what_was_written(cells, colors, opacity) -> None:
    picture = Image.open(BytesIO(png(cells, colors, opacity))).convert("RGBA")
    expected = np.column_stack([colors, opacity])[cells]
    np.testing.assert_array_equal(np.asarray(picture), expected)
