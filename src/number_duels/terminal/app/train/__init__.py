"""The trainer on the full screen."""
