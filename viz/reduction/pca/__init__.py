"""The modes of principal component analysis."""
