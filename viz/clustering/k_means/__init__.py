"""The modes of k-means."""
