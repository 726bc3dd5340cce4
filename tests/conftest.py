"""Shared by all tests: fixtures, and arithmetic as in the app."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
import scipy.linalg  # noqa: F401  # brings its own BLAS, which is to be limited as well
from hypothesis import HealthCheck, settings
from threadpoolctl import threadpool_limits

from tests.house import shapes

if TYPE_CHECKING:
    from tests.app.session import Session

pytest.register_assert_rewrite("tests.house.check_steps", "tests.app.session", "tests.core.figures")
# Properties are true or not, however busy the machine is.
settings.register_profile("chalkline", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("chalkline")
# Files of a few tests that take minutes: they begin first, so that no process is left with one.
FEW_BUT_LONG = {"test_style.py", "test_other_machines.py", "test_soak.py"}
threadpool_limits(1)  # more threads than one only hinder each other, here as in the app


def pytest_collection_modifyitems(items):
    """Deal out the browser's files evenly among the others, those with the most tests first.

    So both processes get some of both, and neither is left alone with a long file at the end.
    """
    files = [file for file, _ in Counter(item.path for item in items).most_common()]
    files.sort(key=lambda file: file.name not in FEW_BUT_LONG)
    kinds = [[f for f in files if ("browser" in f.parts) == browser] for browser in (True, False)]
    place = {file: i / len(kind) for kind in kinds for i, file in enumerate(kind)}
    items.sort(key=lambda item: place[item.path])


def pytest_runtest_setup():
    shapes.begin()


@pytest.fixture
def as_in_the_app() -> Iterator[None]:
    """Run without the tests' shape checks: users see the algorithms' own sentences."""
    from tests.house.check_steps import AsInTheApp

    with AsInTheApp():
        yield


@pytest.fixture
def session(as_in_the_app: None, monkeypatch: pytest.MonkeyPatch) -> "Session":
    """Open the app as one visitor, and watch which runs and scenes are shown."""
    from tests.app.session import Session  # brings all pages, and tests of algorithms need none

    return Session().watch(monkeypatch)
