"""The lab in the page: runs that go on by themselves, what they have shown so far, and their matches at a table."""
