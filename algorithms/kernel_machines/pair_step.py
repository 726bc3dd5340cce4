"""A step of a kernel machine whose duals move two at a time: a place in the list of moves."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core.record import Record, Within
from algorithms.kernel_machines.moves import Move, Moves, PairMove
from algorithms.kernel_machines.task import Task


@dataclass(frozen=True, eq=False, slots=True)
class PairStep(Record):
    """The duals after `index` moves; with the bias b, also a model.

    `violation` is the largest slope up of a dual that can rise minus the smallest slope down of one
    that can fall, in the group (task.py) where this is the most. b is half-way between these two,
    on average over the groups. `moves` are those of the whole run.
    """

    final_events: ClassVar = (*Record.final_events, "rounding")

    task: Task
    moves: Moves
    index: int
    violation: float
    bias: float
    dual_objective: float
    event: str | None

    def __post_init__(self) -> None:
        """Copy nothing: there are no arrays, and there may be many thousands of steps."""

    @property
    def determined(self) -> bool:
        """Return whether every run has as many moves.

        Rounding errors choose between pairs that promise equally much.
        """
        return self.event == "stopped at max_iter"

    def certain(self) -> dict[str, Any]:
        """Return the dual objective, as far as a converged run determines it.

        No pair can raise D by more than the violation for each unit of weight that it moves. So D
        is below its maximum by at most the violation times sum |beta|. With a kernel that is not
        positive semi-definite there are several ends, and only that the run converges is certain.
        """
        if self.event not in ("converged", "rounding"):
            return {"index": self.index}
        if not self.task.kernel.definite:
            return {"event": self.event}
        most = max(self.task.tol, self.violation) * float(np.abs(self.coefficients).sum())
        return {"dual_objective": Within(self.dual_objective, most)}

    @property
    def move(self) -> Move | None:
        """Return the move that led here, if one did."""
        return self.moves.move(self.index)

    @property
    def pair(self) -> tuple[int, int] | None:
        """Return (i, j), the duals that moved, if it was a pair."""
        move = self.move
        return (move.i, move.j) if isinstance(move, PairMove) else None

    @property
    def moved(self) -> list[int]:
        """Return whose duals the move changed."""
        return self.moves.moved(self.index)

    @property
    def before(self) -> Float[ndarray, " n"]:
        """Return beta before the move; at the start, beta itself."""
        return self.moves.coefficients(max(self.index - 1, 0))

    @property
    def coefficients(self) -> Float[ndarray, " n"]:
        """Return beta_i of every point."""
        return self.moves.coefficients(self.index)

    @property
    def support(self) -> Int[ndarray, " s"]:
        """Return the indices of the support vectors, the points with beta != 0."""
        return np.flatnonzero(self.coefficients)

    @property
    def outputs(self) -> Float[ndarray, " n"]:
        """Return f(x_i) for the points themselves."""
        return self.moves.sums(self.index) + self.bias

    def output(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return f(x) = sum_i beta_i k(x_i, x) + b for every row of `X`."""
        used = self.support
        return self.coefficients[used] @ self.task.kernel(self.task.points[used], X) + self.bias
