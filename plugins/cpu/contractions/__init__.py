"""Contractions as native kernels: GEMMs over operands of any layout, and convolutions in terms of them."""
