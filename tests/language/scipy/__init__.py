"""Functions under SciPy's names."""
