"""Classes from nearby points: nearest neighbours, Parzen window."""
