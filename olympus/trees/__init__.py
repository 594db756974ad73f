# SPDX-License-Identifier: Apache-2.0
"""Nested containers: structures, registered classes, paths. The public names are in `olympus.tree`."""
