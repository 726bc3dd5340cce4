"""All ways to cluster side by side: one method after the other, beside a wall of all of them."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.clustering.adjusted_rand import PairCounts
from algorithms.clustering.clusterings import TREE, ClusteringStep
from algorithms.clustering.dbscan.dbscan import NOISE
from viz.clustering.dbscan.marks import NOISE_LOOK, clustered
from viz.clustering.k_medoids.marks import few_swaps
from viz.core import naming, plane, tiles
from viz.core.found import Groups
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import AT_THE_END, Show
from viz.core.theme import GREY, RGB, rgb
from viz.core.words import capital, counted, fixed, listed, number, whole

_GREY, _CLEAR = len(RGB), len(RGB) + 1  # after the colours of the groups
_COLUMNS = 4  # of the wall, which is as large as the picture
_DOWN = 156  # dots from one of its tiles to the next below it
_NAMED = 3  # methods that are named in a headline
_ALIKE = 0.005  # of the index: a smaller difference is not asked for
_STRETCH = 1.5  # at most: flat groups of points fill more of a tile
_WALL_KEY = "large: wrong<br>bold: the best so far"
_KEY = "thick rim: wrong"
_SIGNS = {
    "points": "point, in the colour of its cluster; a cross is noise",
    "wrong": "thick rim: in another cluster than most of its class",
}


class Methods(Show[ClusteringStep]):
    """The clusters that every method finds, beside the classes, which no method sees."""

    equal = True
    unit = "method"
    counts_from = 1
    opens = AT_THE_END  # here the wall is full

    def __init__(self, run: Run, data: Plane) -> None:
        """Prepare the wall, and the indices."""
        super().__init__(run, data)
        self.has_classes = len(np.unique(data.labels)) > 1
        self.indices = [step.counts.adjusted_rand_index for step in self.steps]
        self.box = tiles.close(data.X, data.bounds, _STRETCH)
        truth = tiles.dotted(data.X, data.labels % len(RGB), self.box, _CLEAR)
        self.found_by = [truth, *map(self._tile, range(len(self.steps)))]
        self.to_come = tiles.dotted(data.X, np.full(len(data.X), _GREY), self.box, _CLEAR)
        self.note = " ".join([*few_swaps(len(data.X)), *tiles.left_out(self.steps[0].left_out)])

    def views(self) -> list[View]:
        """Return the picture, and the wall of all methods, with the indices so far."""
        agreement = "Agreement with the classes: 1 full, 0 chance"
        title = agreement if self.has_classes else "All methods"
        return [
            View("The framed method", self.picture),
            View(title, self.wall),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the clusters, noise as crosses; points not with their class have a thick rim.

        Clusters and classes go together by number.
        """
        data, labels = self.data, self.steps[now].labels
        noise, core = np.full(len(data.X), NOISE_LOOK), np.ones(len(data.X), bool)
        apart = self._apart(now)
        points = clustered(data.X, labels, noise, core, wrong=apart)
        name = naming.in_corner(f"<b>{self._name(now)}</b>", data.bounds, "top left", size=20)
        key = naming.in_corner(_KEY * bool(apart.any()), data.bounds)
        return plane.figure([name, key], data.bounds, data.names, points=points, signs=_SIGNS)

    def wall(self, now: int) -> Figure:
        """Draw a tile with the classes, and one for each method, with the indices so far.

        Points that are not in the cluster of their class are large, and those of a method to come
        are grey. The highest index so far is bold; with one class there is none.
        """
        highest, words = fixed(max(self.indices[: now + 1]), 3), ["<b>truth</b>"]
        for i in range(len(self.steps)):
            index = fixed(self.indices[i], 3) if i <= now and self.has_classes else ""
            name = self._name(i).partition(",")[0].replace("linkage", "link")
            said = f"<b>{index}</b>" if index and index == highest else index
            words.append(f"{i + 1} {name}<br>{said}")
        image = _image([*self.found_by[: now + 2], *[self.to_come] * (len(self.steps) - now - 1)])
        figure = tiles.wall(image, words, now + 1, 0, columns=_COLUMNS, down=_DOWN)
        if self.has_classes:
            box = (0, _COLUMNS, len(words) // -_COLUMNS, 0)
            place, side = naming.corner(box, "bottom right")
            last = len(words) % _COLUMNS
            if last:  # the key has the places that are left in the last row
                place, side = np.array([(last + _COLUMNS) / 2, box[2] + 0.5]), "middle center"
            figure["data"].append(naming.words(place, _WALL_KEY, side, size=16))
        return figure

    def caption(self, now: int) -> str:
        """Write how many points are not with their class; below, the index with its numbers."""
        step = self.steps[now]
        what = counted(step.clusters, "cluster")
        if step.noise:
            what += f" and {counted(step.noise, 'point')} of noise"
        name = _sentence(self._name(now).partition(",")[0])
        seeks = f"{name} looks for {step.method.seeks}."
        classes = len(np.unique(self.data.labels))
        if self.has_classes and step.clusters > classes:
            seeks += " Each class has one cluster; points of any other cluster count as wrong."
        if not self.has_classes:
            nothing = "All points are of one class: there is nothing to compare with."
            return f"{name} finds {what}.\n{seeks}\n{nothing}"
        first = f"{name} finds {what}; {self._wrong(now)}."
        if now == len(self.steps) - 1:
            first = f"{self._nearest()} {first}"
            if not self._apart(now).any():
                first = f"{self._nearest()[:-1]}: {what}, every point with its class."
        elif step.event:
            first = f"{first} The nearest to the classes so far."
        return f"{first}\n{seeks}\n{_rule(step.counts)}"

    def _wrong(self, now: int) -> str:
        """Write how many points are not in the cluster of their class."""
        wrong = int(self._apart(now).sum())
        if not wrong:
            return "every point is with its class"
        are = "is not with its class" if wrong == 1 else "are not with their class"
        return f"{wrong} of {counted(len(self.data.X), 'point')} {are}"

    def _name(self, now: int) -> str:
        method = self.steps[now].method
        return f"{method.name}{' linkage' * (method.lab == TREE)}"

    def _nearest(self) -> str:
        """Write which of all methods are the nearest to the classes."""
        most = number(max(self.indices))
        best = [
            self._name(i).partition(",")[0]
            for i, index in enumerate(self.indices)
            if number(index) == most
        ]
        ending = "s" if len(best) == 1 else ""
        if len(best) > _NAMED:
            best = [f"{len(best)} of {len(self.steps)} methods"]
        if max(self.indices) > 1 - 1e-9:
            return f"{_sentence(listed(best))} find{ending} the classes exactly."
        if len(set(map(number, self.indices))) == 1:
            return f"All {len(self.steps)} methods come equally near to the classes."
        return f"{_sentence(listed(best))} come{ending} nearest to the classes."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether the next method comes nearer to the classes than this one."""
        old, new = self.indices[now : now + 2]
        if 0 < abs(new - old) < _ALIKE:
            return None
        ways = [Option("nearer"), Option("farther"), Option("equally near")]
        right = ways[0 if new > old else 1 if new < old else 2]
        this, name = (step.method.name for step in self.steps[now : now + 2])
        reason = f"Its adjusted Rand index is {number(new)}, that of {this} {number(old)}."
        text = f"Next is {name}. How near to the classes does it come, compared with {this}?"
        return question(text, right, ways, reason)

    def found(self, now: int) -> Groups:
        """Return the clusters; noise is one of them."""
        return Groups(self.steps[now].labels)

    def _apart(self, now: int) -> ndarray:
        """Return which points are not in the cluster of their class; none if there is one class."""
        return (self.steps[now].labels != self.data.labels) & self.has_classes

    def _tile(self, now: int) -> ndarray:
        """Draw the points on a tile; those that are not with their class are large, on top."""
        X, look, apart = self.data.X, self._look(now), self._apart(now)
        wide = tiles.width(len(X))
        large = tiles.dotted(X[apart], look[apart], self.box, _CLEAR, wide=2 * wide - 1)
        usual = tiles.dotted(X[~apart], look[~apart], self.box, _CLEAR, wide=wide)
        return np.where(large == _CLEAR, usual, large)

    def _look(self, now: int) -> ndarray:
        """Return the colours of the points on a tile."""
        labels = self.steps[now].labels
        return np.where(labels == NOISE, _GREY, labels % len(RGB))


def _image(dots: Sequence[ndarray]) -> dict:
    """Draw the tiles in one image."""
    colors = np.array([*RGB, *[rgb(GREY)] * 2], np.uint8)
    opacity = np.array([*[255] * (len(RGB) + 1), 0], np.uint8)
    wall = tiles.image(tiles.sheet(dots, _CLEAR, _COLUMNS, _DOWN), colors, opacity, _DOWN)
    return wall | {"name": "tile: the clusters that a method finds"}


def _rule(counts: PairCounts) -> str:
    """Put the counts of the pairs into the index."""
    most, chance = (counts.first + counts.second) / 2, counts.expected
    if most == chance:
        return "Every point is alone in both: clusters and classes are the same."
    first, second, together = counts.first, counts.second, counts.together
    share = f"({together:,} − {_exact(chance)}) / ({_exact(most)} − {_exact(chance)})"
    index = whole(f"{share} = {number(counts.adjusted_rand_index)}.")
    full = _exact(most)
    if first != second:
        full = f"({first:,} in classes + {second:,} in clusters) / 2 = {full}"
    return (
        f"{together:,} pairs of points share class and cluster; chance gives {_exact(chance)} and "
        f"full agreement {full}. Adjusted Rand index: {index}"
    )


def _sentence(name: str) -> str:
    """Return a name as a sentence begins with it; the k of k-means stays small."""
    name = "spectral clustering" if name == "spectral" else name
    return name if name.startswith("k-") else capital(name)


def _exact(pairs: float) -> str:
    """Write a number of pairs, which need not be whole, with four digits or more."""
    return f"{pairs:,.0f}" if pairs >= 1000 else number(pairs, 4)
