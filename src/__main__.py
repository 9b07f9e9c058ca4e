"""``python -m ksreplay``: the command line."""

from ksreplay.cli import run

if __name__ == "__main__":
    run()
