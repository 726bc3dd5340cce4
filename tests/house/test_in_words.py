"""Every view can be read without being seen: a sentence, and a table of its figure's numbers."""

from typing import Any

import numpy as np

from pages._shared.lab.catalogue import LabFile
from tests.core.figures import unpacked
from tests.house.all_views import drawn, said_by
from tests.house.every_lab import EVERY_LAB
from tests.house.test_views import Seen, seen  # noqa: F401

MOST_WORDS = 130  # of a sentence that somebody listens to
MOST_COUNTED = 2000  # rows of a table have numbers of their own


def numbers_in(tree: Any) -> set[float]:
    """Return all numbers of a figure, also those that are packed or evenly spaced."""
    if isinstance(tree, dict):
        if "bdata" in tree:
            return set(unpacked(tree).astype(float).tolist())
        spaced = set()
        if "dx" in tree and tree.get("type") == "scatter":
            spaced = {tree["x0"] + i * tree["dx"] for i in range(len(unpacked(tree["y"])))}
        return spaced.union(*map(numbers_in, tree.values()))
    if isinstance(tree, list | tuple):
        return set().union(*map(numbers_in, tree)) if tree else set()
    return {float(tree)} if isinstance(tree, int | float | np.number) else set()


@EVERY_LAB
def test_every_view_has_a_sentence_and_a_table_of_its_own(lab: LabFile, seen: Seen) -> None:  # noqa: F811
    views = list(drawn(lab, seen))
    for view, said in zip(views, said_by("said.js", [view.figure for view in views]), strict=True):
        words = said["words"]
        complete = view.linked and view.last  # before the end there may be nothing to tell yet
        assert words and (said["tables"] or not complete), f"{view.name} says nothing"
        assert not {"undefined", "null", "NaN", "Infinity"} & set(words.replace(";", " ").split())
        assert len(words.split()) < MOST_WORDS, f"{view.name}: {words}"
        # Without their signs: an axis may have the heights below it without one.
        there = np.abs([*numbers_in(view.figure), *range(MOST_COUNTED + 1)])
        for table in said["tables"]:
            assert table["rows"] and all(len(row) == len(table["columns"]) for row in table["rows"])
            shown = [cell for row in table["rows"] for cell in row if not isinstance(cell, str)]
            assert np.isin(np.abs(shown), there).all(), f"{view.name}: {table['caption']}"
            assert all(isinstance(cell, str) for row in table["cells"] for cell in row)
