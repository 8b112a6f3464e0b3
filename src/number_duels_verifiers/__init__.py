"""The package that verifiers loads for `eval number-duels-verifiers`.

verifiers finds an environment by the name of a top-level package. The code is in
`number_duels.adapters.verifiers`.
"""

from number_duels.adapters.verifiers import ChatHarness, DuelEnv, DuelTaskset

__all__ = ["ChatHarness", "DuelEnv", "DuelTaskset"]
