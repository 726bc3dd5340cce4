"""The description of a run that is written into every exported file."""

import re
from dataclasses import dataclass

LONGEST_LINK = 20_000  # characters


@dataclass(frozen=True)
class About:
    """The lab, its parameters, and a link to it.

    lead : the lesson in one sentence. place : the lab and its mode, such as "k_means, seeding".
    legend : the names of the classes, if the picture shows classes.
    """

    title: str
    lead: str
    place: str
    parameters: str
    link: str = ""
    legend: list[str] | None = None

    @property
    def heading(self) -> str:
        """Return the lab's title, with the mode if the lab has several."""
        _, mode, *_ = [*self.place.split(", "), ""]
        said = mode.lower() in ("", self.title.lower())
        return self.title if said else f"{self.title}: {mode}"

    @property
    def name(self) -> str:
        """Return the name of the files, without an ending."""
        return "-".join(["chalkline", *re.findall(r"\w+", self.place.lower())])

    @property
    def lines(self) -> list[str]:
        """Return the lines at the head of a script."""
        return [self.heading, self.lead, *filter(None, [self.parameters, self.link])]


def read_link(sent: object) -> str:
    """Return the address that the browser has sent, or "" if it is not that of a web page."""
    link = sent if isinstance(sent, str) and len(sent) <= LONGEST_LINK else ""
    web = link.startswith(("http://", "https://")) and link.isprintable()
    return link if web else ""
