"""The command line: click commands, each a few lines that call the other packages.

Exit codes: 0 success, 1 the content has problems, 2 usage error, 3 a match could not go on, 4 internal error.
"""

from patolli.cli.main import main

__all__ = ["main"]
