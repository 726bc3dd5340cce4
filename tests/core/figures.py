"""Helpers for tests of pictures: figures are read as the browser reads them."""

import struct
import zlib
from base64 import b64decode
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import numpy as np
import plotly.graph_objects as go

from pages._shared.stage.drawn import opening
from viz.core.frames import difference
from viz.core.scene import Figure, Run, Scene


def unpacked(array: Any) -> np.ndarray:
    """Return the numbers of a typed array, or of a list."""
    if isinstance(array, dict):
        numbers = np.frombuffer(b64decode(array["bdata"]), array["dtype"])
        if array.get("gaps"):
            return np.cumsum(numbers, dtype=int)[numbers < 255]
        return numbers
    return np.asarray(array)


def places(figure: Figure) -> np.ndarray:
    """Return the (m, 2) places of a figure's points."""
    return np.column_stack([unpacked(figure["points"][axis]) for axis in "xy"])


def line(trace: dict) -> np.ndarray:
    """Return the (m, 2) places of a trace."""
    return np.column_stack([unpacked(trace[axis]) for axis in "xy"])


def accepted_by_plotly(figure: Figure) -> go.Figure:
    """Validate a figure with Plotly."""
    return go.Figure(data=figure["data"], layout=figure["layout"])


def merged(base: dict, patch: dict) -> dict:
    """Put a frame's patch into a figure, as the stage does."""
    result = dict(base)
    for name, value in patch.items():
        if name == "data":
            result["data"] = [
                merged(trace, value.get(str(i), {})) for i, trace in enumerate(base["data"])
            ]
        elif isinstance(value, dict) and "bdata" not in value and isinstance(base.get(name), dict):
            result[name] = merged(base[name], value)
        else:
            result[name] = value
    return result


def drawn(scene: Scene, step: int) -> list[Figure]:
    """Draw all views of one step, and check that frames give the same figures."""
    first = [view.draw(0) for view in scene.views]
    figures = [view.draw(step) for view in scene.views]
    for before, after in zip(first, figures, strict=True):
        assert merged(before, difference(before, after)) == after
    return figures


def answer(scene: Scene, steps: Sequence[Any], at: int = 0) -> str:
    """Return the answer to a move as the browser gets it. at : the step that is shown."""
    return opening(uuid4().hex, Run("", steps), scene, at)


def read_png(file: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Return the (rows, columns) indices and the (m, 3) colours of a file that `png` wrote."""
    parts, at = {}, 8
    while at < len(file):
        (length,) = struct.unpack(">I", file[at : at + 4])
        parts[file[at + 4 : at + 8]] = file[at + 8 : at + 8 + length]
        at += 12 + length
    width, height = struct.unpack(">II", parts[b"IHDR"][:8])
    rows = np.frombuffer(zlib.decompress(parts[b"IDAT"]), np.uint8).reshape(height, width + 1)
    return rows[:, 1:], np.frombuffer(parts[b"PLTE"], np.uint8).reshape(-1, 3)
