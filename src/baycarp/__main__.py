"""``python -m baycarp``: the same as the command ``baycarp``."""

import sys

from baycarp.cli import main

if __name__ == "__main__":
    sys.exit(main())
