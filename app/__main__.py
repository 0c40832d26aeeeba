"""`python -m app` is `kungfu2100`."""

import sys

from app.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
