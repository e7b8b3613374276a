"""Screens without what was typed: what moves the cursor stays, what can be read does not.

SPDX-License-Identifier: Apache-2.0
"""

import re

MASK = "•"
# ECMA-48: control sequences; strings (titles, device control), which can hold text; the other
# escape sequences; and what an unfinished one looks like at the end of a chunk. What begins a
# string is not among the others: at the end of a chunk it would be taken for a whole one.
_SEQUENCE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"
    r"|(?P<string>\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\))"
    r"|\x1b(?:[ -/]+[0-~]|[0-OQ-WYZ\\`-~])"
)
_UNFINISHED = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b]*\x1b?|[ -/]*)?\Z")


class Mask:
    """Masks a terminal's output chunk by chunk; a sequence may be cut anywhere."""

    def __init__(self) -> None:
        self._left = ""

    def mask(self, text: str) -> str:
        """The chunk masked; an unfinished sequence waits for the next."""
        text = self._left + text
        self._left = ""
        done: list[str] = []
        at = 0
        while (escape := text.find("\x1b", at)) >= 0:
            done.append(_masked(text[at:escape]))
            found = _SEQUENCE.match(text, escape)
            if found is None:
                if _UNFINISHED.match(text, escape):
                    self._left = text[escape:]
                    return "".join(done)
                # No sequence of any kind: the escape character alone.
                at = escape + 1
                continue
            if found["string"] is None:
                done.append(found[0])
            at = found.end()
        done.append(_masked(text[at:]))
        return "".join(done)


def _masked(text: str) -> str:
    """Blanks stay, for they erase."""
    return "".join(MASK if sign.isprintable() and sign != " " else sign for sign in text)
