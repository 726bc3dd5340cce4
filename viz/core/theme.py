"""Colours, marker symbols and the two templates. Symbols repeat what colours show."""

from typing import Literal, TypedDict

Look = Literal["light", "dark"]


class Ink(TypedDict):
    """What replaces a colour of the palette on one paper."""

    words: dict[str, str]
    lines: dict[str, str]


# Okabe and Ito (2008): colours that the colour-blind can distinguish. Their yellow is not visible
# on white and their black not on the dark paper, so violet and brown replace them.
PALETTE = (
    "#0072B2",  # blue
    "#D55E00",  # vermillion
    "#009E73",  # green
    "#CC79A7",  # purple
    "#E69F00",  # orange
    "#56B4E9",  # sky blue
    "#7848F0",  # violet
    "#903018",  # brown
)
SYMBOLS = (0, 1, 2, 5, 6, 17, 3, 4)  # Plotly's circle, square, diamond, triangles, star, cross, x

# Dash patterns of the groups' curves, by Plotly's names or in pixels.
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "2px,6px", "9px,2px")

# Replacements on each paper, so that words have a contrast of at least 4.5 and lines one of 3.
_LIGHTER = {"#0072B2": "#1F85DC", "#7848F0": "#8F6BFF", "#903018": "#BA6C4B"}
INKS: dict[Look, Ink] = {
    "light": {
        "words": {
            "#D55E00": "#C25500", "#009E73": "#008661", "#CC79A7": "#BC4E8B",
            "#E69F00": "#9D6C00", "#56B4E9": "#187CB5", "#7A7F87": "#72767E",
        },
        "lines": {"#E69F00": "#C28600", "#56B4E9": "#1D9AE0"},
    },
    "dark": {"words": _LIGHTER | {"#7A7F87": "#7F848C"}, "lines": _LIGHTER},
}  # fmt: skip
DARK = ("#0072B2", "#7848F0", "#903018")  # of the palette: black digits are not visible on them

TYPE = 14  # pixels: no text of a figure is smaller

RIM = 0.4  # the share of a point's own colour in its outline; the rest is ink

NOW = "#D55E00"  # marks the shown step
GREY = "#7A7F87"  # visible on light and dark


def color(group: int) -> str:
    """Return a group's colour; after the eighth group they repeat, with other symbols."""
    return PALETTE[group % len(PALETTE)]


def figure_on(fill: str) -> str:
    """Return a colour in which a digit is visible on a group's colour."""
    return "#ffffff" if fill in DARK else "#000000"


def symbol(group: int) -> int:
    """Return a group's symbol, by Plotly's number: no two of the first 64 groups look alike."""
    return SYMBOLS[(group + group // len(PALETTE)) % len(SYMBOLS)]


def dash(group: int) -> str:
    """Return the dash pattern of a group's curve: no two of the first 64 groups look alike."""
    return DASHES[(group + group // len(PALETTE)) % len(DASHES)]


def rgb(color: str) -> tuple[int, ...]:
    """Return the red, green and blue of a colour, from 0 to 255."""
    return tuple(int(color[i : i + 2], 16) for i in (1, 3, 5))


RGB = tuple(map(rgb, PALETTE))


def _template(ink: str, muted: str, grid: str, paper: str) -> dict:
    axis = {
        "gridcolor": grid,
        "zerolinecolor": grid,
        "linecolor": muted,
        "tickcolor": muted,
        "tickfont": {"color": muted, "size": TYPE},
        "title": {"font": {"color": ink, "size": 15}, "standoff": 6},
        "zeroline": False,
        "exponentformat": "power",
        "minexponent": 4,  # 20000, but 2×10⁵ and 2×10⁻⁵
    }
    # `colorway` has one colour: a trace without a colour of its own is drawn in ink.
    return {
        "layout": {
            "colorway": [ink],
            "font": {"color": ink, "size": TYPE},
            "legend": {"font": {"size": TYPE}, "bgcolor": "rgba(0,0,0,0)"},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": paper,
            "xaxis": axis,
            "yaxis": axis | {"automargin": "left"},  # so that wide labels keep clear of the title
        },
        # A line keeps all its points, so that it can travel into that of the next step.
        "data": {"scatter": [{"line": {"simplify": False}}]},
    }


TEMPLATES = {
    "light": _template(ink="#16202b", muted="#55606c", grid="#e4e8ec", paper="#ffffff"),
    "dark": _template(ink="#e8edf2", muted="#a3aebb", grid="#2c353f", paper="#12171d"),
}
