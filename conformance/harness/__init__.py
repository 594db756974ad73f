"""The harness: starts processes, runs the tests in them, and survives whatever a platform does there."""
