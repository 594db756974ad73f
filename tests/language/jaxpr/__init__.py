"""Tests of programs as data."""
