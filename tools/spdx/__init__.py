"""The line that says a source's licence in a form that machines read."""
