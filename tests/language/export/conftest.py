"""What makes the artefacts needs JAX, and is no module of tests."""

collect_ignore = ["make_jax_artefacts.py"]
