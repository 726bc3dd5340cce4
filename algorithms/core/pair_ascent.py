"""Sequential minimal optimisation for kernel machines whose duals add up to a constant.

    maximise  D(beta) = c.beta - epsilon sum_i |beta_i| - 1/2 sum_ij beta_i beta_j K_ij
    subject to  low_i <= beta_i <= high_i,  sum_i beta_i as at the start

Support vector regression has c = y, and the one-class machine c = 0 and epsilon = 0. The smallest
step moves two. With o_i = sum_j K_ij beta_j, the slopes of D for a dual that rises or falls are

    up_i   = c_i - o_i - epsilon   where beta_i >= 0,   c_i - o_i + epsilon   where beta_i < 0
    down_j = c_j - o_j - epsilon   where beta_j > 0,    c_j - o_j + epsilon   where beta_j <= 0

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
BETWEEN = 5  # pairs at least between two such moves, of which each takes as long as ten pairs
FEW = 400  # points: for so many the whole kernel matrix is made at once
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

    def landed(self, index: int) -> list[float]:
        """Return where the move to step `index` took these duals."""
        return list(self._after[self._ends[index - 1] : self._ends[index]]) if index else []

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
    ascent = _Ascent(task, log.start)
    if not task.kernel.definite:
        pairs = max_iter
    for index in range(max_iter + 1):
        spend(20.0 * len(task.points))
        j, top, bottom = ascent.extremes()
        yield State(index, top - bottom, (top + bottom) / 2, ascent.objective)
        if top - bottom <= tol or index == max_iter:
            return
        if index >= pairs and (all_free := ascent.move_free()):
            move, moved = all_free, all_free.members.tolist()
            pairs = index + 1 + max(BETWEEN, len(moved) // 2)
        else:
            move = ascent.move_pair(j, bottom)
            moved = move.i, move.j
        log.append(move, moved, [ascent.beta[i] for i in moved])


class _Ascent:
    """Where a run stands: beta, D, and for every point c - o, up and down.

    These three are rows of one array, as a move takes the same from all; infinity survives it.
    With few points a pass over them takes less time than calling NumPy does, so what is asked for
    one by one is in no NumPy array.
    """

    def __init__(self, task: Task, start: Float[ndarray, " n"]) -> None:
        self.task, self.beta, self._rows = task, array("d", start), _Rows(task)
        self._low, self._high = task.low.tolist(), task.high.tolist()
        outputs = self._rows.outputs(start)
        sizes = np.abs(start).sum()
        self.objective = float(start @ (task.linear - outputs / 2) - task.epsilon * sizes)
        self._table = np.tile(task.linear - outputs, (3, 1))
        self._slopes, self._up, self._down = self._table
        self._change = np.empty(len(start))
        self._update(start)

    def extremes(self) -> tuple[int, float, float]:
        """Return j, the largest up of all that can rise, and the least down: that of j."""
        j = int(self._down.argmin())
        top, bottom = self._up.item(self._up.argmax()), self._down.item(j)
        # If all are at their upper bounds, nothing can move.
        return j, (bottom if top == -np.inf else top), bottom

    def move_pair(self, j: int, bottom: float) -> PairMove:
        """Let j fall, and the other one rise that gains the most by it."""
        rows, beta, change = self._rows, self.beta, self._change
        row_j = rows[j]
        np.subtract(self._up, bottom, out=change)
        np.multiply(change, rows.weights(j), out=change)
        i = int(change.argmax())
        slope = self._up.item(i) - bottom
        curvature = max(rows.diagonal[i] + rows.diagonal[j] - 2 * row_j.item(i), rows.flattest)
        wanted = slope / curvature
        room_i = _room(beta[i], self._high[i], self.task.epsilon)
        room_j = _room(-beta[j], -self._low[j], self.task.epsilon)
        taken = min(wanted, room_i, room_j)
        beta[i] = _landed(beta[i], taken, room_i)
        beta[j] = -_landed(-beta[j], taken, room_j)
        np.subtract(rows[i], row_j, out=change)
        np.multiply(change, taken, out=change)
        np.subtract(self._table, change, out=self._table)
        self._update_one(i)
        self._update_one(j)
        self.objective += taken * (slope - taken * curvature / 2)
        return PairMove(i, j, slope, curvature, wanted, taken)

    def move_free(self) -> FreeMove | None:
        """Take all free duals to their common best place; None, and nothing moves, if it fails."""
        task, beta = self.task, np.frombuffer(self.beta)
        # With a tube, each stays on its side of 0: there its slope is smooth.
        sign = np.sign(beta) if task.epsilon > 0 else np.ones(len(beta))
        low = np.where(sign > 0, np.maximum(task.low, 0 if task.epsilon > 0 else -np.inf), task.low)
        high = np.where(sign > 0, task.high, np.minimum(task.high, 0))
        members = np.flatnonzero((beta > low) & (beta < high) & (sign != 0))
        if not 2 <= len(members) <= MOST_FREE:
            return None
        rows = np.stack([self._rows[i] for i in members.tolist()])
        g = (self._slopes - task.epsilon * sign)[members]
        try:
            after = highest(rows[:, members], g, beta[members], low[members], high[members])
        except np.linalg.LinAlgError:
            return None
        change = after - beta[members]
        gain = float(change @ g - change @ rows[:, members] @ change / 2)
        if gain <= 0:
            return None
        beta[members] = after
        self.objective += gain
        self._slopes -= change @ rows
        self._update(beta)
        ended = (after == low[members]) | (after == high[members])
        return FreeMove(frozen(members), int(ended.sum()))

    def _update(self, beta: Float[ndarray, " n"]) -> None:
        """Work out up and down of all points; infinite where a dual cannot rise, or fall."""
        slopes, task = self._slopes, self.task
        self._up[:] = np.where(beta < 0, slopes + task.epsilon, slopes - task.epsilon)
        self._down[:] = np.where(beta > 0, slopes - task.epsilon, slopes + task.epsilon)
        self._up[beta >= task.high], self._down[beta <= task.low] = -np.inf, np.inf

    def _update_one(self, i: int) -> None:
        """Do the same for a point whose dual has moved."""
        slope, beta, epsilon = self._slopes.item(i), self.beta[i], self.task.epsilon
        up = slope + epsilon if beta < 0 else slope - epsilon
        down = slope - epsilon if beta > 0 else slope + epsilon
        self._up[i] = up if beta < self._high[i] else -np.inf
        self._down[i] = down if beta > self._low[i] else np.inf


def _room(beta: float, high: float, epsilon: float) -> float:
    """Return how far a dual may rise: to its bound, or to 0 first where the slope changes there."""
    return -beta if epsilon > 0 and beta < 0 else high - beta


def _landed(beta: float, taken: float, room: float) -> float:
    """Return a dual after its rise, exactly at the end of its room if it went so far."""
    return beta + room if taken >= room else beta + taken


class _Rows:
    """The rows of the kernel matrix, made when they are needed, and what the choice makes of them.

    For few points the whole matrix costs less than its rows one by one.
    """

    def __init__(self, task: Task) -> None:
        self._kernel, self._points = task.kernel, task.points
        self._kept: dict[int, ndarray] = {}
        self._weights: dict[int, ndarray] = {}
        self._diagonal = task.kernel.diagonal(task.points)
        self.diagonal: list[float] = self._diagonal.tolist()
        self.flattest = FLATTEST * float(np.abs(self._diagonal).max()) or FLATTEST
        if len(self._points) <= FEW:
            self._kept = dict(enumerate(self._kernel(self._points, self._points)))

    def __getitem__(self, i: int) -> Float[ndarray, " n"]:
        row = self._kept.get(i)
        if row is None:
            self._make_room()
            row = self._kept[i] = self._kernel(self._points[i : i + 1], self._points)[0]
        return row

    def weights(self, j: int) -> Float[ndarray, " n"]:
        """Return 1 / sqrt(eta) of every pair with j."""
        weights = self._weights.get(j)
        if weights is None:
            curvature = self[j] * -2
            curvature += self._diagonal
            curvature += self.diagonal[j]
            np.maximum(curvature, self.flattest, out=curvature)
            np.sqrt(curvature, out=curvature)
            self._make_room()
            weights = self._weights[j] = np.divide(1, curvature, out=curvature)
        return weights

    def outputs(self, beta: Float[ndarray, " n"]) -> Float[ndarray, " n"]:
        """Return sum_j K_ij beta_j for every point."""
        total = np.zeros(len(beta))
        used = np.flatnonzero(beta)
        for first in range(0, len(used), 256):
            block = used[first : first + 256]
            total += beta[block] @ self._kernel(self._points[block], self._points)
        return total

    def _make_room(self) -> None:
        if (len(self._kept) + len(self._weights) + 1) * len(self._points) > CACHED:
            self._kept.clear()
            self._weights.clear()
