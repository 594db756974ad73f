# SPDX-License-Identifier: Apache-2.0
"""Tests and benchmarks for a machine with NVIDIA GPUs, in pieces: `python -m tools.gpu --list`."""
