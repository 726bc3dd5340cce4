"""The modes of DBSCAN."""
