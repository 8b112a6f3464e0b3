"""`python -m number_duels` is the `duels` command."""

from number_duels.terminal.main import main

main()
