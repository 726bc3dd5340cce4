"""Sequential minimal optimisation for kernel machines whose duals add up to a constant.

    maximise  D(beta) = c.beta - epsilon sum_i |beta_i| - 1/2 sum_ij beta_i beta_j K_ij
    subject to  low_i <= beta_i <= high_i,  sum_i beta_i as at the start

Support vector regression has c = y, and the one-class machine c = 0 and epsilon = 0. The smallest
step moves two. With o_i = sum_j K_ij beta_j, the slopes of D for a dual that rises or falls are

    up_i   = c_i - o_i - epsilon   (+ epsilon where beta_i < 0)
    down_j = c_j - o_j - epsilon   (+ epsilon where beta_j <= 0)

At the optimum no up is above any down. Update rule:

    choose   j with the least down of those that can fall,
             then i of those that can rise with the largest (up_i - down_j)^2 / eta_ij
    move     lambda = (up_i - down_j) / eta_ij,  eta_ij = K_ii + K_jj - 2 K_ij, cut off at the box
             and, if epsilon > 0, where a beta would pass 0, for there its slope changes
             beta_i <- beta_i + lambda,  beta_j <- beta_j - lambda

until the violation, the largest up less the least down, is at most tol. Every move raises D; the
bias of the machine is half-way between the two. After `pairs` moves all free duals, those at no
bound and not at 0, go to their common best place at once (box_newton.py), in turn with further
pairs: with a large C the pairs alone would creep for ever.

Cost: O(n) a move, O(n d) once for every row of K that is needed, O(f^3) for f free duals at once.

Source: CS725 21.7 and 22 (000:3668-3765); Platt 1998; Fan, Chen and Lin 2005 (the choice of i).
"""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.core.box_newton import highest
from algorithms.core.kernels import Kernel
from algorithms.core.record import Record, frozen
from algorithms.core.work import spend

MOST_FREE = 1000  # more equations than that take longer than pairs do
FLATTEST = 1e-12  # of the largest K_ii: the curvature of a direction that has none
CACHED = 4_000_000  # numbers of K kept at most (32 MB)


class Task(NamedTuple):
    """What is to be maximised: the points with their kernel, c, epsilon and the box."""

    points: Float[ndarray, "n d"]
    kernel: Kernel
    linear: Float[ndarray, " n"]
    epsilon: float
    low: Float[ndarray, " n"]
    high: Float[ndarray, " n"]


class PairMove(NamedTuple):
    """A move of two: i rises by `taken` and j falls by it, of the `wanted` that would be best."""

    i: int
    j: int
    slope: float  # up_i - down_j
    curvature: float  # eta_ij
    wanted: float
    taken: float


class FreeMove(NamedTuple):
    """A move of all free duals at once; `bounded` of them reached a bound, or 0."""

    members: Int[ndarray, " f"]
    bounded: int


class State(NamedTuple):
    """Where a run stands after so many moves: what is left to be done, the bias, and D."""

    moves: int
    violation: float
    bias: float
    objective: float


@dataclass(eq=False)
class PairLog:
    """The moves of a run, kept once for all its steps, which look at those before them only."""

    start: Float[ndarray, " n"]

    def __post_init__(self) -> None:
        """Begin without moves."""
        self._moved, self._after, self._ends = array("l"), array("d"), array("l", [0])
        self._moves: list[PairMove | FreeMove] = []
        self._latest: tuple[int, ndarray] = (0, frozen(self.start))

    def __eq__(self, other: object) -> bool:
        """Whether the same duals went to the same values."""
        if not isinstance(other, PairLog):
            return NotImplemented
        alike = np.array_equal(self.start, other.start) and self._moved == other._moved
        return alike and self._after == other._after

    __hash__ = None  # type: ignore[assignment]

    def append(
        self, move: PairMove | FreeMove, moved: Sequence[int], after: Sequence[float]
    ) -> None:
        """Add a move. moved, after : whose duals, and what they are now, exactly."""
        self._moves.append(move)
        self._moved.extend(moved)
        self._after.extend(after)
        self._ends.append(len(self._moved))

    def move(self, index: int) -> PairMove | FreeMove | None:
        """Return the move that led to step `index`, if one did."""
        return self._moves[index - 1] if index else None

    def moved(self, index: int) -> list[int]:
        """Return whose duals the move to step `index` changed."""
        return list(self._moved[self._ends[index - 1] : self._ends[index]]) if index else []

    def coefficients(self, index: int) -> Float[ndarray, " n"]:
        """Return beta after so many moves."""
        if self._latest[0] != index:
            beta = self.start.copy()
            # Of many values of one dual the last one stays.
            end = self._ends[index]
            beta[list(self._moved[:end])] = self._after[:end]
            self._latest = (index, frozen(beta))
        return self._latest[1]


