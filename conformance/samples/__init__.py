"""Samples of every operation, and comparison with the reference."""
