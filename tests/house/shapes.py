"""Checks the shapes in the annotations of `algorithms` while tests run.

A test that fits a model a hundred times would spend most of its time on shapes that have been
looked at before: it is the first calls of every test that are checked.
"""

from functools import wraps

import jaxtyping
from beartype import beartype

ENOUGH = 500  # checks, of which a call takes two: what goes in, and what comes out with it
made = 0  # in this test


def begin() -> None:
    """Check again, because another test begins."""
    global made
    made = 0
    jaxtyping.config.update("jaxtyping_disable", False)


def checked(function):
    """Check the annotations of a function: the type checker that jaxtyping is given."""
    check = beartype(function)

    @wraps(function)
    def counted(*args, **kwargs):
        global made
        made += 1
        if made >= ENOUGH:
            jaxtyping.config.update("jaxtyping_disable", True)
        return check(*args, **kwargs)

    return counted
