"""Adapters that connect the games to research libraries such as Gymnasium and JAX."""
