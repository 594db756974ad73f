# SPDX-License-Identifier: Apache-2.0
"""Contractions as native kernels: GEMMs over operands of any layout, and convolutions in terms of them."""
