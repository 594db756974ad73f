# SPDX-License-Identifier: Apache-2.0
"""Compares public names and signatures with those of an installed JAX."""
