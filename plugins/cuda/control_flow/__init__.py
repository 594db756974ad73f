# SPDX-License-Identifier: Apache-2.0
"""Loops and branches as works, which run without the host."""
