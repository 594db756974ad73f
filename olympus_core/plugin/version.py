# SPDX-License-Identifier: Apache-2.0
"""The version of the plugin contract: a plugin for another major is refused before it is used."""

API_VERSION: tuple[int, int] = (1, 0)

# The distribution's name on a package index, where that of the package to import is another project's.
DISTRIBUTION = "olympus-runtime"

# The distribution's own; what a plugin keeps for later processes is only good for the same one.
VERSION = "0.1.0"
