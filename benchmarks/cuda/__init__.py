# SPDX-License-Identifier: Apache-2.0
"""The benchmarks of platform `cuda`, for a machine with a GPU: beside the peer, CuPy and the device's own copy."""
