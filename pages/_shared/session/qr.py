"""QR codes, which a class reads from the wall."""

from io import BytesIO

import segno


def qr_code(text: str, title: str) -> str:
    """Draw a text as a QR code: dark on white in both themes, with the margin that it needs."""
    drawn = BytesIO()
    segno.make_qr(text, error="l").save(
        drawn, kind="svg", xmldecl=False, nl=False, omitsize=True, light="#fff", border=4,
        title=title,
    )  # fmt: skip
    return drawn.getvalue().decode()
