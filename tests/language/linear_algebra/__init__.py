"""Linear algebra: lax.linalg, numpy.linalg, scipy.linalg."""
