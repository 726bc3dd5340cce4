"""Which labs there are: one file in pages/<section>/ each, described by its own docstring."""

import ast
import importlib
import re
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl

from pages._shared.sections import Section

PAGES = Path(__file__).parent.parent
EXPERIMENT = re.compile(r"^- \[(.+?)\]\(\?(.+?)\)((?:.|\n(?!- ))*)", re.MULTILINE)


class Experiment(NamedTuple):
    """Something to try: a question, what to do to answer it, and the answer."""

    title: str
    link: dict[str, str]  # the parameters that set the lab up
    question: str
    todo: str
    answer: str


@dataclass(frozen=True)
class LabFile:
    """A lab's file. Its docstring holds the title, one sentence, and the chapters of the lesson.

    The chapters are `## Idea`, `## Maths` and `## Try this`; the last is a list of experiments,
    `- [title](?parameter=value&...) Question? Do: what to do. Answer: what is seen, and why.`
    """

    path: Path
    title: str
    lead: str
    texts: dict[str, str]

    @property
    def experiments(self) -> list[Experiment]:
        """The experiments to try."""
        return [
            Experiment(title, dict(parse_qsl(link)), *_parts(text))
            for title, link, text in EXPERIMENT.findall(self.texts["Try this"])
        ]

    @property
    def name(self) -> str:
        """The lab's address, such as `k_means`."""
        return self.path.stem

    def picture(self, theme: str) -> Path:
        """The gallery's picture, "light" or "dark", as docs/take_pictures.py takes it."""
        return PAGES / "_shared" / "pictures" / f"{self.name}_{theme}.png"

    @cached_property
    def section(self) -> Section:
        """The subject whose menu the lab stands in."""
        return importlib.import_module(f"pages.{self.path.parent.name}").SECTION.of(self.name)


def _parts(text: str) -> tuple[str, str, str]:
    """Take an experiment's text apart: question, what to do, answer."""
    question, _, rest = " ".join(text.split()).partition(" Do: ")
    todo, _, answer = rest.partition(" Answer: ")
    return question, todo, answer


def read_lab(path: Path) -> LabFile:
    """Take a page's docstring apart, anew only if the file has changed.

    Every rerun asks for it, and Python 3.11 cannot parse in many threads at once (gh-106905).
    """
    return _read_lab(path, path.stat().st_mtime_ns)


@cache
def _read_lab(path: Path, _changed: int) -> LabFile:
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or path.stem
    head, *chapters = text.split("\n## ")
    title, _, lead = head.partition("\n")
    parts = (chapter.partition("\n") for chapter in chapters)
    texts = {name.strip(): body.strip() for name, _, body in parts}
    return LabFile(path, title.strip(), " ".join(lead.split()), texts)


def _place(lab: LabFile) -> tuple:
    """Order labs by their section's place, then those taught first, then by name."""
    first = lab.section.first
    known = first.index(lab.name) if lab.name in first else len(first)
    return lab.section.place, known, lab.name


LABS = sorted((read_lab(path) for path in PAGES.glob("[!_]*/[!_]*.py")), key=_place)
