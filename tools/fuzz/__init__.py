"""Random device programs, compiled and by the reference: `python -m tools.fuzz --minutes 10`."""
