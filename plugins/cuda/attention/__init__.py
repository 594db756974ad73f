# SPDX-License-Identifier: Apache-2.0
"""Attention by kernels whose scores never leave a multiprocessor."""
