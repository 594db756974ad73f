# SPDX-License-Identifier: Apache-2.0
"""Types of values that libraries define, operations on them, and their derivatives (decision 0112)."""
