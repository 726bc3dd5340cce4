"""k-medoids by PAM, choice by choice."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator
from scipy.spatial.distance import cdist

from algorithms.clustering.k_medoids.k_medoids import KMedoidsStep
from viz.clustering.k_medoids import marks
from viz.clustering.k_medoids.marks import SUMMED
from viz.core import curves, naming, panels, plane
from viz.core.found import Groups
from viz.core.question import Option, Place, Question, apart, question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, color
from viz.core.words import added, counted, fixed, number, place, rounded, vector

_RING = 0.03  # of the picture: radius of a ring with room for words beside it
_POINT = 0.015  # of the picture: radius of a point, with room around it
_SIDES = {"top center": (0, 1), "bottom center": (0, -1), "middle left": (-1, 0),
          "middle right": (1, 0)}  # fmt: skip
_BENT = 0.3  # of the swap's length: how far its path is bent away from the points
_ALONG = np.linspace(0, 1, 201)[:, None]  # the path's places
_DRAWN = 25  # of them are drawn
_CLEAR_OF = 0.03  # of the picture: from the middle of the new medoid to the arc's head
_HEAD = 0.05 * np.array([[-0.8, 0.6], [0, 0], [-0.8, -0.6], [0, 0]])  # of an arc that goes right
_SHORT = 0.3  # of the swap's length: what is beyond the head, at most
_BELOW = 2  # times as much room below no change as above it
_PALE = 0.5  # opacity of a bar whose choice is not made
_ROOM = 0.05  # of the bars' height, above and below them
_COVERED = 0.04  # of the picture: so near, a medoid covers a centre of k-means
_SEEN = 0.04  # of the picture's width: places farther apart can be distinguished
_CLEAR = 1.001  # times as expensive
_SAME = 1e-9  # of a distance: a smaller change may be an error of rounding
_KEY = 0.5, 0.15  # of the picture: room for the words in a corner
_MOST_DECIMALS = 7
_FEW = 8  # steps: every one has its number on the axis
_TRIED = 60  # of the next best points

Means = tuple[ndarray, ndarray, float]


class Swaps(Show[KMedoidsStep]):
    """The choices, what the best of each medoid changes, and k-means' centres."""

    def __init__(self, run: Run, data: Plane, k_means: Means, query: ndarray, init: str) -> None:
        """Write the note, and open the run at its first swap.

        k_means : its centres, labels and inertia. query : a place; the point nearest to it is
        tried. init : how the first medoids are chosen, in words.
        """
        super().__init__(run, data)
        means, _, inertia = k_means
        self.init, self.k = init, len(self.steps[-1].medoids)
        self.picked = int(cdist(query[None], data.X)[0].argmin())
        left, right, bottom, top = data.bounds
        self.size = np.array([right - left, top - bottom])
        places = self.steps[-1].places
        seen = cdist(means / self.size, places / self.size).min(axis=1)
        self.corner = naming.free_corner(data.bounds, data.X, *_KEY)
        self.means = np.where(seen[:, None] > _COVERED, means, np.nan)
        self.pulled = int(seen.argmax())  # the centre of k-means farthest from the medoids
        self.far = float(cdist(means[[self.pulled]], places).min())
        self.costs = [step.cost for step in self.steps]
        self.changes = [self._changes(now) for now in range(len(self.steps))]
        self.history = curves.timeline({"cost": self.costs})
        self.built = sum(step.phase == "build" for step in self.steps) - 1  # the last step of BUILD
        swaps = (now for now, step in enumerate(self.steps) if step.phase == "swap")
        self.opens = next(swaps, 0)
        said = [
            "Numbered: the medoids; each is one of the points.",
            *marks.lines_join(len(data.X)),
            "Thick: it comes nearer to its medoid in this step; dashed: it goes farther.",
            "Bars: what the best swap of each medoid would change; PAM makes the lowest one.",
            "At the end, crosses are the centres of k-means that are not on a medoid, the best "
            f"of 10 runs from k-means++, with an inertia of {number(inertia, 4)}.",
            *marks.few_swaps(len(data.X)),
        ]
        self.note = " ".join(said)

    def views(self) -> list[View]:
        """Return the picture, the best choice for every medoid, and the cost."""
        return [
            View("Points, their medoids, and the swap", self.picture),
            View("Best choice for each medoid: change of cost", self.best),
            View("Cost after every step", self.cost, ahead="by step"),
        ]

    def picture(self, now: int) -> Figure:
        """Draw every point joined to its medoid, and a grey arrow along the swap.

        Thick lines belong to points that come nearer in this step, dashed ones to those that go
        farther. At the end, a cross is where k-means has a centre.
        """
        step, X = self.steps[now], self.data.X
        way = X[[step.gone, step.taken]] if step.gone >= 0 else plane.GAP
        chosen = step.places[[step.place]] if step.phase == "build" else plane.GAP
        cross = {"symbol": 134, "size": 15, "line": {"width": 5}}
        means = self.means if now == len(self.steps) - 1 else np.full_like(self.means, np.nan)
        nearer, farther = self._moved(now)
        longer = np.stack([step.places[step.labels], X, np.full(X.shape, np.nan)], axis=1)[farther]
        if len(X) > marks.MOST_LINKED:
            longer = longer[:0]
        dashed, arc = {"width": 1.25, "dash": "5px,4px"}, {"width": 7, "color": GREY}
        traces = [
            plane.line(self._arc(way), line=arc, opacity=_PALE, name=marks.SWAP),
            plane.line(
                np.concatenate([plane.GAP, *longer]),
                line=dashed,
                name="a point that goes farther from its medoid in this step",
            ),
            plane.rings(way[:1], size=24, line={"width": 4}, name="the medoid before this step"),
            plane.rings(chosen, size=36, line={"width": 3}, name="medoid chosen in this step"),
            plane.line(means, mode="markers", marker=cross, name="centre of k-means"),
            marks.medoids(step.places),
            *self._words(way[0], means[self.pulled], step.places),
            naming.in_corner(self._key(nearer, farther), self.data.bounds, self.corner),
        ]
        return marks.clusters(self.data, traces, step.places, step.labels, moved=(nearer, farther))

    def _arc(self, way: ndarray) -> ndarray:
        """Return an arc along a swap, with a head, bent to the side with fewer points.

        So it is clear of the lines to the new medoid.
        """
        if not np.isfinite(way).all():
            return np.full((_DRAWN + len(_HEAD) + 1, 2), np.nan)
        start, end = way[0] / self.size, way[-1] / self.size
        across = np.array([start[1] - end[1], end[0] - start[0]])
        beside = (self.data.X / self.size - (start + end) / 2) @ across
        near = np.abs(beside) < np.sum(across**2)
        side = -1.0 if np.sum(beside[near] > 0) > np.sum(beside[near] < 0) else 1.0
        bow = 4 * _BENT * side * _ALONG * (1 - _ALONG)
        arc = start + _ALONG * (end - start) + bow * across
        shortened = min(1.0, _SHORT * float(np.linalg.norm(end - start)) / _CLEAR_OF)
        arc = arc[np.linalg.norm(arc - end, axis=1) >= shortened * _CLEAR_OF]
        arc = arc[np.linspace(0, len(arc) - 1, _DRAWN).round().astype(int)]
        ahead = arc[-1] - arc[-2]
        ahead /= np.linalg.norm(ahead) or 1.0
        head = shortened * _HEAD @ np.array([ahead, [-ahead[1], ahead[0]]])
        return np.concatenate([arc, arc[-1] + head, end[None]]) * self.size

    def _moved(self, now: int) -> tuple[ndarray, ndarray]:
        """Return which points come nearer to their medoid in a step, and which go farther."""
        step = self.steps[now]
        if now == 0 or step.taken < 0:
            none = np.zeros(len(step.labels), bool)
            return none, none
        before = self.steps[now - 1].distances
        least = _SAME * np.maximum(before, step.distances)
        return step.distances < before - least, step.distances > before + least

    def _key(self, nearer: ndarray, farther: ndarray) -> str:
        """Write how many points have each kind of line."""
        if len(nearer) > marks.MOST_LINKED or not nearer.any():
            return ""
        up, down = int(np.count_nonzero(farther)), int(np.count_nonzero(nearer))
        dashed = f"<br>dashed: {up} go{'es' * (up == 1)} farther" * (up > 0)
        return f"thick: {down} come{'s' * (down == 1)} nearer{dashed}"

    def _words(self, gone: ndarray, mean: ndarray, places: ndarray) -> list[dict]:
        """Name the medoid that is gone and a centre of k-means, clear of the medoids."""
        ways = np.array(list(_SIDES.values())) * _RING * self.size
        names = []
        for at, text in ((gone, "before"), (mean, "centre of k-means")):
            sides = list(zip(at + ways, _SIDES, strict=True))
            names.append(naming.Name(text * bool(np.isfinite(at).all()), sides, {}))
        rims = (places[:, None] + ways).reshape(-1, 2)
        points = (self.data.X[:, None] + _POINT / _RING * ways).reshape(-1, 2)
        taken = np.concatenate([places, rims, self.data.X, points])
        return naming.clear_names(names, self.data.bounds, taken)

    def best(self, now: int) -> Figure:
        """Draw a bar for every medoid: by how much its best choice changes the cost.

        The choice that the step makes is strong, and the others are faint. The axis fits the step:
        later changes are much smaller.
        """
        step, changes = self.steps[now], self.changes[now]
        high = max(float(changes.max()), -float(changes.min()) / _BELOW) or 1.0
        made = np.arange(self.k) == (step.place if step.taken >= 0 else -1)
        bars = {
            "type": "bar",
            "name": "change of the cost; strong: the choice made",
            "x": list(range(1, self.k + 1)),
            "y": changes.tolist(),
            "width": 0.7,
            "marker": {
                "color": [color(j) for j in range(self.k)],
                "opacity": np.where(made, 1.0, _PALE).tolist(),
            },
            "hoverinfo": "skip",
        }
        stops = step.phase == "swap" and step.taken < 0
        word = {"text": "no bar below 0: stop" * stops, "x": 0.5, "y": 0.3, "showarrow": False}
        what = "chosen" if step.phase == "build" else "replaced"
        across = {"range": [0.4, self.k + 0.6], "showgrid": False}
        across["tickvals"] = list(range(1, self.k + 1))
        across["ticktext"] = [f"{j}<br>{_signed(x)}" for j, x in enumerate(changes.tolist(), 1)]
        zero = {"width": 2, "color": GREY}
        panel = panels.Panel(
            [bars, panels.curve([0.4, self.k + 0.6], [0, 0], line=zero, name="no change")],
            x=across | {"title": {"text": f"medoid that is {what}", "standoff": 4}},
            y={
                "range": [-_BELOW * (1 + _ROOM) * high, (1 + _ROOM) * high],
                "nticks": 5,
                "title": {"text": "change of the cost"},
            },
            annotations=[word],
        )
        figure = panels.alone(panel)
        figure["layout"]["margin"]["b"] = 62
        return figure

    def cost(self, now: int) -> Figure:
        """Draw the cost after every step; a line is between BUILD and the swaps."""
        figure = self.history(now)
        if len(self.steps) <= _FEW:  # Plotly would also write halves of a step
            layout = figure["layout"]
            figure |= {"layout": layout | {"xaxis": layout["xaxis"] | {"dtick": 1}}}
        if self.built < 0:
            return figure
        look = {"y": 1, "yref": "y domain", "yanchor": "top", "showarrow": False}
        words = [
            look | {"text": text, "x": self.built + 0.5, "xanchor": anchor, "xshift": shift}
            for text, anchor, shift in (("BUILD", "right", -6), ("swaps", "left", 6))
        ]
        shapes = [curves.dotted(self.built + 0.5)]
        return figure | {"layout": figure["layout"] | {"shapes": shapes, "annotations": words}}

    def _changes(self, now: int) -> ndarray:
        """Return what the best choice for each medoid changes; 0 where there is none yet. (k,)."""
        step, changes = self.steps[now], np.zeros(self.k)
        if step.phase == "build":  # every choice so far was the best one
            changes[1 : now + 1] = np.diff(self.costs[: now + 1])
        elif step.phase == "swap" and self.k < len(step.labels):
            changes = step.best_swaps - self.costs[now - 1]
        return changes

    def caption(self, now: int) -> str:
        """Write what the step chose, the rule with its numbers, and the picked point."""
        step = self.steps[now]
        if step.phase == "start":
            said = (
                f"Start: {counted(self.k, 'medoid')} ({self.init}); every point joins its nearest "
                f"one.\n{self._cost(now)}."
            )
        elif step.phase == "build":
            said = self._build(now)
        elif step.taken < 0:
            how_many = counted(sum(each.gone >= 0 for each in self.steps), "swap")
            said = (
                f"No swap lowers the cost any more: converged. {self._compared()}\n"
                f"The cost is {number(step.cost, 4)} after {how_many}. {self._closest(step)}"
            )
        else:
            said = self._swap(now)
        return f"{said}\n{self._tried(now)}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the choice of PAM, among others that cost little more."""
        after = self.steps[now + 1]
        if after.taken < 0 or len(after.costs) == 0:
            return None
        least = after.costs.min(axis=0)
        dearer = np.flatnonzero(least > _CLEAR * after.cost)
        others = dearer[np.argsort(least[dearer], kind="stable")][:_TRIED].tolist()
        X = self.data.X.tolist()
        places: list[Place] = [(0, *X[i]) for i in (after.taken, *others)]
        seen = _SEEN * (self.data.bounds[1] - self.data.bounds[0])
        options = [Option(f"the one at {vector(at[1:])}", at) for at in places]
        kept = [options[i] for i in apart(places, seen)]
        reason = f"With it the cost is {number(after.cost, 5)}, the lowest of all choices."
        instead = ", in the place of one of them" if after.phase == "swap" else ""
        return question(f"Which point becomes a medoid next{instead}?", kept[0], kept[1:], reason)

    def found(self, now: int) -> Groups:
        """Return the clusters."""
        return Groups(self.steps[now].labels)

    def _cost(self, now: int) -> str:
        what = SUMMED[self.steps[now].metric]
        return f"The {what} to the medoids add up to the cost, {number(self.costs[now], 4)}"

    def _build(self, now: int) -> str:
        step, n = self.steps[now], len(self.data.X)
        where = place(self.data.X[step.taken])
        done = " All medoids are chosen; now come swaps." if step.event == "built" else ""
        if now == 0:
            what = "squared distances" if step.metric == "squared euclidean" else "distances"
            return (
                f"Medoid 1 is the point {where}: the sum of the {what} to it is the lowest.{done}\n"
                f"{self._cost(now)}, the lowest of {counted(n, 'candidate')}."
            )
        before = self.costs[now - 1]
        falls = (
            f"with it the cost falls the most: by {rounded(before - step.cost)}, to "
            f"{rounded(step.cost)}"
        )
        if step.cost >= before:
            falls = "no other point would lower the cost either"
        return (
            f"Medoid {now + 1} is the point {where}: {falls}.{done}\n"
            f"{self._cost(now)}, the lowest of {counted(n - now, 'candidate')}."
        )

    def _swap(self, now: int) -> str:
        step, before = self.steps[now], self.costs[now - 1]
        better = int(np.count_nonzero(step.costs < before))
        ended = " Stopped: no more swaps are allowed." if step.event else ""
        nearer, farther = (int(np.count_nonzero(each)) for each in self._moved(now))
        away = f", {farther} go{'es' * (farther == 1)} farther" * (farther > 0)
        longer, shorter, change = self._sums(now)
        what = SUMMED[step.metric].capitalize()
        return (
            f"Medoid {step.place + 1} moves: {counted(nearer, 'point')} "
            f"come{'s' * (nearer == 1)} nearer{away}, and the cost falls by "
            f"{rounded(before - step.cost)}, to {rounded(step.cost)}.{ended}\n"
            f"{what}: {longer} longer − {shorter} shorter = {change}. Of all {self._all_swaps()}, "
            f"{better} would lower the cost; this one, with the point "
            f"{place(self.data.X[step.taken])}, does so the most."
        )

    def _sums(self, now: int) -> tuple[str, str, str]:
        """Write by how much distances get longer and shorter in all, and the difference."""
        changes = self.steps[now].distances - self.steps[now - 1].distances
        longer, shorter = changes[changes > 0].sum(), -changes[changes < 0].sum()
        decimals = 0
        for decimals in range(1, _MOST_DECIMALS):
            up, down, all_ = (float(round(x, decimals)) for x in (longer, shorter, changes.sum()))
            adds_up = abs(up - down - all_) < 0.1**decimals / 2
            if down > up and adds_up and number(all_) == number(changes.sum()):
                break
        return fixed(longer, decimals), fixed(shorter, decimals), fixed(changes.sum(), decimals)

    def _closest(self, step: KMedoidsStep) -> str:
        """Write the cheapest swap that was not made."""
        if len(step.labels) == self.k:
            return "Every point is a medoid: there is nothing to swap."
        least = float(step.best_swaps.min())
        return (
            f"Even the best of all {self._all_swaps()} would make it {number(least, 5)} "
            f"({added(least - step.cost)})."
        )

    def _compared(self) -> str:
        """Compare the medoids with the centres of k-means."""
        if np.isnan(self.means[self.pulled]).any():
            return "k-means puts its centres at nearly the same places."
        return f"A centre of k-means (cross) is {rounded(self.far)} away from the nearest medoid."

    def _all_swaps(self) -> str:
        others = len(self.data.X) - self.k
        return f"{self.k} · {others} = {counted(self.k * others, 'swap')}"

    def _tried(self, now: int) -> str:
        """Write what the cost would be with the picked point as a medoid."""
        step, i = self.steps[now], self.picked
        if step.phase == "start":
            return "Picked point: its swaps are tried from the next step on."
        if step.phase == "build":
            cost = number(step.costs[0, i], 4)
            if i == step.taken:
                return f"Picked point: it becomes medoid {now + 1}, and the cost is {cost}."
            return f"Picked point: with it as medoid {now + 1} the cost would be {cost}."
        before = step.before.tolist()
        if i in before:
            return f"Picked point: it was already medoid {before.index(i) + 1}."
        j = int(step.costs[:, i].argmin())
        costs = number(float(step.costs[j, i]), 4), number(self.costs[now - 1], 4)
        if step.taken < 0:
            return (
                f"Picked point: even its best swap, as medoid {j + 1}, would make the cost "
                f"{costs[0]}. The cost stays at {costs[1]}."
            )
        if i == step.taken:
            return (
                f"Picked point: it becomes medoid {j + 1}, and the cost is {costs[0]}; before this "
                f"step it was {costs[1]}."
            )
        return (
            f"Picked point: its best swap, as medoid {j + 1}, would have made the cost {costs[0]}; "
            f"before this step it was {costs[1]}."
        )


def _signed(change: float) -> str:
    """Write a change of the cost with its sign; nothing if there is none."""
    return f"{'+' * (change > 0)}{number(change, 3)}" if change else ""
