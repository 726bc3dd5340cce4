"""What the labs of one subject start from; each pages/<subject>/__init__.py has one."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Section:
    """A subject.

    title : of its menu. place : in teaching order. first : labs that come before the others, which
    follow by name. presets : kinds of data sets, the likeliest first. labelled : points have
    classes that can be painted. two_classes : and its algorithms need two of them. gives : what
    they find for every point: labs that give the same can be compared side by side.
    """

    title: str
    place: int
    presets: tuple[str, ...] = ("classes", "real", "regression")
    first: tuple[str, ...] = ()
    labelled: bool = True
    two_classes: bool = False
    gives: Literal["classes", "groups", "numbers", "places"] = "classes"
