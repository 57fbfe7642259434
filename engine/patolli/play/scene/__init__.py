"""What one seat sees of a match, as plain data: panels, signs, options, and what is known about each.

The terminal and the studio draw it. Nothing here knows widths, terminal colors or pages.
"""
