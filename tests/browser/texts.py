"""Texts of the plots that overlap, leave their plot, or are too small."""

from playwright.sync_api import Page, TimeoutError

# Of slanting texts only the box is known, so two of them are not compared.
FIND = """() => {
    const shown = (text) => {
        const { visibility, opacity } = getComputedStyle(text);
        return text.textContent.trim() && visibility !== "hidden" && +opacity > 0.05;
    };
    const found = [];
    for (const plot of document.querySelectorAll(".stage .plot, .stage .plot-box > div")) {
        const frame = plot.getBoundingClientRect();
        const name = plot.getAttribute("aria-label");
        const texts = [...plot.querySelectorAll("svg text")]
            .filter((text) => shown(text))
            .map((text) => ({
                text: text.textContent.trim(),
                slant: /rotate\\((?!0)/.test(text.getAttribute("transform") ?? ""),
                box: text.getBoundingClientRect(),
            }))
            // What lies wholly beside its plot is not seen: some figures park texts there.
            .filter(({ box }) => box.width && box.bottom > frame.top && box.top < frame.bottom
                && box.right > frame.left && box.left < frame.right);
        for (const { text, box } of texts) {
            const far = Math.max(frame.left - box.left, box.right - frame.right,
                                 frame.top - box.top, box.bottom - frame.bottom);
            if (far > 2) found.push(`${name}: “${text}” leaves the plot by ${Math.round(far)}`);
        }
        // The legend's button is in a corner of the picture.
        for (const button of plot.parentElement.querySelectorAll(":scope > button.about")) {
            const at = button.getBoundingClientRect();
            texts.filter(({ box }) => button.checkVisibility()
                && Math.min(at.right, box.right) - Math.max(at.left, box.left) > 1
                && Math.min(at.bottom, box.bottom) - Math.max(at.top, box.top) > 3)
                .forEach(({ text }) => found.push(`${name}: “${text}” under ${button.title}`));
        }
        texts.forEach((a, i) => texts.slice(i + 1).forEach((b) => {
            const width = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
            const height = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
            if (width <= 0 || height <= 0 || (a.slant && b.slant)) return;
            const least = Math.min(...[a, b].map(({ box }) => box.width * box.height));
            // The boxes of two ticks at a corner touch where the figures do not.
            if (width * height > 0.2 * least) found.push(`${name}: “${a.text}” on “${b.text}”`);
        }));
    }
    return found;
}"""


SMALL = """least => [...document.querySelectorAll(
    ".stage svg text, .stage .caption *, .stage .where, .stage h3, .stage .lesson *")]
    .filter((text) => text.textContent.trim() && text.checkVisibility({ visibilityProperty: true }))
    .filter((text) => text.getBoundingClientRect().width
        && parseFloat(getComputedStyle(text).fontSize) < least - 0.01)
    .map((text) => text.textContent.trim())"""


def smaller_than(page: Page, least: float) -> list[str]:
    """Find the words of the stage whose type is smaller, in pixels; the tips of points aside."""
    return page.evaluate(SMALL, least)


def in_the_way(page: Page) -> list[str]:
    """Find such texts on the page at rest: what a plot still moves to its place does not count."""
    try:
        page.wait_for_function(f"() => !({FIND})().length")
    except TimeoutError:
        return page.evaluate(FIND)
    return []


CUT = """() => [...document.querySelectorAll("button, [role=tab], h1, .stage .where")]
    .filter((node) => node.textContent.trim() && node.checkVisibility({ visibilityProperty: true }))
    .filter((node) => !node.closest("[inert]")) // Streamlit measures there
    .filter((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        const words = range.getBoundingClientRect();
        for (let box = node; box !== document.body; box = box.parentElement) {
            const { overflowX, overflowY } = getComputedStyle(box);
            if (/auto|scroll/.test(overflowX + overflowY)) return false;
            const { left, right, top, bottom } = box.getBoundingClientRect();
            const wide = Math.max(words.right - right, left - words.left) > 2;
            const high = Math.max(words.bottom - bottom, top - words.top) > 2;
            if ((wide && overflowX !== "visible") || (high && overflowY !== "visible")) return true;
        }
        return false;
    })
    .map((node) => node.textContent.trim())"""


def cut_words(page: Page) -> list[str]:
    """Find the words of buttons, tabs and headings that are cut off where nothing scrolls."""
    return page.evaluate(CUT)
