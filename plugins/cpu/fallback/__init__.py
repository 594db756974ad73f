# SPDX-License-Identifier: Apache-2.0
"""Operations that call NumPy: everything that is not compiled."""
