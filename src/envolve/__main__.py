"""`python -m envolve`."""

from .cli import main

main()
