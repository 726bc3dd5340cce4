"""The list of labs: every pages/<section>/<name>.py is a page, <name>.md is its lesson."""

import importlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl

from pages._shared.lab.sections import Section

PAGES = Path(__file__).parents[2]
HIDES_END = " Hides: the number of steps."
WITHOUT_BOARD = "open_lab(__file__, data=None"


class Goal(NamedTuple):
    """What a visitor can bring about in an experiment; the run says whether it is so."""

    text: str
    condition: str  # in Python; for its names see goals.py
    hint: str
    way: dict[str, str]  # parameters that reach it; all others of the experiment's link stay


class Experiment(NamedTuple):
    """Something to try: a question, what to do to answer it, and the answer.

    hides_end : the number of steps is the answer, or a part of it.
    """

    title: str
    link: dict[str, str]  # the parameters that set the lab up
    question: str
    todo: str
    answer: str
    goal: Goal | None = None
    hides_end: bool = False

    @property
    def slug(self) -> str:
        """Return the title as a part of a file's name."""
        return "".join(c if c.isalnum() else "_" for c in self.title.lower())


@dataclass(frozen=True)
class LabFile:
    """A lab's page, and its lesson: the title, one sentence, and the chapters.

    The lesson of pages/clustering/dbscan.py is pages/clustering/dbscan.md. Its chapters are
    `## Idea`, `## Maths` and `## Try this`; the last is a list of experiments,
    `- [title](?parameter=value&...) Question? Do: what to do. Answer: what is seen, and why.`
    What to do ends with `Hides: the number of steps.` if the player must not show it until the
    answer is open. An experiment may go on with a goal: `Goal: what to reach. Judged: condition
    Hint: help. Way: ?parameter=value&...`
    """

    path: Path
    title: str
    lead: str
    texts: dict[str, str]

    @property
    def experiments(self) -> list[Experiment]:
        """Return the experiments of `## Try this`."""
        _, *items = f"\n{self.texts['Try this']}".split("\n- ")
        return [_experiment(item) for item in items]

    @property
    def name(self) -> str:
        """Return the lab's name in the address, such as `k_means`."""
        return self.path.stem

    def picture(self, theme: str) -> Path:
        """Return the path of the gallery's picture, "light" or "dark" (docs/take_pictures.py)."""
        return PAGES / "_shared" / "pictures" / f"{self.name}_{theme}.png"

    @cached_property
    def section(self) -> Section:
        """Return the subject that the lab belongs to."""
        return importlib.import_module(f"pages.{self.path.parent.name}").SECTION.of(
            self.name, board=self.board
        )

    @property
    def about_section(self) -> str:
        """Return the sentence on the section: what the docstring of its package says."""
        said = importlib.import_module(f"pages.{self.path.parent.name}").__doc__ or ""
        sentence = said.partition(": ")[2]
        return sentence[:1].upper() + sentence[1:]

    @cached_property
    def board(self) -> bool:
        """Return whether the lab uses the board, as the last line of its page says."""
        return WITHOUT_BOARD not in self.path.read_text(encoding="utf-8")


def _experiment(item: str) -> Experiment:
    """Split an experiment into title, link, question, what to do, answer, and goal."""
    title, _, rest = " ".join(item.split()).removeprefix("[").partition("](?")
    link, _, text = rest.partition(") ")
    question, _, rest = text.partition(" Do: ")
    todo, _, rest = rest.partition(" Answer: ")
    answer, _, goal = rest.partition(" Goal: ")
    hides_end = todo.endswith(HIDES_END)
    return Experiment(
        title, dict(parse_qsl(link)), question, todo.removesuffix(HIDES_END), answer, _goal(goal),
        hides_end,
    )  # fmt: skip


def _goal(item: str) -> Goal | None:
    """Split a goal into its text, the condition, the hint, and a way that reaches it."""
    text, _, rest = item.partition(" Judged: ")
    condition, _, rest = rest.partition(" Hint: ")
    hint, _, way = rest.partition(" Way: ?")
    return Goal(text, condition.strip("`"), hint, dict(parse_qsl(way))) if item else None


def read_lab(path: Path) -> LabFile:
    """Read the lesson beside a page. A page without one is named after its file."""
    lesson = path.with_suffix(".md")
    text = lesson.read_text(encoding="utf-8") if lesson.exists() else path.stem
    head, *chapters = text.split("\n## ")
    title, _, lead = head.removeprefix("# ").partition("\n")
    parts = (chapter.partition("\n") for chapter in chapters)
    texts = {name.strip(): body.strip() for name, _, body in parts}
    return LabFile(path, title.strip(), " ".join(lead.split()), texts)


def _place(lab: LabFile) -> tuple:
    """Return a sort key: the section's place, then the section's order, then the name."""
    first = lab.section.first
    known = first.index(lab.name) if lab.name in first else len(first)
    return lab.section.place, known, lab.name


LABS = sorted((read_lab(path) for path in PAGES.glob("[!_]*/[!_]*.py")), key=_place)
