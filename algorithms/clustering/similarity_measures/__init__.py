"""What is near? Measures of points, and of rows of yes and no."""
