# SPDX-License-Identifier: Apache-2.0
"""The site: the pages of `docs/` and what they link to, as HTML that needs no server."""
