"""The modes of convolution."""
