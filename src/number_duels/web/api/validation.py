"""Error messages for request fields that are missing or invalid."""

from __future__ import annotations

from pydantic_core import ErrorDetails

CARD_ID = "^[0-9a-f]{16}$"
EVENT_ID = "^[0-9a-f]{16,64}$"
ITEM_ID = "^[a-z0-9-]{0,100}$"
ALLOWED = {
    CARD_ID: "16 characters, each a digit or a letter from a to f",
    EVENT_ID: "16 to 64 characters, each a digit or a letter from a to f",
    ITEM_ID: "at most 100 lowercase letters, digits and hyphens",
}
SENTENCES = {
    "missing": "is missing; send it",
    "extra_forbidden": "is unknown; leave it out",
    "string_too_long": "is too long; use at most {max_length} characters",
    "string_too_short": "is too short; use at least {min_length} characters",
    "string_pattern_mismatch": "is invalid; use {allowed}",
    "too_long": "has too many entries; send at most {max_length}",
    "too_short": "has too few entries; send at least {min_length}",
    "greater_than": "is too small; use a number above {gt}",
    "greater_than_equal": "is too small; use at least {ge}",
    "less_than": "is too large; use a number below {lt}",
    "less_than_equal": "is too large; use at most {le}",
    "literal_error": "is invalid; use {expected}",
    "string_type": "is invalid; use text",
    "string_unicode": "cannot be read; use valid Unicode",
    "int_type": "is invalid; use a whole number",
    "int_parsing": "is invalid; use a whole number",
    "int_parsing_size": "is too large; use a smaller number",
    "int_from_float": "is invalid; use a whole number",
    "float_type": "is invalid; use a number",
    "float_parsing": "is invalid; use a number",
    "finite_number": "is invalid; use a finite number",
    "bool_type": "is invalid; use true or false",
    "list_type": "is invalid; use a list",
    "dict_type": "is invalid; use an object",
    "model_attributes_type": "is invalid; use an object",
    "model_type": "is invalid; use an object",
}
#: If a value may be a number or text, the location of an error ends with one of these types.
EITHER = ("int", "str", "constrained-int", "constrained-str")


def misfit_sentence(problem: ErrorDetails) -> str:
    """Turn a Pydantic error into a sentence that says what is wrong and what to do.

    >>> misfit_sentence({"type": "missing", "loc": ("body", "move")})
    'The field move is missing; send it.'
    >>> context = {"max_length": 20}
    >>> misfit_sentence({"type": "string_too_long", "loc": ("body", "name"), "ctx": context})
    'The field name is too long; use at most 20 characters.'
    """
    kind, place, context = problem["type"], list(problem["loc"][1:]), problem.get("ctx", {})
    what = SENTENCES.get(kind, "is invalid; see the description at /api")
    if len(place) > 1 and place[-1] in EITHER:
        place.pop()
        what = "is invalid; use a whole number or text"
    if context.get("min_length") == 1:
        what = "is empty; fill it in"
    where = f"The field {'.'.join(map(str, place))}" if place else "The body"
    allowed = ALLOWED.get(context.get("pattern", ""), "")
    return f"{where} {what.format(**context, allowed=allowed)}."
