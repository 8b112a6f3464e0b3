"""The documented path of `DuelPolicy` and `perfect_policy`; they live in `open_spiel/policy.py`."""

from number_duels.adapters.open_spiel.policy import DuelPolicy, perfect_policy

__all__ = ["DuelPolicy", "perfect_policy"]
