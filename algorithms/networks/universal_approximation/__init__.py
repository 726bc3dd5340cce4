"""Networks that come near any curve: with bumps by hand, and by learning."""
