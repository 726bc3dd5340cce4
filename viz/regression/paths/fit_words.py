"""Words for the picture of a linear model: what it shows, and how its features were made."""

from algorithms.regression.paths.regressors import FeatureChoice, Regressors
from viz.core.words import counted


def title(made: Regressors) -> str:
    """Say what the picture shows."""
    fit = "The fitted curve" if made.curve else "The fitted values, and the line at the means"
    return f"{fit} (dotted: at the end)"


def preparation(made: Regressors, choice: FeatureChoice, column: str) -> str:
    """Say what was done to the data before the algorithm saw them. column : on the x axis."""
    held = int(made.held_out.sum())
    split = f"{len(made.y) - held} points are for training (circles), {held} held out (squares)."
    if choice.basis:
        features = f"Features of {column}: {_functions(choice.basis, len(made.names))}"
    else:
        features = f"Features: {', '.join(made.names)}"
    scaled = (
        "each moved to mean 0 and scaled to standard deviation 1 on the training points"
        if choice.standardize
        else "as they are, so the penalty depends on their units"
    )
    line = (
        "" if choice.basis else " The line in the picture holds all other features at their means."
    )
    return f"{split} {features}, {scaled}.{line}"


def _functions(basis: str, count: int) -> str:
    """Say which functions of a column its features are."""
    if basis == "polynomial":
        return counted(count, "power")
    if basis == "Fourier":
        waves = "1 cosine" if count == 1 else f"{count} cosines and sines, the slowest"
        return f"{waves} with the width of the data as its period"
    where = "in the middle of" if count == 1 else "evenly over"
    wide = "as wide as they are apart" if count > 2 else "half as wide as these reach"
    return f"{counted(count, 'Gaussian bump')}, {where} the training points, {wide}"
