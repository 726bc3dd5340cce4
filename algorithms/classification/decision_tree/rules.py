"""The rules by which a tree grows: the ranking of cuts, the order of leaves, and the limits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from algorithms.classification.decision_tree.split import TIE, Split
from algorithms.core import validate

CRITERIA = ("entropy", "gini", "error")
ORDERS = ("best first", "depth first")
Fate = Literal["open", "pure", "max_depth", "min_samples_leaf", "min_gain", "significance"]


@dataclass(frozen=True)
class Rules:
    """The parameters of `decision_tree`, whose docstring explains them, checked."""

    criterion: str = "entropy"
    gain_ratio: bool = False
    order: str = "best first"
    max_depth: int = 5
    min_samples_leaf: int = 1
    min_gain: float = 0.0
    significance: float = 1.0
    corrected: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError unless every rule can be followed."""
        validate.choice("criterion", self.criterion, CRITERIA)
        validate.choice("order", self.order, ORDERS)
        validate.integer("max_depth", self.max_depth, 1)
        validate.integer("min_samples_leaf", self.min_samples_leaf, 1)
        validate.number("min_gain", self.min_gain)
        if validate.number("significance", self.significance) > 1:
            raise ValueError(
                f"significance must be at most 1, got significance={self.significance!r}"
            )

    def admit(self, cuts: Sequence[Split]) -> tuple[Fate, list[Split]]:
        """Return the cuts of a node that may be made, and the fate of the node."""
        if not cuts:
            return "min_samples_leaf", []
        gaining = [cut for cut in cuts if cut.gain >= self.min_gain - TIE]
        if not gaining:
            return "min_gain", []
        tests = sum(cut.tried for cut in cuts) if self.corrected else 1
        level = self.significance
        passing = [cut for cut in gaining if level == 1 or cut.p_value * tests <= level]
        return ("open", passing) if passing else ("significance", [])
