"""Talking with an OpenAI-compatible endpoint: one exchange, and what can go wrong with it."""
