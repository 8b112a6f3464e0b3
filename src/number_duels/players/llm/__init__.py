"""`llm:MODEL`: a language model behind an OpenAI-compatible endpoint."""

from number_duels.players.llm.player import ModelPlayer

__all__ = ["ModelPlayer"]
