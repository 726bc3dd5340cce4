"""What all linear models of one target share: what they predict."""

from dataclasses import dataclass

from jaxtyping import Float
from numpy import ndarray

from algorithms.core.record import Record


@dataclass(frozen=True, eq=False)
class LinearModel(Record):
    """The model y = w.x + b."""

    weights: Float[ndarray, " d"]
    intercept: float

    def predict(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return w.x + b for every row of `X`."""
        return X @ self.weights + self.intercept
