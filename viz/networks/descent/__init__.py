"""The modes of descent."""
