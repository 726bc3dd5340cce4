"""The modes of unrolling."""
