"""Damages what is kept on disk, and looks for wrong numbers and crashes."""
