"""A program for each library, the same for both sides: `program()` gives a step, a state and the number of steps."""
