"""Run the command line with ``python -m patolli``."""

from patolli.cli import main

if __name__ == "__main__":
    main(prog_name="patolli")
