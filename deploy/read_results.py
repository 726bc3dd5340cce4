"""Write one table of the results of quizzes that students have handed in.

    .venv/bin/python deploy/read_results.py results/*.txt > results.csv

Each file holds what “Copy the result” or “Save as text” gives. The last column says whether the
check code fits the text: this shows slips and casual edits, and no determined fraud.
"""

import argparse
import csv
import re
import sys
from pathlib import Path

COLUMNS = ("Name", "Lab", "Link", "Questions", "Time", "Score")


def check_code(text: str) -> str:
    """Return the code of a text: FNV-1a with 64 bits of all that is no blank; see result.js."""
    code = 0xCBF29CE484222325
    for byte in re.sub(r"\s", "", text).encode():
        code = (code ^ byte) * 0x100000001B3 % 2**64
    return "-".join(re.findall(".{4}", f"{code:016x}"))


def read_result(text: str) -> dict[str, str]:
    """Return the facts of a result, and whether its code fits."""
    text = text.replace("\r\n", "\n").removeprefix("\ufeff")
    begin = text.find("Chalkline, result of a quiz")
    body, _, rest = text[max(0, begin) :].partition("Check code:")
    found = {name: re.search(rf"^{name}: (.*)$", body, re.MULTILINE) for name in COLUMNS}
    facts = {name: match.group(1).strip() if match else "" for name, match in found.items()}
    fits = begin >= 0 and rest.split()[:1] == [check_code(body)]
    return {**facts, "Code": "fits" if fits else "does not fit"}


def guarded(text: str) -> str:
    """Return a text that no spreadsheet runs as a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def main() -> None:
    """Read the files that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("files", nargs="+", type=Path)
    table = csv.DictWriter(sys.stdout, ["File", *COLUMNS, "Code"])
    table.writeheader()
    for file in parser.parse_args().files:
        result = read_result(file.read_text(encoding="utf-8", errors="replace"))
        table.writerow(
            {"File": file.name, **{name: guarded(text) for name, text in result.items()}}
        )


if __name__ == "__main__":
    main()
