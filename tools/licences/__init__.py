"""`docs/licences.md`: what olympus needs, and under which licences."""
