"""The modes of multidimensional scaling."""
