# SPDX-License-Identifier: Apache-2.0
"""Functions under SciPy's names."""
