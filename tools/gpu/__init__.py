"""What a machine with NVIDIA GPUs can show, piece by piece: `python -m tools.gpu --list`."""
