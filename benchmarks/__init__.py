# SPDX-License-Identifier: Apache-2.0
"""Benchmarks: olympus and its peer side by side, in one run."""
