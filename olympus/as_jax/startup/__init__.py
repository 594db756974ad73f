# SPDX-License-Identifier: Apache-2.0
"""The folder that stands first on the path of processes which a program behind the door starts."""
