"""DBSCAN at one radius, and at every radius at once."""
