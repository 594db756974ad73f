"""Requirements of profile single."""