@dataclass(frozen=True, eq=False)
class PairStep(Record):
    """A step of a machine whose duals are moved so: the run's task and log, and where it stands."""

    task: Task
    log: PairLog
    state: State

    @property
    def index(self) -> int:
        """The number of moves."""
        return self.state.moves

    @property
    def bias(self) -> float:
        """Return b."""
        return self.state.bias

    @property
    def dual_objective(self) -> float:
        """Return D."""
        return self.state.objective

    @property
    def move(self) -> PairMove | FreeMove | None:
        """Return the move that led here, if one did."""
        return self.log.move(self.index)

    @property
    def coefficients(self) -> Float[ndarray, " n"]:
        """Return beta_i of every point."""
        return self.log.coefficients(self.index)

    @property
    def support(self) -> Int[ndarray, " s"]:
        """Return the indices of the support vectors, the points with beta != 0."""
        return np.flatnonzero(self.coefficients)

    def output(self, X: Float[ndarray, "m d"]) -> Float[ndarray, " m"]:
        """Return f(x) = sum_i beta_i k(x_i, x) + b for every row of `X`."""
        used = self.support
        return self.coefficients[used] @ self.task.kernel(self.task.points[used], X) + self.bias


def ascend(task: Task, log: PairLog, *, tol: float, max_iter: int, pairs: int) -> Iterator[State]:
    """Yield the state before every move, and the last one; the moves go into `log`.

    All free duals may move at once after so many `pairs`, if the kernel is positive semi-definite.
    """
    ascent = _Ascent(task, log.start.copy())
    if not task.kernel.definite:
        pairs = max_iter
    for index in range(max_iter + 1):
        spend(20.0 * len(task.points))
        up, down = ascent.slopes()
        j, top = int(down.argmin()), float(up.max())
        bottom = float(down[j])
        if np.isinf(top):  # all are at their upper bounds, and nothing can move
            top = bottom
        yield State(index, top - bottom, (top + bottom) / 2, ascent.objective())
        if top - bottom <= tol or index == max_iter:
            return
        if index >= pairs and (all_free := ascent.move_free()):
            pairs = index + 1 + max(1, len(all_free.members) // 2)
            log.append(all_free, all_free.members.tolist(), ascent.beta[all_free.members].tolist())
        else:
            move = ascent.move_pair(up, j, bottom)
            log.append(move, (move.i, move.j), ascent.beta[[move.i, move.j]].tolist())


class _Ascent:
    """Where a run stands: beta, and the outputs o of all points."""

    def __init__(self, task: Task, beta: Float[ndarray, " n"]) -> None:
        self.task, self.beta, self._rows = task, beta, _Rows(task)
        self._outputs = self._rows.outputs(beta)

    def slopes(self) -> tuple[Float[ndarray, " n"], Float[ndarray, " n"]]:
        """Return up and down; infinite where a dual cannot rise, or fall."""
        task, beta = self.task, self.beta
        slopes = task.linear - self._outputs
        up = np.where(beta < 0, slopes + task.epsilon, slopes - task.epsilon)
        down = np.where(beta > 0, slopes - task.epsilon, slopes + task.epsilon)
        up[beta >= task.high], down[beta <= task.low] = -np.inf, np.inf
        return up, down

    def objective(self) -> float:
        """Return D."""
        task, beta = self.task, self.beta
        return float(beta @ (task.linear - self._outputs / 2) - task.epsilon * np.abs(beta).sum())

    def move_pair(self, up: Float[ndarray, " n"], j: int, bottom: float) -> PairMove:
        """Let j fall, and the other one rise that gains the most by it."""
        task, rows = self.task, self._rows
        eta = np.maximum(rows.diagonal + rows.diagonal[j] - 2 * rows[j], rows.flattest)
        rise = np.maximum(up - bottom, 0)
        i = int((rise * rise / eta).argmax())
        slope, curvature = float(rise[i]), float(eta[i])
        room_i = _room(float(self.beta[i]), float(task.high[i]), task.epsilon)
        room_j = _room(-float(self.beta[j]), -float(task.low[j]), task.epsilon)
        taken = min(slope / curvature, room_i, room_j)
        self.beta[i] = _landed(float(self.beta[i]), taken, room_i)
        self.beta[j] = -_landed(-float(self.beta[j]), taken, room_j)
        self._outputs += taken * (rows[i] - rows[j])
        return PairMove(i, j, slope, curvature, slope / curvature, taken)

    def move_free(self) -> FreeMove | None:
        """Take all free duals to their common best place; None, and nothing moves, if it fails."""
        task, beta = self.task, self.beta
        # With a tube, each stays on its side of 0: there its slope is smooth.
        sign = np.sign(beta) if task.epsilon > 0 else np.ones(len(beta))
        low = np.where(sign > 0, np.maximum(task.low, 0 if task.epsilon > 0 else -np.inf), task.low)
        high = np.where(sign > 0, task.high, np.minimum(task.high, 0))
        members = np.flatnonzero((beta > low) & (beta < high) & (sign != 0))
        if not 2 <= len(members) <= MOST_FREE:
            return None
        rows = np.stack([self._rows[i] for i in members.tolist()])
        g = (task.linear - self._outputs - task.epsilon * sign)[members]
        try:
            after = highest(rows[:, members], g, beta[members], low[members], high[members])
        except np.linalg.LinAlgError:
            return None
        change = after - beta[members]
        if change @ g - change @ rows[:, members] @ change / 2 <= 0:
            return None
        beta[members] = after
        self._outputs += change @ rows
        ended = (after == low[members]) | (after == high[members])
        return FreeMove(frozen(members), int(ended.sum()))


def _room(beta: float, high: float, epsilon: float) -> float:
    """Return how far a dual may rise: to its bound, or to 0 first where the slope changes there."""
    return -beta if epsilon > 0 and beta < 0 else high - beta


def _landed(beta: float, taken: float, room: float) -> float:
    """Return a dual after its rise, exactly at the end of its room if it went so far."""
    return beta + room if taken >= room else beta + taken


class _Rows:
    """The rows of the kernel matrix, made when they are needed."""

    def __init__(self, task: Task) -> None:
        self._kernel, self._points = task.kernel, task.points
        self._kept: dict[int, ndarray] = {}
        self.diagonal = task.kernel.diagonal(task.points)
        self.flattest = FLATTEST * float(np.abs(self.diagonal).max()) or FLATTEST

    def __getitem__(self, i: int) -> Float[ndarray, " n"]:
        row = self._kept.get(i)
        if row is None:
            if (len(self._kept) + 1) * len(self._points) > CACHED:
                self._kept.clear()
            row = self._kept[i] = self._kernel(self._points[i : i + 1], self._points)[0]
        return row

    def outputs(self, beta: Float[ndarray, " n"]) -> Float[ndarray, " n"]:
        """Return sum_j K_ij beta_j for every point."""
        total = np.zeros(len(beta))
        used = np.flatnonzero(beta)
        for first in range(0, len(used), 256):
            block = used[first : first + 256]
            total += beta[block] @ self._kernel(self._points[block], self._points)
        return total
