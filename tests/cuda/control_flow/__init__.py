# SPDX-License-Identifier: Apache-2.0
"""Tests of loops and branches on GPUs."""
