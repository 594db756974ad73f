# SPDX-License-Identifier: Apache-2.0
"""Runs the tests that a change can have touched, nearest first, within a limit of time: `make quick`."""
