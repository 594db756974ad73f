# SPDX-License-Identifier: Apache-2.0
"""Runs a program under real launchers."""
