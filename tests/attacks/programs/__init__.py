"""One file an attack: what it does (its docstring), `BOUND`, and `attack`.

`SETTINGS` may change the server's settings for it, and `SHORT_SETTINGS` for its short version
in the tests; both are names of `Config`. `ENVIRONMENT` is more of
the server's environment. In the tests they all attack one server,
with the settings of all, but for those with `OWN_SERVER`.
"""
