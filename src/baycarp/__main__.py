"""The command ``baycarp``, and ``python -m baycarp``."""

import sys

__all__ = ["main"]


def main() -> int:
    """Run the command of the process, and return its exit status."""
    try:
        from baycarp.cli import main as command  # it takes a while, in which Ctrl-C may come
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    return command()


if __name__ == "__main__":
    sys.exit(main())
