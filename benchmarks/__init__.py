"""Benchmarks: olympus and its peer side by side, in one run."""
