"""Points in the address: painted or loaded points survive a reload and can be sent to a class.

The text is base64 of compressed bytes: a version, a header in JSON, the columns, and the classes as
one byte each. A column holds the lowest byte of all its numbers first, then the next byte of all,
and so on. Decimals are stored as integers and are restored exactly. Other numbers are, too, if
there is room. If there is not, their distance from the column's minimum is rounded by at most 1
part in 4,096; see `is_exact`.
"""

import json
import struct
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy import ndarray

from algorithms.data.presets import MAX_CLASSES, MAX_ROWS, Dataset
from pages._shared.data.columns import MAX_COLUMNS
from pages._shared.data.decimals import (
    DIGITS,
    FINE,
    MAX_VALUE,
    MOST_PLACES,
    fine_places,
    from_integers,
    is_in_range,
    places_of,
    rounded,
    to_integers,
)
from pages._shared.data.table import one_line
from viz.core.plane import Bounds

LONGEST = 8000  # characters; longer addresses get lost on their way
MOST_BYTES = 256_000  # after unpacking; no text of that length has needed more
VERSION, OF_OLD = 3, 2
BITS = (16, 12)  # precision of numbers for which there is too little room, tried in this order
NARROW = 3  # bytes that a painted number needs at most
ABSENT = "too-many-"  # followed by the number of points, which are not in the address
_STEPS = 65_535  # in links of version 2
_NOT_OURS = (
    ValueError, TypeError, ArithmeticError, LookupError, RecursionError, struct.error, zlib.error,
)  # fmt: skip


class Code(NamedTuple):
    """The encoding of a column's numbers."""

    places: int | None  # decimal places of the integers; None: floating-point numbers
    least: float  # added to all numbers
    width: int  # bytes of each number


def encode(data: Dataset, bounds: Bounds) -> str | None:
    """Return the points as text, or None if there are too many for an address."""
    if data.table.size * 2 > MOST_BYTES:
        return None
    for write in (_exactly, *(partial(_briefly, bits=bits) for bits in BITS)):
        if text := _written(data, bounds, write):
            return text
    return None


def is_exact(text: str, data: Dataset) -> bool:
    """Return whether a link with this text restores the data's numbers exactly."""
    return np.array_equal(decode(text)[0].table, data.table)


def absent(count: int) -> str:
    """Return the text of an address that leaves out this number of points."""
    return f"{ABSENT}{count}"


def as_painted(data: Dataset, bounds: Bounds, fine: int = FINE) -> Dataset:
    """Round the columns that need more room than painted points, by default as those are."""
    table = data.table.copy()
    for j in range(table.shape[1]):
        if _exactly(table[:, j])[0].width > NARROW:
            spread = {data.x: bounds[1] - bounds[0], data.y: bounds[3] - bounds[2]}.get(j)
            spread = spread or np.ptp(table[:, j]) or np.abs(table[:, j]).max()
            table[:, j] = rounded(table[:, j], fine_places(spread, fine))
    return replace(data, table=table)


def on_plane(data: Dataset) -> Dataset:
    """Return the data with the two columns on the axes only."""
    columns = (data.columns[data.x], data.columns[data.y])
    return replace(data, table=data.X, columns=columns, x=0, y=1)


def _written(
    data: Dataset, bounds: Bounds, write: Callable[[ndarray], tuple[Code, bytes]]
) -> str | None:
    columns = [write(column) for column in data.table.T]
    header = [data.name, data.columns, data.classes, data.x, data.y, bounds]
    about = json.dumps([*header, [code for code, _ in columns]]).encode()
    raw = struct.pack("<BHH", VERSION, len(about), len(data.table)) + about
    raw += b"".join(written for _, written in columns) + data.labels.astype(np.uint8).tobytes()
    text = urlsafe_b64encode(zlib.compress(raw, 9)).decode().rstrip("=")
    return text if len(text) <= LONGEST and len(raw) <= MOST_BYTES else None


