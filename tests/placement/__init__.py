"""Tests of where data lies."""
