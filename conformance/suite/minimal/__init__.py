"""Requirements of profile minimal."""
