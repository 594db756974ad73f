# SPDX-License-Identifier: Apache-2.0
"""Makes the reference pages from the docstrings."""
