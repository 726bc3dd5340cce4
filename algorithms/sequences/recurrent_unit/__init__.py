"""One recurrent unit through time, and a cell with gates."""
