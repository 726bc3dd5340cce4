"""Two kernels that are learned: where they answer on every drawing, their weights, the loss."""

import numpy as np
from numpy import ndarray
from numpy.lib.stride_tricks import sliding_window_view
from numpy.random import Generator

from algorithms.networks.convolution.bars_and_dots import kinds
from algorithms.networks.convolution.convolutional_network import (
    SIDE,
    ConvolutionalNetworkStep,
    forward,
    gradient,
)
from viz.core import curves, plane
from viz.core.graph import outlines, texts, without_axes
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, NOW, PALETTE
from viz.core.words import added, counted, decimal, enclosed, listed, number, numbered
from viz.networks.convolution import marks

_COLUMNS = 6  # of the wall of drawings
_GAP, _BELOW = 1.5, 2.2  # cells between drawings, and below them for a number
_FRAMES = (PALETTE[6], PALETTE[2])  # of both kernels; blue and orange are signs
_HEAD = 2.6  # cells for a head above and below all drawings
_HEADS = (
    "Bars: P near 1 is right. Frame: where a kernel answers most",
    "Dots: P near 0 is right. No frame: it answers 0, or by its bias",
)
_KINDS = ("dots", "a bar")
_APART = 0.6  # cells between two kernels


class Learning(Show[ConvolutionalNetworkStep]):
    """One update of all weights after the other."""

    unit = "update"
    opens = 40

    def __init__(self, run: Run, images: ndarray, held: ndarray, rate: float, picked: int) -> None:
        """Find the places of the drawings, and the errors of every step.

        images, held : the drawings that the network learns from, and others. rate : of learning.
        picked : the drawing in the caption.
        """
        super().__init__(run)
        self.images, self.y, self.rate, self.picked = images, kinds(len(images)), rate, picked
        self.held = held
        self.shape = self.steps[0].shape
        truth = kinds(len(held))
        taken = np.array([step.predict(held) != truth for step in self.steps])
        wrong = taken.sum(axis=1).tolist()
        self.missed = wrong
        self.missed_bars = taken[:, truth == 1].sum(axis=1).tolist()
        losses = [step.loss for step in self.steps]
        both = {"loss L": losses, "held-out errors": wrong}
        self.timeline = curves.timeline(both, along=self.unit)
        self.reach = max(float(np.abs(step.kernels).max()) for step in self.steps)
        n, self.cells = len(images), images.shape[1]
        row, column = np.divmod(np.arange(n), _COLUMNS)
        down = np.array([self.cells + _GAP, self.cells + _BELOW])
        self.corners = np.column_stack([column, -row]) * down  # the upper left ones
        rows = -(-n // _COLUMNS)

        across = _COLUMNS * down[0] - _GAP
        self.box = (-0.5, across + 0.5, -rows * down[1] - _HEAD, _HEAD)
        self.heads = np.array([[across / 2, _HEAD], [across / 2, -rows * down[1] - _HEAD / 2]])
        self.sheet = self._sheet()
        count, places = len(self.steps[0].kernels), self.shape.pooling
        own = sum(np.size(part) for part in self.steps[0].weights)
        outputs = count * (self.cells - SIDE + 1) ** 2
        self.note = (
            f"The network learns {own} numbers and nothing else. A fully connected layer from the "
            f"{self.cells**2} cells to the {outputs} numbers of both maps alone has "
            f"{self.cells**2 * outputs:,} weights. {len(held)} drawings are held out. "
            f"Each map is pooled to its {'largest number' if places == 'max' else 'mean'}."
        )

    def views(self) -> list[View]:
        """Return the drawings, the kernels, and loss and errors."""
        return [
            View("The drawings, and the probability P of a bar", self.picture, board=False),
            View("The kernels: blue above 0, orange below", self.kernels, board=False),
            View(
                "Loss, and wrong held-out drawings", self.timeline, ahead="by step", board=False,
            ),
        ]  # fmt: skip

    def picture(self, now: int) -> Figure:
        """Draw all drawings, with P, and the place where each kernel answers most."""
        step = self.steps[now]
        A = forward(self.images, self.shape, step.weights).A
        wide = self.cells - SIDE + 1
        row, column = np.divmod(A.argmax(axis=2), wide)
        seen = np.any(sliding_window_view(self.images, (SIDE, SIDE), axis=(1, 2)), axis=(3, 4))
        black = seen[np.arange(len(A))[:, None], row, column]
        # A kernel that is 0 everywhere has no frame, and none on empty cells: its bias answers.
        row = np.where((A.max(axis=2) > 0) & black, row, np.nan)
        frames = []
        for k, color in enumerate(_FRAMES):
            low = self.corners + np.column_stack([column[:, k], -row[:, k] - SIDE])
            name = f"where kernel {k + 1} has its largest number"
            square = marks.SQUARE * SIDE
            square = square + (0.12 - 0.24 * marks.SQUARE if k else 0.0)  # both are seen
            frames.append(outlines(square, low, line={"width": 2, "color": color}, name=name))
        low = self.corners - [0, self.cells]
        wrong = (step.probabilities > 0.5) != (self.y == 1)
        at = low + np.array([self.cells / 2, -1.35])
        cross = at + np.array([self.cells / 2 - 0.6, 0])
        cross = np.where(wrong[:, None], cross, np.nan)
        mark = {"symbol": 4, "size": 11, "color": NOW}
        written = [f"{p:.2f}" for p in step.probabilities.tolist()]
        traces = [
            self.sheet,
            outlines(
                marks.SQUARE * self.cells, low, line={"width": 1, "color": GREY},
                name="drawing: 12 bars, then 12 times dots",
            ),
            *frames,
            texts(at, written),
            texts(self.heads, _HEADS, textposition=["bottom center", "middle center"]),
            plane.line(cross, mode="markers", marker=mark, name="wrong: the other kind has more"),
            outlines(
                marks.SQUARE * (self.cells + 0.6), low[[self.picked]] - 0.3,
                line={"width": 2, "dash": "dot"}, name="drawing in the caption",
            ),
        ]  # fmt: skip
        return {"data": traces, "layout": without_axes(self.box, alike=True)}

    def kernels(self, now: int) -> Figure:
        """Draw the weights of all kernels, with biases and v below them."""
        step = self.steps[now]
        m, across = len(step.kernels), SIDE + _APART
        row, column = np.divmod(np.arange(SIDE**2), SIDE)
        traces, middles, written = [], [], []
        for k, W in enumerate(step.kernels):
            left = k * across
            box = (left, left + SIDE, -float(SIDE), 0.0)
            traces.append(
                marks.signed(W, self.reach, box, "weight: the stronger, the farther from 0")
            )
            middles.append(np.column_stack([left + column + 0.5, -row - 0.5]))
            written += [number(round(w, 2)) for w in W.ravel().tolist()]
            middles.append(np.array([[left + SIDE / 2, -SIDE - 0.35]]))
            does = "raises" if step.v[k] > 0 else "lowers"
            written.append(f"{numbered('v', k)} = {number(step.v[k])}: {does} P")
        lows = np.column_stack([np.arange(m) * across, np.full(m, -float(SIDE))])
        for k, color in enumerate(_FRAMES):
            rim = {"width": 3, "color": color}
            traces.append(
                outlines(marks.SQUARE * SIDE, lows[[k]], line=rim, name=f"kernel {k + 1}")
            )
        traces.append(texts(np.concatenate(middles), written, textfont={"shadow": "auto"}))
        box = (-0.1, m * across - _APART + 0.1, -SIDE - 0.7, 0.1)
        return {"data": traces, "layout": without_axes(box, alike=True)}

    def caption(self, now: int) -> str:
        """Write the errors, one weight's update with its numbers, and the picked drawing."""
        step = self.steps[now]
        wrong = int(((step.probabilities > 0.5) != (self.y == 1)).sum())
        said = (
            f"{wrong} of {len(self.y)} drawings {'is' if wrong == 1 else 'are'} wrong, and "
            f"{self.missed[now]} of {len(self.held)} held-out ones{self._mistaken(now)}."
        )
        if step.event == "dead kernel":
            said += " A kernel is dead: its ReLU is 0 everywhere."
        return f"{said}\n{self._rule(now)}\n{self._drawing(now)}"

    def _mistaken(self, now: int) -> str:
        """Write which of the held-out drawings are wrong."""
        bars = self.missed_bars[now]
        dots = self.missed[now] - bars
        parts = [f"{counted(bars, 'bar')} taken for dots"] * (bars > 0)
        parts += [f"{counted(dots, 'drawing')} of dots taken for a bar"] * (dots > 0)
        return f": {listed(parts)}" if parts else ""

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether P of the picked drawing rises or falls."""
        i = self.picked
        before, after = (float(self.steps[at].probabilities[i]) for at in (now, now + 1))
        text = (
            f"Drawing {i + 1} is {_KINDS[self.y[i]]}, and its P is {decimal(before)}. "
            "Does the next update make P rise or fall?"
        )
        reason = (
            f"It becomes {decimal(after)}. The update follows the gradient of all "
            f"{len(self.y)} drawings, not that of this one alone."
        )
        return rises_or_falls(text, before, after, reason, least=0.01)

    def _rule(self, now: int) -> str:
        """Write how the middle weight of the first kernel was changed."""
        if now == 0:
            return "Start: all weights are drawn at random; every update moves them downhill."
        before, after = self.steps[now - 1], self.steps[now]
        slope = gradient(self.images, self.y.astype(float), self.shape, before.weights)
        old, by = float(before.kernels[0, 1, 1]), float(slope.kernels[0, 1, 1])
        return (
            "The middle weight of kernel 1 moves against its slope: "
            f"{decimal(old)} − {number(self.rate)} · {enclosed(by)} = "
            f"{decimal(float(after.kernels[0, 1, 1]))}. The loss is {decimal(after.loss)}."
        )

    def _drawing(self, now: int) -> str:
        """Write how the score of the picked drawing comes about."""
        step, i = self.steps[now], self.picked
        found = forward(self.images[[i]], self.shape, step.weights)
        pairs = zip(step.v.tolist(), found.p[0].tolist(), strict=True)
        terms = " + ".join(f"{enclosed(v)} · {enclosed(p)}" for v, p in pairs)
        return (
            f"Drawing {i + 1} (dotted frame), {_KINDS[self.y[i]]}: the kernels' answers, weighted, "
            f"s = {terms} "
            f"{added(step.c)} = {decimal(float(found.s[0]))}, and so P = "
            f"{decimal(float(found.P[0]))}."
        )

    def _sheet(self) -> dict:
        """Draw all drawings as one image, each in its place on the wall."""
        fine = 10  # dots along a cell, so that gaps of any width are in the image
        left, right, bottom, top = self.box
        tall, wide = round((top - bottom) * fine), round((right - left) * fine)
        dots = np.zeros((tall, wide))
        side = self.cells * fine
        for image, (x, y) in zip(self.images, self.corners.tolist(), strict=True):
            i, j = round((top - y) * fine), round((x - left) * fine)
            dots[i : i + side, j : j + side] = np.kron(image, np.ones((fine, fine)))
        return marks.greys(dots, self.box, "black cell")
