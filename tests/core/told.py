"""Read the numbers of a caption back, as words.py writes them: −0.25, 12,345, 2.9×10⁻⁵."""

import re

RAISED = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"
THOUSANDS = r"\d{1,3}(?:,\d{3})+(?![\d,])"
NUMBER = rf"(−?(?:(?:\d+(?:\.\d+)?×)?10[{RAISED}]+|{THOUSANDS}|\d+(?:\.\d+)?))"
PLAIN = str.maketrans(RAISED + "−", "-0123456789-")


def value(text: str) -> float:
    """Read one number."""
    power = re.fullmatch(rf"(−?)(?:([\d.]+)×)?10([{RAISED}]+)", text)
    if power:
        text = f"{power[1]}{power[2] or 1}e{power[3]}"
    return float(text.replace(",", "").translate(PLAIN))


def numbers(text: str) -> list[float]:
    """Read all numbers of a text, whatever is between them."""
    return [value(found) for found in re.findall(NUMBER, text)]
