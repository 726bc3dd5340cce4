"""Points in the address: what was drawn or loaded survives a reload and can be sent to a class.

The text is base64 of compressed bytes: a version, a header of JSON (names, classes, the stretch of
plane), then x and y of every point as 16-bit shares of that stretch, then the classes, a byte each.
"""

import json
import math
import struct
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode

import numpy as np

from algorithms.datasets import MAX_CLASSES, MAX_ROWS, Dataset
from viz.plane import Bounds

LONGEST = 8000  # characters; longer addresses get lost on their way
MOST_BYTES = 64_000  # unpacked: more than MAX_ROWS points need
VERSION = 1
STEPS = 65_535  # places along each axis


def encode(data: Dataset, bounds: Bounds) -> str | None:
    """Give the points on the plane as text, or None when they are too many for an address."""
    low, span = np.array(bounds[::2]), np.array(bounds[1::2]) - np.array(bounds[::2])
    shares = np.rint((data.X - low) / span * STEPS).clip(0, STEPS).astype("<u2")
    names = [data.columns[data.x], data.columns[data.y]]
    header = json.dumps([data.name, names, data.classes, bounds]).encode()
    raw = struct.pack("<BHH", VERSION, len(header), len(data.X)) + header
    raw += shares.T.tobytes() + data.labels.astype(np.uint8).tobytes()
    text = urlsafe_b64encode(zlib.compress(raw, 9)).decode().rstrip("=")
    return text if len(text) <= LONGEST else None


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
    if version != VERSION or n > MAX_ROWS or len(body) != 5 * n or not unpacker.eof:
        raise ValueError("not what encode wrote")
    name, columns, classes, bounds = json.loads(raw[5 : 5 + length])
    words = [name, *columns, *classes]
    if len(columns) != 2 or not all(isinstance(word, str) and len(word) <= 60 for word in words):
        raise ValueError("names are missing")
    left, right, bottom, top = (float(edge) for edge in bounds)
    if not (left < right and bottom < top and all(map(math.isfinite, (left, right, bottom, top)))):
        raise ValueError("no stretch of plane")
    if max(map(abs, (left, right, bottom, top))) > 1e13:
        raise ValueError("out of range")
    shares = np.frombuffer(body, "<u2", 2 * n).reshape(2, n).T / STEPS
    labels = np.frombuffer(body, np.uint8, n, 4 * n).astype(np.int64)
    if not 1 <= len(classes) <= MAX_CLASSES or (n and labels.max() >= len(classes)):
        raise ValueError("unknown class")
    X = np.array([left, bottom]) + shares * np.array([right - left, top - bottom])
    return Dataset(name, X, tuple(columns), labels, tuple(classes)), (left, right, bottom, top)
