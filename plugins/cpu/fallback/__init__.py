"""Operations that call NumPy: everything that is not compiled."""
