"""Line mode, in which the user plays and trains without full-screen mode."""
