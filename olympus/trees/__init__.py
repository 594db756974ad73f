"""Nested containers: structures, registered classes, paths. The public names are in `olympus.tree`."""
