# SPDX-License-Identifier: Apache-2.0
"""Fourier transforms: many lines side by side in the lanes of vectors, several dimensions in one call."""
