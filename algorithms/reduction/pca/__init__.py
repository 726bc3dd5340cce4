"""Principal component analysis: by hand, by power iteration, by eigenvectors, by a kernel."""
