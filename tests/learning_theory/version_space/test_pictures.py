"""The general boxes that a sample cuts back."""

import numpy as np

from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.figures import line
from viz.learning_theory.version_space import marks

(LAB,) = (lab for lab in LABS if lab.name == "version_space")
MIDDLES = np.arange(-2.75, 3, 0.5)  # of the cells, along either axis


def test_a_dashed_outline_is_round_each_general_box_that_is_gone(session: Session) -> None:
    session.open(LAB)
    assert session.run_shown and session.run_shown.call and session.scene_shown
    picture = session.scene_shown.views[0].draw
    steps, (X, y, *_) = session.run_shown.steps, session.run_shown.call.args
    seen = set()
    for now, step in enumerate(steps):
        (cut,) = (t for t in picture(now)["data"] if t.get("name") == "no longer in G")
        parts = np.split(line(cut), np.flatnonzero(np.isnan(line(cut)[:, 0])))
        outlines = [part[np.isfinite(part[:, 0])] for part in parts]
        outlines = [outline for outline in outlines if len(outline)]
        kept = {box.tobytes() for box in step.most_general}
        before = steps[now - 1].most_general if now else []
        gone = [box for box in before if box.tobytes() not in kept and _holds_a_cell(box)]
        assert len(outlines) == len(gone)
        for outline in outlines:
            x, low, high = X[step.seen - 1], outline.min(axis=0), outline.max(axis=0)
            # A negative is in a box that is cut back, a positive outside of one that is ruled out.
            assert bool((low < x).all() and (x < high).all()) == (not y[step.seen - 1])
            seen.add(bool(y[step.seen - 1]))
    assert seen == {False, True}


def test_a_frame_leaves_the_grid_only_where_another_one_is_on_the_same_line() -> None:
    first, second = (
        marks.outline(np.array(box)) for box in ([[-2, 1], [-3, 3]], [[-2, 3], [0, 2]])
    )
    moved = marks.beside_others(second, 0.1, [first])
    assert moved.min(axis=0).tolist() == [-2.1, 0] and moved.max(axis=0).tolist() == [3, 2]
    assert (marks.beside_others(second, 0.1, []) == second).all()


def _holds_a_cell(box: np.ndarray) -> bool:
    """Return whether the middle of a cell is in a box that may end beyond the square."""
    return all(((low < MIDDLES) & (high > MIDDLES)).any() for low, high in box)


def test_words_are_where_the_boxes_left_say_so(session: Session) -> None:
    session.open(LAB)
    assert session.run_shown and session.scene_shown
    picture, said = session.scene_shown.views[0].draw, set()
    for now, step in enumerate(session.run_shown.steps):
        words = {t["text"][0]: line(t) for t in picture(now)["data"] if t.get("mode") == "text"}
        for word, sure in (("boxes disagree", False), ("all say −", True)):
            if np.isfinite(words[word]).all():
                said.add(word)
                assert step.surely_out(words[word])[0] == sure
                assert not step.surely_in(words[word])[0]
        boxes = [word for word, place in words.items() if word[:1] == "G" and len(place)]
        assert len(boxes) == len(step.most_general) or (now, len(boxes)) == (1, 3)
    assert len(said) == 2


def test_where_no_box_is_left_none_says_anything(session: Session) -> None:
    session.open(LAB, noise="0.1", n="40", seed="4")
    assert session.run_shown and session.scene_shown
    steps = session.run_shown.steps
    left = [bool(step.most_general) for step in steps]
    assert left[0] and not left[-1]
    (certainty,) = (v.draw for v in session.scene_shown.views if v.title.startswith("144 small"))
    for now, some in enumerate(left):
        boxes, bare = certainty(now)["data"]
        assert sum(boxes["y"]) == (144 if some else 0) and sum(bare["y"]) == 144
        assert ("no box is left to say anything" in session.captions[now]) == (not some)
