"""The modes of the lab on the VC dimension."""
