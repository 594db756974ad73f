"""What is tried of every operation, and what counts as right."""
