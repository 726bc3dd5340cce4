"""The modes of linear classifiers."""
