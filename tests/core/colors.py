"""What tests of colours share: WCAG's contrast."""

import numpy as np
from numpy import ndarray


def linear(color: str) -> ndarray:
    """Return the linear red, green and blue of a colour."""
    values = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    low, high = sorted(linear(color) @ [0.2126, 0.7152, 0.0722] for color in (first, second))
    return (high + 0.05) / (low + 0.05)
