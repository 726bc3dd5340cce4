"""The parts of a zip archive of XML, read as streams of tags.

A stranger made the archive, so everything is bounded before it takes time or memory: how a part is
packed, its bytes, its tags with their attributes, and the length of one tag.
"""

import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple
from xml.parsers import expat
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from algorithms.core.work import spend
from pages._shared.data.columns import MAX_LINE
from pages._shared.data.table import ReadError

MAX_UNPACKED = 30_000_000  # bytes of one part
MAX_TAGS = 1_000_000  # in one part
MAX_ATTRIBUTES = 1_000_000  # in one part
MAX_TAG = 200_000  # bytes
DAMAGED = (
    BadZipFile, zlib.error, struct.error, expat.ExpatError, EOFError, OSError, RuntimeError,
    LookupError, ValueError, OverflowError,
)  # fmt: skip
_CHUNK = 1 << 16  # bytes
_EXCELS = (ZIP_STORED, ZIP_DEFLATED)  # methods of packing


class Tag(NamedTuple):
    """Where an element begins or ends."""

    name: str  # without its namespace; "/name" where it ends
    attributes: dict[str, str]
    text: str  # where it ends: the text in it


def tags(archive: ZipFile, path: str, subject: str) -> Iterator[Tag]:
    """Yield the places where elements of a part begin and end, without keeping any of them.

    Raises ReadError if a bound is exceeded, and one of `DAMAGED` if the part cannot be read.
    """
    about = archive.getinfo(path)
    if about.compress_type not in _EXCELS:
        raise ReadError(
            f"{subject} is packed in a way that Excel does not use (method {about.compress_type}). "
            "Open it in a spreadsheet program and save it as .xlsx again."
        )
    too_large = ReadError(
        f"{subject} is too large when unpacked. Keep fewer rows or columns, or save it as CSV."
    )
    if about.file_size > MAX_UNPACKED:
        raise too_large
    stream, fed, count, attributes = _Stream(), 0, 0, 0
    with archive.open(about) as part:
        while chunk := part.read(_CHUNK):
            spend()
            found = stream.feed(chunk)
            fed += len(chunk)
            count += len(found)
            attributes += sum(len(tag.attributes) for tag in found)
            if fed - stream.parser.CurrentByteIndex > MAX_TAG:
                raise too_large
            if count > MAX_TAGS or attributes > MAX_ATTRIBUTES:
                raise too_large
            yield from found
    stream.parser.Parse(b"", True)


class _Stream:
    """A parser of XML that is given chunks and returns the tags in them."""

    def __init__(self) -> None:
        """Start before the first byte."""
        self.found: list[Tag] = []
        self.text: list[str] = []
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self.text.append
        self.parser.StartDoctypeDeclHandler = self._refuse

    def feed(self, chunk: bytes) -> list[Tag]:
        """Return the tags that end in this chunk."""
        self.found = []
        self.parser.Parse(chunk)
        return self.found

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.text.clear()
        self.found.append(Tag(local(name), attributes, ""))

    def _end(self, name: str) -> None:
        self.found.append(Tag("/" + local(name), {}, "".join(self.text)[:MAX_LINE]))
        self.text.clear()

    def _refuse(self, *_: object) -> None:
        raise ValueError("a workbook declares no entities")


def local(name: str) -> str:
    """Return the name of a tag or an attribute without its namespace."""
    return name.rpartition(":")[2]
