# SPDX-License-Identifier: Apache-2.0
"""What the transformations share: the traces, the tables of rules, and programs taken apart for them."""
