"""The course: weeks of situations. A situation is an experiment of a lab in one of the weeks."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pages._shared.lab.catalogue import LABS, PAGES, Experiment, LabFile

FILE = Path(__file__).with_name("course.toml")


@dataclass(frozen=True)
class Situation:
    """A link into a lab with its question.

    notes : its place in the course notes. fails : it shows an algorithm that fails or is misread.
    """

    lab: LabFile
    experiment: Experiment
    week: int
    notes: str
    fails: bool

    def picture(self, theme: str) -> Path:
        """Return the path of its picture, "light" or "dark" (docs/take_pictures.py)."""
        name = f"{self.lab.name}_{self.experiment.slug}_{theme}.png"
        return PAGES / "_shared" / "pictures" / "situations" / name

    @property
    def text(self) -> str:
        """Return the text in which the page searches for a word."""
        each = self.experiment
        words = (self.lab.title, each.title, each.question, each.todo, each.answer, self.notes)
        return " ".join(words).lower()


@dataclass(frozen=True)
class Week:
    """A week of the course."""

    number: int
    title: str
    situations: tuple[Situation, ...]


def place_of(lab: LabFile, title: str) -> tuple[Week, int]:
    """Return the week of an experiment, and its place there, counted from 0; or raise KeyError."""
    for week in weeks():
        for place, each in enumerate(week.situations):
            if (each.lab.name, each.experiment.title) == (lab.name, title):
                return week, place
    raise KeyError(f"{lab.name}: no week has the experiment {title!r}")


@cache
def weeks() -> tuple[Week, ...]:
    """Read the course. Raise KeyError if it names an experiment that no lab has."""
    found = {(lab.name, each.title): (lab, each) for lab in LABS for each in lab.experiments}
    course = []
    for number, week in enumerate(tomllib.loads(FILE.read_text(encoding="utf-8"))["weeks"], 1):
        situations = tuple(
            Situation(*found[each["lab"], each["title"]], number, each["notes"],
                      each.get("fails", False))
            for each in week["situations"]
        )  # fmt: skip
        course.append(Week(number, week["title"], situations))
    return tuple(course)
