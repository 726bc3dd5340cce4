"""Clusters in clusters, from the bottom up: single, complete and average linkage, and Ward."""
