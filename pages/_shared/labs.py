"""Which labs there are: one file in pages/<section>/ each, described by its own docstring."""

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl

PAGES = Path(__file__).parent.parent
EXPERIMENT = re.compile(r"^- \[(.+?)\]\(\?(.+?)\)((?:.|\n(?!- ))*)", re.MULTILINE)
SECTIONS = ("classification", "clustering", "regression", "reduction")
TAUGHT_FIRST = ("k_means", "linear_regression", "linear_paths")  # the others follow by name


@dataclass(frozen=True)
class LabFile:
    """A lab's file. Its docstring holds the title, one sentence, and the chapters of the lesson.

    The chapters are `## Idea`, `## Maths` and `## Try this`; the last is a list of experiments,
    `- [title](?parameter=value&...) what to do and to see`.
    """

    path: Path
    title: str
    lead: str
    texts: dict[str, str]

    @property
    def experiments(self) -> list[tuple[str, dict[str, str], str]]:
        """The experiments to try: title, the parameters that set the lab up, text."""
        found = EXPERIMENT.findall(self.texts["Try this"])
        return [
            (title, dict(parse_qsl(link)), " ".join(text.split())) for title, link, text in found
        ]

    @property
    def name(self) -> str:
        """The lab's address, such as `k_means`."""
        return self.path.stem

    def picture(self, theme: str) -> Path:
        """The gallery's picture, "light" or "dark", as docs/take_pictures.py takes it."""
        return PAGES / "_shared" / "pictures" / f"{self.name}_{theme}.png"

    @property
    def section(self) -> str:
        """The menu the lab stands in."""
        return self.path.parent.name.capitalize()


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


def _place(path: Path) -> tuple[int, str]:
    known = path.stem in TAUGHT_FIRST
    return TAUGHT_FIRST.index(path.stem) if known else len(TAUGHT_FIRST), path.stem


LABS = [
    read_lab(path)
    for section in SECTIONS
    for path in sorted((PAGES / section).glob("*.py"), key=_place)
]
