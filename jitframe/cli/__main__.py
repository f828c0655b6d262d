"""`python -m jitframe.cli`, for when the `jitframe` script is not on the path."""

from . import main

main()
