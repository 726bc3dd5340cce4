"""Every view can be read without being seen: a sentence, and a table of its figure's numbers."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from pages._shared.lab.catalogue import LABS, LabFile
from tests.app.session import Session
from tests.core.figures import unpacked
from tests.house.test_views import EVERY_LAB, Seen, modes, seen  # noqa: F401
from tests.stage.test_stage_logic import QUIET, run_node

SAID = Path(__file__).parents[1] / "stage" / "said.js"
MOST_WORDS = 130  # of a sentence that somebody listens to


def said(figures: list[dict]) -> list[dict]:
    """Have the stage's own scripts put figures into words."""
    text = json.dumps(figures, allow_nan=False, default=np.generic.item)
    done = run_node(QUIET, str(SAID), text=text)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def numbers_in(tree: Any) -> set[float]:
    """Return all numbers of a figure, also those that are packed or end a shape."""
    if isinstance(tree, dict):
        if "bdata" in tree:
            return set(unpacked(tree).astype(float).tolist())
        spaced = set()
        if "dx" in tree and "x" not in tree and tree.get("type") == "scatter":
            spaced = {tree["x0"] + i * tree["dx"] for i in range(len(unpacked(tree["y"])))}
        return spaced.union(*map(numbers_in, tree.values()))
    if isinstance(tree, list | tuple):
        return set().union(*map(numbers_in, tree)) if tree else set()
    return {float(tree)} if isinstance(tree, int | float | np.number) else set()


@EVERY_LAB
def test_every_view_has_a_sentence_and_a_table_of_its_own(lab: LabFile, seen: Seen) -> None:  # noqa: F811
    titles, figures = [], []
    for link in modes(lab):
        Session().open(lab, **link)
        last = len(seen.run.steps) - 1
        for number, view in enumerate(seen.scene.views):
            for now in (0, last // 2, last):
                linked = number > 0 and now == last  # before, there may be nothing yet
                titles.append((linked, f"{link}: {view.title}, step {now}"))
                figures.append(view.draw(now))
    for (linked, title), figure, found in zip(titles, figures, said(figures), strict=True):
        words = found["words"]
        assert words and (found["tables"] or not linked), f"{title} says nothing"
        assert not {"undefined", "null", "NaN", "Infinity"} & set(words.replace(";", " ").split())
        assert len(words.split()) < MOST_WORDS, f"{title}: {words}"
        there = np.array([*numbers_in(figure), *range(2001)])  # rows are counted
        for table in found["tables"]:
            assert table["rows"] and all(len(row) == len(table["columns"]) for row in table["rows"])
            shown = [cell for row in table["rows"] for cell in row if not isinstance(cell, str)]
            assert np.isin(shown, there).all(), f"{title}: {table['caption']}"
            assert all(isinstance(cell, str) for row in table["cells"] for cell in row)


def test_no_lab_is_missing() -> None:
    assert len(LABS) >= 30
