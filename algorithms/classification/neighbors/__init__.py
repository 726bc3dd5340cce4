"""Classes by the points close by: nearest neighbours, Parzen window."""
