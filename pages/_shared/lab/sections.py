"""The settings that the labs of a subject share; each pages/<subject>/__init__.py has one."""

from dataclasses import dataclass, replace
from typing import Any, Literal


@dataclass(frozen=True)
class Section:
    """A subject.

    title : the title of its menu. place : its place in teaching order. first : labs that come
    before the others, which follow by name. presets : kinds of data sets, the likeliest first.
    labelled : points have classes that can be painted. two_classes : the algorithms need exactly
    two classes. gives : what the algorithms find for every point; labs that give the same can be
    compared. numbers : labs that predict numbers, and have the settings of regression. alone : labs
    that find something else, and can be compared only with themselves. drawings : labs to which the
    points are a drawing, whose classes play no part. A lab without a board is in no list.
    """

    title: str
    place: int
    presets: tuple[str, ...] = ("classes", "real", "regression")
    first: tuple[str, ...] = ()
    labelled: bool = True
    two_classes: bool = False
    gives: Literal["classes", "groups", "numbers", "places", "something else"] = "classes"
    numbers: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()
    drawings: tuple[str, ...] = ()

    def of(self, lab: str, *, board: bool) -> "Section":
        """Return the section as one of its labs sees it. board : the lab has one."""
        if not board:
            return replace(self, **WITHOUT_BOARD)
        if lab in self.drawings:
            return replace(self, **DRAWING)
        if lab in self.alone:
            return replace(self, gives="something else")
        return replace(self, **NUMBERS) if lab in self.numbers else self


WITHOUT_BOARD: dict[str, Any] = {
    "labelled": False,
    "two_classes": False,
    "gives": "something else",
}
DRAWING = WITHOUT_BOARD
NUMBERS: dict[str, Any] = {
    "presets": ("regression", "real", "classes"),
    "labelled": False,
    "two_classes": False,
    "gives": "numbers",
}
