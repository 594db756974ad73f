"""The version of the plugin contract: a plugin for another major is refused before it is used."""

API_VERSION: tuple[int, int] = (1, 0)
