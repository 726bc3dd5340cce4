"""Notes on the preprocessing of the columns, and on the scales of the axes."""

from collections.abc import Sequence

from algorithms.core.features import PolynomialFeatures
from viz.core.scene import Plane
from viz.core.words import added, number


def scales(data: Plane) -> str:
    """Write a warning if lengths along the two axes cannot be compared, else ""."""
    left, right, bottom, top = data.bounds
    if abs((right - left) - (top - bottom)) <= 1e-9 * (right - left):
        return ""
    return "The two axes have different scales, so lengths along them cannot be compared by eye."


def preprocessing(features: PolynomialFeatures, columns: Sequence[str]) -> str:
    """Write how the columns are preprocessed before the algorithm sees them."""
    if (features.spread == 1).all() and (features.scale == 1).all():
        return f"The features {', '.join(features.names)} are not standardised."
    shifts = [
        f"({name} {added(-center)}) / {number(spread)}"
        for name, center, spread in zip(columns, features.center, features.spread, strict=True)
    ]
    if len(features.names) == len(columns):
        return f"The features are standardised: {', '.join(shifts)}."
    return (
        f"The columns are standardised, {', '.join(shifts)}, and then their {len(features.names)} "
        f"products {', '.join(features.names)}."
    )
