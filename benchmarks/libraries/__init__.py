# SPDX-License-Identifier: Apache-2.0
"""A program of a page for each library written for JAX: the same losses with JAX and with olympus, and times."""
