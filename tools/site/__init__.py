"""The site: the pages of `docs/` and what they link to, as HTML that needs no server."""
