"""Multidimensional scaling: distances become a map, by eigenvectors or by springs."""
