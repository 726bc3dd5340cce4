"""Numbers that a picture shows without writing them, for the table beside it.

The table of a view (`pages/_shared/stage/tables.js`) has what its figure writes, and the places of
what it draws. The width of a stroke, a bracket or a shade is no number yet: a view that draws with
those says in `told` what they stand for. The names of the rows stay, and are sent once.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy import ndarray

from viz.core import plane


def told(title: str, of: str, names: Sequence[str], columns: Mapping[str, ndarray]) -> dict:
    """Return the part of a figure that its table adds.

    title : of the table. of : what a row is, such as "weight". names : (m,) of the rows. columns :
    (m,) numbers by their names.
    """
    values = np.stack(list(columns.values()), axis=1).astype(float)
    return {
        "told": {
            "title": title,
            "of": of,
            "names": list(names),
            "columns": list(columns),
            "values": plane.packed(values.ravel()),
        }
    }
