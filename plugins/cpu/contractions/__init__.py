"""Contractions as native kernels: products of matrices in any layout, and what is written in terms of them."""
