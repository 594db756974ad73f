"""Makes the reference pages from the docstrings."""
