# SPDX-License-Identifier: Apache-2.0
"""Lists every place where an operation's name stands."""
