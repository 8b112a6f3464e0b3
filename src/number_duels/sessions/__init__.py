"""What a person does, without I/O; the terminal and the page draw it."""
