# SPDX-License-Identifier: Apache-2.0
"""A stand-in for CuPy, as far as the platform uses it: GPUs of host memory, threads and emulated kernels."""
