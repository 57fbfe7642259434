"""The lab of the studio: runs in the background, their results so far, and their matches at a table."""
