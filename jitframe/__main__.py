"""`python -m jitframe`, for when the `jitframe` script is not on the path."""

from .cli import main

main()
