"""Lists every place where an operation's name stands."""
