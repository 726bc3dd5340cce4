"""Networks that approximate any curve: with bumps built by hand, and by learning."""
