"""Fourier transforms: many lines side by side in the lanes of vectors, several dimensions in one call."""
