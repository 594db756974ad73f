"""Requirements of profile multi."""
