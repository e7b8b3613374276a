"""What pydantic finds wrong with a file's content, as faults with line, field and remedy.

SPDX-License-Identifier: Apache-2.0
"""

import difflib
from collections.abc import Callable, Iterable
from typing import Any

from pydantic_core import ErrorDetails

from thinlab.hostile_yaml import quoted
from thinlab.located_yaml import Fault, LocatedDocument, Place, path_text

KeysAt = Callable[[Place], list[str]]
"""The keys that may stand at a place of the file."""

# pydantic's name of a text's two forms, as they appear in the place of an error.
ONE_TEXT = "constrained-str"
TEXT_FOR_EACH_LANGUAGE = "dict[constrained-str,constrained-str]"
KEY = "[key]"

REMEDIES = {
    "string_type": "Give a text; put it in quotes if it looks like a number or a date",
    "string_too_short": "Write something",
    "bool_parsing": "Write true or false",
    "bool_type": "Write true or false",
    "int_parsing": "Write a whole number",
    "int_type": "Write a whole number",
    "int_from_float": "Write a whole number",
    "float_parsing": "Write a number",
    "float_type": "Write a number",
    "finite_number": "Write a number",
    "tuple_type": "Write a list: [a, b], or one `- ` a line",
    "dict_type": "Write `key: value`, one a line",
    "model_type": "Write `key: value`, one a line",
    "model_attributes_type": "Write `key: value`, one a line",
    "date_from_datetime_parsing": "Write a day as 2026-12-31",
    "date_type": "Write a day as 2026-12-31",
    "date_from_datetime_inexact": "Write a day as 2026-12-31",
}


Saying = Callable[[str, dict[str, Any]], tuple[str, str]]
"""From the value as shown and pydantic's context: message and remedy."""


def _not_known(shown: str, context: dict[str, Any]) -> tuple[str, str]:
    return f"`{shown}` is not known", f"Use one of {context['expected']}"


def _pattern(shown: str, context: dict[str, Any]) -> tuple[str, str]:
    if "A-Z" in context["pattern"]:
        return f"`{shown}` is not a language", "Use a code of BCP 47, such as en or nb"
    return f"`{shown}` is not a name", "Use a-z, 0-9, `-` and `_`"


def _tag(context: dict[str, Any]) -> str:
    return str(context["discriminator"]).strip("'")


SAYINGS: dict[str, Saying] = {
    "enum": _not_known,
    "literal_error": _not_known,
    "string_pattern_mismatch": _pattern,
    "union_tag_invalid": lambda _, context: (
        f"unknown {_tag(context)} `{quoted(context['tag'])}`",
        f"Use one of {context['expected_tags']}",
    ),
    "union_tag_not_found": lambda _, context: (
        f"`{_tag(context)}` is missing",
        f"Add `{_tag(context)}:`",
    ),
    "string_too_long": lambda _, context: (
        f"longer than {context['max_length']} characters",
        "Shorten it",
    ),
    "too_long": lambda _, context: (
        f"more than {context['max_length']} values",
        "Leave some out",
    ),
    "too_short": lambda _, context: (f"fewer than {context['min_length']} values", "Add some"),
    "greater_than": lambda shown, context: (f"`{shown}` is too small", f"Above {context['gt']}"),
    "greater_than_equal": lambda shown, context: (
        f"`{shown}` is too small",
        f"At least {context['ge']}",
    ),
    "less_than": lambda shown, context: (f"`{shown}` is too large", f"Below {context['lt']}"),
    "less_than_equal": lambda shown, context: (
        f"`{shown}` is too large",
        f"At most {context['le']}",
    ),
}


def explain(
    document: LocatedDocument, errors: Iterable[ErrorDetails], keys_at: KeysAt
) -> list[Fault]:
    """One fault for each thing that is wrong."""
    faults: dict[Place, Fault] = {}
    for error in errors:
        place = _place_in_file(document.data, error)
        value = _value_at(document.data, place)
        if _is_an_echo(error, value):
            continue
        # Of several forms that a value could have, the first is named.
        faults.setdefault(place, _explain(document, error, place, value, keys_at))
    return list(faults.values())


def _is_an_echo(error: ErrorDetails, value: object) -> bool:
    """Whether another error says it better."""
    # A list whose items are wrong is also too short: without them.
    if error["type"] == "too_short" and "min_length" in error["ctx"]:
        return isinstance(value, list | dict) and len(value) >= error["ctx"]["min_length"]
    # A text is one string or one for each language: only the form that was begun counts.
    if TEXT_FOR_EACH_LANGUAGE in error["loc"]:
        return not isinstance(value, dict) and error["loc"][-1] == TEXT_FOR_EACH_LANGUAGE
    return ONE_TEXT in error["loc"] and isinstance(value, dict)


def _explain(
    document: LocatedDocument, error: ErrorDetails, place: Place, value: object, keys_at: KeysAt
) -> Fault:
    kind, context = error["type"], error.get("ctx", {})
    message = error["msg"].removeprefix("Value error, ").removesuffix(".")
    shown = quoted(error["input"] if error["loc"][-1:] == (KEY,) else value)
    if kind == "missing":
        line = document.line_of(place[:-1])
        return Fault(document.file, line, path_text(place), "missing", f"Add `{place[-1]}:`")
    if kind == "extra_forbidden":
        remedy = _nearest(str(place[-1]), keys_at(place[:-1]))
        return document.fault(place, "unknown key", remedy)
    if kind in SAYINGS:
        return document.fault(place, *SAYINGS[kind](shown, context))
    if value is None and "type" in kind:
        return document.fault(place, "empty", "Write a value; the word `null` needs quotes")
    if kind == "value_error":
        return document.fault(place, message, "Correct it")
    message = f"`{shown}`: {message[0].lower()}{message[1:]}"
    return document.fault(place, message, REMEDIES.get(kind, "Correct it"))


def _nearest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f"Did you mean `{near[0]}`?"
    return f"There are: {', '.join(known)}" if known else "Remove it"


def _place_in_file(data: object, error: ErrorDetails) -> Place:
    """Pydantic's location without what only its types have: branches of unions, `[key]`."""
    place: list[str | int] = []
    here: Any = data
    *_, last = (None, *error["loc"])
    for part in error["loc"]:
        if isinstance(here, dict) and part in here:
            here = here[part]
            # Keys that are numbers are noted as they are written.
            place.append(str(part))
        elif isinstance(here, list) and isinstance(part, int) and part < len(here):
            here = here[part]
            place.append(part)
        elif error["type"] == "missing" and part is last:
            place.append(str(part))
    return tuple(place)


def _value_at(data: object, place: Place) -> object:
    here: Any = data
    for part in place:
        if isinstance(here, dict):
            here = next((value for key, value in here.items() if str(key) == str(part)), None)
        elif isinstance(here, list) and isinstance(part, int):
            here = here[part]
        else:
            return None
    return here
