"""The modes of the lab on labels that are asked for."""
