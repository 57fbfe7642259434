"""The command line: click commands, each a few lines over the other rooms.

Exit codes: 0 fine, 1 the content has problems, 2 the call was wrong, 3 a match could not go on.
"""

from patolli.cli.main import main

__all__ = ["main"]
