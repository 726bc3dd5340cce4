"""Points in the address: what was drawn or loaded survives a reload and can be sent to a class.

The text is base64 of compressed bytes: a version, a header of JSON (names, classes, the columns on
the axes, and each column's range, which for these two is the picture's), then the columns, every
number as a 16-bit share of its range, then the classes, a byte each.
"""

import json
import struct
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import replace

import numpy as np

from algorithms.data.presets import MAX_CLASSES, MAX_ROWS, Dataset
from pages._shared.data.columns import MAX_COLUMNS
from viz.core.plane import Bounds

LONGEST = 8000  # characters; longer addresses get lost on their way
MOST_BYTES = 64_000  # unpacked: more than any text of that length holds
VERSION = 2
STEPS = 65_535  # places along each axis


def encode(data: Dataset, bounds: Bounds) -> str | None:
    """Give the points as text, or None when they are too many for an address."""
    ranges, shares = _shares(data, bounds)
    header = [data.name, data.columns, data.classes, data.x, data.y, ranges]
    about = json.dumps(header).encode()
    raw = struct.pack("<BHH", VERSION, len(about), len(shares)) + about
    raw += shares.T.tobytes() + data.labels.astype(np.uint8).tobytes()
    text = urlsafe_b64encode(zlib.compress(raw, 9)).decode().rstrip("=")
    return text if len(text) <= LONGEST and len(raw) <= MOST_BYTES else None


def as_read(data: Dataset, bounds: Bounds) -> Dataset:
    """Give the data set as who opens the link has it: every number is one of 65,536 of its range.

    Of that one the link is exact.
    """
    ranges, shares = _shares(data, bounds)
    return replace(data, table=_table(ranges, shares))


def on_plane(data: Dataset) -> Dataset:
    """Keep the two columns on the axes."""
    columns = (data.columns[data.x], data.columns[data.y])
    return replace(data, table=data.X, columns=columns, x=0, y=1)


def _shares(data: Dataset, bounds: Bounds) -> tuple[list[tuple[float, float]], np.ndarray]:
    """Give each column's range, and every number as a share of it."""
    ranges = [_range(column) for column in data.table.T]
    ranges[data.x], ranges[data.y] = bounds[:2], bounds[2:]
    low, high = np.array(ranges).T
    shares = np.rint((data.table - low) / (high - low) * STEPS).clip(0, STEPS)
    return ranges, shares.astype("<u2")


def _table(ranges: list[tuple[float, float]], shares: np.ndarray) -> np.ndarray:
    low, high = np.array(ranges, float).T
    return low + shares / STEPS * (high - low)


def _range(column: np.ndarray) -> tuple[float, float]:
    if not len(column):
        return 0.0, 1.0
    low, high = float(column.min()), float(column.max())
    return low, high if low < high else low + 1e-9 * (1 + abs(low))


def decode(text: str) -> tuple[Dataset, Bounds]:
    """Read what `encode` wrote. Raises ValueError, with a sentence, for anything else."""
    try:
        return _decode(text)
    except (ValueError, TypeError, RecursionError, struct.error, zlib.error) as error:
        raise ValueError("the points in it cannot be read") from error


def _decode(text: str) -> tuple[Dataset, Bounds]:
    if len(text) > LONGEST:
        raise ValueError("too long")
    unpacker = zlib.decompressobj()
    raw = unpacker.decompress(urlsafe_b64decode(text + "=" * (-len(text) % 4)), MOST_BYTES)
    version, length, n = struct.unpack_from("<BHH", raw)
    body = raw[5 + length :]
    if version != VERSION or n > MAX_ROWS or not unpacker.eof:
        raise ValueError("not what encode wrote")
    name, columns, classes, x, y, ranges = json.loads(raw[5 : 5 + length])
    words, c = [name, *columns, *classes], len(columns)
    if not all(isinstance(word, str) and len(word) <= 60 for word in words):
        raise ValueError("names are missing")
    if not 2 <= c <= MAX_COLUMNS or len(body) != (2 * c + 1) * n or len(ranges) != c:
        raise ValueError("columns are missing")
    low, high = np.array([(float(start), float(end)) for start, end in ranges]).T
    if not ((low < high).all() and max(np.abs(low).max(), np.abs(high).max()) <= 1e13):
        raise ValueError("out of range")
    shares = np.frombuffer(body, "<u2", c * n).reshape(c, n).T
    labels = np.frombuffer(body, np.uint8, n, 2 * c * n).astype(np.int64)
    if not 1 <= len(classes) <= MAX_CLASSES or (n and labels.max() >= len(classes)):
        raise ValueError("unknown class")
    data = Dataset(name, _table(ranges, shares), tuple(columns), labels, tuple(classes), x=x, y=y)
    left, right, bottom, top = (float(v) for v in (low[x], high[x], low[y], high[y]))
    return data, (left, right, bottom, top)
