# SPDX-License-Identifier: Apache-2.0
"""Samples of every operation, and comparison with the reference."""