def _exactly(column: ndarray) -> tuple[Code, bytes]:
    """Write numbers so that they are restored exactly."""
    if (places := places_of(column)) is None:
        return Code(None, 0.0, 8), _by_bytes(column.astype("<f8"), 8)
    integers = to_integers(column, places)
    least = float(integers.min()) if len(column) else 0.0
    above = (integers - least).astype("<u8")
    width = max(1, (int(above.max(initial=0)).bit_length() + 7) // 8)
    return Code(places, least, width), _by_bytes(above, width)


def _briefly(column: ndarray, bits: int) -> tuple[Code, bytes]:
    """Write numbers with fewer digits if they would take much room."""
    code, written = _exactly(column)
    if code.width <= NARROW:
        return code, written
    least = float(column.min())
    share, exponent = np.frexp(column - least)
    above = np.ldexp(np.rint(share * 2**bits) / 2**bits, exponent)
    return Code(None, least, 8), _by_bytes(above.astype("<f8"), 8)


def _by_bytes(numbers: ndarray, width: int) -> bytes:
    """Return the lowest byte of all numbers, then the next: equal bytes together compress well."""
    return numbers.view(np.uint8).reshape(-1, 8)[:, :width].T.tobytes()


def _read(code: Code, n: int, written: bytes) -> ndarray:
    parts = np.zeros((n, 8), np.uint8)
    parts[:, : code.width] = np.frombuffer(written, np.uint8).reshape(code.width, n).T
    if code.places is None:
        return code.least + parts.view("<f8")[:, 0]
    return from_integers(code.least + parts.view("<u8")[:, 0].astype(float), code.places)


def decode(text: str) -> tuple[Dataset, Bounds]:
    """Read what `encode` wrote. Raises ValueError, with a sentence, for anything else."""
    if text.startswith(ABSENT) and (count := text[len(ABSENT) :])[:5].isdecimal():
        raise ValueError(
            f"{count[:5]} points were too many for an address; load their file again, or the one "
            "saved with “Download”"
        )
    try:
        data, bounds = _decode(text)
    except _NOT_OURS as error:
        raise ValueError("the points in it cannot be read") from error
    return data, bounds


def _decode(text: str) -> tuple[Dataset, Bounds]:
    if len(text) > LONGEST:
        raise ValueError("too long")
    unpacker = zlib.decompressobj()
    raw = unpacker.decompress(urlsafe_b64decode(text + "=" * (-len(text) % 4)), MOST_BYTES)
    version, length, n = struct.unpack_from("<BHH", raw)
    if version not in (VERSION, OF_OLD) or n > MAX_ROWS or not unpacker.eof:
        raise ValueError("not what encode wrote")
    header, body = json.loads(raw[5 : 5 + length]), raw[5 + length :]
    if version == OF_OLD:
        *names, bounds, table = _of_old(header, n, body)
    else:
        *names, bounds, codes = header
        table = _table([_code(code) for code in codes], n, body)
    labels = np.frombuffer(body[len(body) - n :], np.uint8).astype(np.int64)
    data = _data_set(names, table, labels)
    left, right, bottom, top = map(float, bounds)
    if not (left < right and bottom < top and np.abs([left, right, bottom, top]).max() <= 1e13):
        raise ValueError("out of range")
    bounds = (left, right, bottom, top)
    return (as_painted(data, bounds) if version == OF_OLD else data), bounds


def _data_set(names: list, table: ndarray, labels: ndarray) -> Dataset:
    """Return the data set of a link. Raise ValueError unless the app could have written it."""
    name, columns, classes, x, y = names
    c = table.shape[1]
    words = [name, *columns, *classes]
    if not all(isinstance(word, str) and word and one_line(word) == word for word in words):
        raise ValueError("names are missing")
    if len(set(columns)) != len(columns) or len(set(classes)) != len(classes):
        raise ValueError("two names are the same")
    if not (type(x) is type(y) is int and 0 <= x < c and 0 <= y < c and x != y):
        raise ValueError("axes are missing")
    if not 2 <= c == len(columns) <= MAX_COLUMNS:
        raise ValueError("columns are missing")
    if not np.isfinite(table).all() or not all(map(is_in_range, table.T)):
        raise ValueError("out of range")
    if not 1 <= len(classes) <= MAX_CLASSES or labels.max(initial=0) >= len(classes):
        raise ValueError("unknown class")
    return Dataset(name, table, tuple(columns), labels, tuple(classes), x=x, y=y)


def _code(found: Any) -> Code:
    places, least, width = found
    if not (places is None or (type(places) is int and abs(places) <= MOST_PLACES + DIGITS)):
        raise ValueError("not a number of places")
    if type(width) is not int or not 1 <= width <= 8 or not abs(float(least)) <= 1e16:
        raise ValueError("not a number")
    return Code(places, float(least), width)


def _table(codes: list[Code], n: int, body: bytes) -> ndarray:
    ends = n * np.cumsum([0, *(code.width for code in codes)])
    if len(body) != ends[-1] + n:
        raise ValueError("columns are missing")
    parts = zip(codes, ends[:-1], ends[1:], strict=True)
    with np.errstate(all="ignore"):  # infinite results are refused later
        return np.column_stack([_read(code, n, body[a:b]) for code, a, b in parts])


def _of_old(header: list, n: int, body: bytes) -> list:
    """Read a link of version 2, which holds each number as a 16-bit share of its column's range."""
    *names, ranges = header
    x, y = names[3:]
    low, high = np.array([(float(start), float(end)) for start, end in ranges]).T
    c = len(ranges)
    if len(body) != (2 * c + 1) * n:
        raise ValueError("columns are missing")
    shares = np.frombuffer(body, "<u2", c * n).reshape(c, n).T
    if not ((low < high).all() and max(np.abs(low).max(), np.abs(high).max()) <= MAX_VALUE * 10):
        raise ValueError("out of range")
    return [*names, (*ranges[x], *ranges[y]), low + shares / _STEPS * (high - low)]
