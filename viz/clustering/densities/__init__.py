"""The modes of the lab of densities."""
