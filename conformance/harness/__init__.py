# SPDX-License-Identifier: Apache-2.0
"""The harness: starts processes, runs the tests in them, and survives whatever a platform does there."""
