"""A document as lines on the screen, with chunks and evidence over it. No widget, no store."""
