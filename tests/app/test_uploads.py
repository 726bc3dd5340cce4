"""The bound on a visitor's uploads."""

from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from pages._shared.session import uploads


def sent(files: MemoryUploadedFileManager, visitor: str) -> list[str]:
    """Return which files are kept for a visitor, out of those called 0 to 9."""
    return [file.name for file in files.get_files(visitor, [str(i) for i in range(10)])]


def test_a_visitors_oldest_files_make_room() -> None:
    files = MemoryUploadedFileManager("/upload")
    uploads.bound(files)
    for i in range(10):
        for visitor in ("one", "other")[: 1 + (i == 0)]:
            files.add_file(visitor, UploadedFileRec(str(i), f"{i}.csv", "text/csv", b"x,y" * 1000))
    assert sent(files, "one") == ["8.csv", "9.csv"]
    assert sent(files, "other") == ["0.csv"], "others' files stay"
    assert files._total_bytes == 3 * 3000


def test_a_file_that_is_sent_again_drives_nobody_out() -> None:
    files = MemoryUploadedFileManager("/upload")
    uploads.bound(files)
    for name in ("0", "1", "0", "1"):
        files.add_file("one", UploadedFileRec(name, f"{name}.csv", "text/csv", b"x,y"))
    assert sent(files, "one") == ["0.csv", "1.csv"]
