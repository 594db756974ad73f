# SPDX-License-Identifier: Apache-2.0
"""Tests of fused attention on CUDA."""
