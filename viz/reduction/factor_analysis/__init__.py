"""The modes of factor analysis."""
