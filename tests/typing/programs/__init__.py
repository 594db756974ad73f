"""Programs as users write them, checked by two type checkers and run; see tests/typing/test_programs.py."""
