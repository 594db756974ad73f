# SPDX-License-Identifier: Apache-2.0
"""Linear algebra: lax.linalg, numpy.linalg, scipy.linalg."""
