"""Runs a program under real launchers."""
