# SPDX-License-Identifier: Apache-2.0
"""The line that says a source's licence in a form that machines read."""
