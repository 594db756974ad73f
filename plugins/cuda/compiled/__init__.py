# SPDX-License-Identifier: Apache-2.0
"""Compiled execution: fused kernels and library calls, launched in stream order and replayed as CUDA graphs."""
