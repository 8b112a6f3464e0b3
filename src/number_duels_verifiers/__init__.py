"""The games under a name that verifiers finds: `eval number-duels-verifiers`.

An id of verifiers is the name of a package at the top; the code is in
`number_duels.adapters.verifiers`.
"""

from number_duels.adapters.verifiers import ChatHarness, DuelEnv, DuelTaskset

__all__ = ["ChatHarness", "DuelEnv", "DuelTaskset"]
