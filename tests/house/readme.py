"""The README's counts and table, which tests compare with the project."""

import re
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def number_in_readme(of: str) -> int:
    """Return the README's number of something, such as 92 for "algorithms"."""
    (number,) = re.findall(rf"(\d+) {of}\b", README.read_text(encoding="utf-8"))
    return int(number)


def labs_in_readme() -> list[str]:
    """Return the paths of the pages in the README's table."""
    return re.findall(r"^\| \[.*?\]\((pages/\S+?\.py)\)", README.read_text(encoding="utf-8"), re.M)
