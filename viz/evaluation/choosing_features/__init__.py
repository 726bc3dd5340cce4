"""The modes of the lab on choosing features."""
