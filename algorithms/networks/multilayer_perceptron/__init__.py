"""Networks of layers: their training on classes and on numbers, and one update by itself."""
