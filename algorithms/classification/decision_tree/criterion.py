"""How ID3 compares attributes: by gain, by gain ratio, or by gain and cost."""

from dataclasses import dataclass
from math import isfinite

from algorithms.core import validate

TAN, NUNEZ = "Tan-Schlimmer", "Nunez"  # who proposed them
FORMULAS = {TAN: "gain² / cost", NUNEZ: "(2^gain − 1) / (cost + 1)^w"}
CRITERIA = ("gain", "gain ratio", TAN, NUNEZ)


@dataclass(frozen=True)
class Criterion:
    """The parameters of `id3`, whose docstring explains them, checked.

    costs : one for every attribute, above 0; needed by the two criteria with costs. w : from 0, at
    which costs do not count, to 1.
    """

    name: str = "gain"
    costs: tuple[float, ...] = ()
    w: float = 1.0

    def __post_init__(self) -> None:
        """Raise ValueError unless these parameters can compare attributes."""
        validate.choice("criterion", self.name, CRITERIA)
        for cost in self.costs:
            if not (isfinite(cost) and cost > 0):
                raise ValueError(f"costs must be finite and above 0, got {cost!r}")
        if validate.number("w", self.w) > 1:
            raise ValueError(f"w must be at most 1, got w={self.w!r}")

    @property
    def counts_costs(self) -> bool:
        """Return whether the costs count."""
        return self.name in FORMULAS

    def score(self, A: int, gain: float, split_info: float) -> float:
        """Return the score of an attribute. split_info : the entropy of the sizes |S_v|."""
        if self.name == "gain ratio" and split_info > 0:
            return gain / split_info
        if self.name == TAN:
            return gain**2 / self.costs[A]
        if self.name == NUNEZ:
            return (2**gain - 1) / (self.costs[A] + 1) ** self.w
        return gain
