"""What an exported file says of itself."""

import re
from dataclasses import dataclass

LONGEST_LINK = 20_000  # characters


@dataclass(frozen=True)
class About:
    """The lab, what it was set to, and a link to it.

    lead : the lesson in one sentence. place : the lab and its mode, such as "k_means, seeding".
    legend : the names of the classes that the picture shows, if it does.
    """

    title: str
    lead: str
    place: str
    parameters: str
    link: str = ""
    legend: list[str] | None = None

    @property
    def heading(self) -> str:
        """The lab's title, with the mode where the lab has several."""
        _, mode, *_ = [*self.place.split(", "), ""]
        said = mode.lower() in ("", self.title.lower())
        return self.title if said else f"{self.title}: {mode}"

    @property
    def name(self) -> str:
        """The name of the files, without an ending."""
        return "-".join(["chalkline", *re.findall(r"\w+", self.place.lower())])

    @property
    def lines(self) -> list[str]:
        """What a script says of itself."""
        return [self.heading, self.lead, *filter(None, [self.parameters, self.link])]


def read_link(sent: object) -> str:
    """Give the address that the browser has sent, if it is one of a page, on one line."""
    link = sent if isinstance(sent, str) and len(sent) <= LONGEST_LINK else ""
    web = link.startswith(("http://", "https://")) and link.isprintable()
    return link if web else ""
