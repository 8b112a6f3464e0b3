"""The package that verifiers loads for `eval number-duels-verifiers`.

verifiers needs a top-level package as id. The code is in `number_duels.adapters.verifiers`.
"""

from number_duels.adapters.verifiers import ChatHarness, DuelEnv, DuelTaskset

__all__ = ["ChatHarness", "DuelEnv", "DuelTaskset"]
