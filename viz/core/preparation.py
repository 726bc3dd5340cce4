"""Words on what happens to the columns before an algorithm sees them."""

from collections.abc import Sequence

from algorithms.core.features import PolynomialFeatures
from viz.core.scene import Plane
from viz.core.words import added, number


def scales(data: Plane) -> str:
    """Say that lengths along the two axes cannot be compared, where it is so; else nothing."""
    left, right, bottom, top = data.bounds
    if abs((right - left) - (top - bottom)) <= 1e-9 * (right - left):
        return ""
    return "The picture's axes have scales of their own: their lengths cannot be compared by eye."


def preprocessing(features: PolynomialFeatures, columns: Sequence[str]) -> str:
    """Say what happens to the columns before the algorithm sees them."""
    if (features.spread == 1).all() and (features.scale == 1).all():
        return f"The features {', '.join(features.names)} are used as they are."
    shifts = [
        f"({name} {added(-center)}) / {number(spread)}"
        for name, center, spread in zip(columns, features.center, features.spread, strict=True)
    ]
    if len(features.names) == len(columns):
        return f"The features are standardised: {', '.join(shifts)}."
    return (
        f"The columns are standardised, {', '.join(shifts)}, and so is each of their "
        f"{len(features.names)} products {', '.join(features.names)}."
    )
