"""What the terminal draws: prompts, boards, progress, reports."""
