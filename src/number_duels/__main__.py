"""Run the `duels` command with `python -m number_duels`."""

from number_duels.terminal.main import main

main()
