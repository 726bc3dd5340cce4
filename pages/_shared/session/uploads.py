"""Bounds the memory of a visitor's uploads, which Streamlit keeps until the visitor leaves."""

from streamlit import runtime
from streamlit.runtime import Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

MOST_FILES = 2  # of a visitor: the file that was read, and the one that replaces it


def watch() -> None:
    """Bound the uploads of this server, unless it is the replacement in tests of pages."""
    if runtime.exists() and type(server := runtime.get_instance()) is Runtime:
        files = server.uploaded_file_mgr
        if isinstance(files, MemoryUploadedFileManager):
            bound(files)


def bound(files: MemoryUploadedFileManager) -> None:
    """Make every new file push out the visitor's oldest one."""
    add = files.add_file

    def add_file(session_id: str, file: UploadedFileRec) -> None:
        add(session_id, file)
        for old in list(files.file_storage.get(session_id, ()))[:-MOST_FILES]:
            files.remove_file(session_id, old)

    files.add_file = add_file
