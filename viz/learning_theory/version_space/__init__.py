"""The modes of the lab on version spaces."""
