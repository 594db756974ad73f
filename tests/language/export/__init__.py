"""Tests of exported functions."""
