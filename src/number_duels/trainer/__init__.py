"""Learn to play perfectly: spots, drills, puzzles, lessons and a book of one's mistakes."""
