"""Drop a parameter from the link of an experiment, and see that one of its tests fails.

A test that passes whatever the link is proves nothing of what the link sets up. To try one lab,
each parameter of each experiment in turn:

    .venv/bin/python -m tests.house.changed_links k_means
"""

import logging
import sys
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

from pages._shared.lab.catalogue import LABS, Experiment, LabFile
from tests.app.session import Session
from tests.house.experiments import asked, changed_links

TESTS = Path(__file__).parents[1]


def changes_of(lab: LabFile, experiment: Experiment) -> dict[str, dict[str, str]]:
    """Return the links that lack one parameter, by its name, if they show something else.

    Another seed or other data also come with it: those that a lab takes if the link names none.
    """
    link = experiment.link
    shorter = {name: {key: link[key] for key in link if key != name} for name in link}
    shown = Session().open(lab, **link).opening
    return {
        name: left for name, left in shorter.items() if Session().open(lab, **left).opening != shown
    }


class Changes:
    """Runs every test as it is, and again without each parameter that no test has missed yet."""

    def __init__(self, lab: LabFile) -> None:
        self.lab = lab
        self.unnoticed: dict[str, dict[str, dict[str, str]]] = {}
        self.failed: list[str] = []

    def pytest_sessionstart(self) -> None:
        self.unnoticed = {each.title: changes_of(self.lab, each) for each in self.lab.experiments}

    def pytest_runtest_protocol(self, item: pytest.Item) -> bool:
        asked.clear()
        if not passes(item):
            self.failed.append(item.nodeid)
            return True
        for title in sorted(asked):
            for name, link in list(self.unnoticed[title].items()):
                changed_links[title] = link
                if not passes(item):
                    del self.unnoticed[title][name]
            changed_links.clear()
        return True


def passes(item: pytest.Item) -> bool:
    """Run one test with fixtures of its own."""
    return all(report.passed for report in runtestprotocol(item, log=False, nextitem=None))


def unnoticed_in(name: str) -> list[str]:
    """Return the parameters that no test of a lab needs, and the tests that fail in any case."""
    (lab,) = (lab for lab in LABS if lab.name == name)
    (file,) = (*TESTS.rglob(f"test_{name}_page.py"), *TESTS.rglob(f"{name}/test_claims.py"))
    changes = Changes(lab)
    how = ["--override-ini=addopts=--import-mode=importlib", "--assert=plain", "-q", str(file)]
    pytest.main(how, plugins=[changes])
    unnoticed = [f"{title}: {name}" for title, some in changes.unnoticed.items() for name in some]
    return changes.failed + unnoticed


if __name__ == "__main__":
    logging.disable(logging.WARNING)  # Streamlit warns that there is no browser
    sys.exit("\n".join(unnoticed_in(*sys.argv[1:])) or 0)
