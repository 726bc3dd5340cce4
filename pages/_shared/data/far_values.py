"""Values that are far from all others of their column: most are slips of the pen.

A value x is far if |x − m| > 15 · MAD, where m is the median of its column and MAD is the median of
|x − m| over the column. Neither moves when a few values are wrong, however wrong they are. A column
of normal numbers has a value ten standard deviations away once in 10²³ values. Where more than one
value in fifty is that far, the column has a long tail, and none of its values is a slip.
"""

from typing import NamedTuple

import numpy as np

from algorithms.core.work import spend
from pages._shared.data.table import Picks, Table

FAR = 15  # times the MAD
FEWEST = 10  # values of a column: among fewer, none is far from all others
LONG_TAIL = 0.02  # of the values
RULE = (
    f"A value is far if it is more than {FAR} times as far from the median as half of the values "
    "are (median absolute deviation)."
)


class Far(NamedTuple):
    """A value that is far from all others of its column."""

    column: str
    value: float
    line: int  # of the file
    median: float
    times: float  # how many times the MAD it is away from the median


def far_values(table: Table, picks: Picks) -> list[Far]:
    """Return the far values of the columns in use, the farthest first."""
    columns = dict(zip(table.names, table.columns, strict=True))
    found: list[Far] = []
    for name in (picks.x, picks.y, *picks.others):
        spend()
        values = columns[name]
        if name in table.texts or np.isfinite(values).sum() < FEWEST:
            continue
        finite = values[np.isfinite(values)]
        median = np.median(finite)
        with np.errstate(over="ignore"):
            away = np.abs(values - median)
            usual = np.median(away[np.isfinite(values)])
            if usual == 0:
                continue  # most values are the same, and there is no usual distance
            times = away / usual
        far = np.flatnonzero(np.isfinite(values) & (times > FAR))
        if len(far) <= max(1, LONG_TAIL * len(finite)):
            found += [
                Far(name, values[i], int(table.lines[i]), float(median), float(times[i]))
                for i in far
            ]
    return sorted(found, key=lambda far: -far.times)
