"""Compares public names and signatures with those of an installed JAX."""
