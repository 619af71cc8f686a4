"""From files that are no plain text to canonical text: one module a format, by others' libraries.

They run in a process of their own (`conversion`), as a hostile file may make a library hang or take
all memory. What they do not foresee they may raise: that process makes a reason of it.
"""
