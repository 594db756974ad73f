"""Requirements of profile full."""
