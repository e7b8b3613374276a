"""Words of a study, in each of its languages.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated

from pydantic import Field

Language = Annotated[
    str,
    Field(
        pattern=r"^[a-z]{2,3}(?:-[A-Z]{2})?$",
        description="BCP 47, such as `en` or `nb`.",
        examples=["en", "nb"],
    ),
]
Words = Annotated[str, Field(min_length=1, max_length=4000)]
LocalText = Annotated[
    Words | Annotated[dict[Language, Words], Field(min_length=1)],
    Field(
        description="A text; with more than one language, one text for each.",
        examples=["Which do you like better?", {"en": "Thank you.", "nb": "Takk."}],
    ),
]


def said(text: LocalText, language: str) -> str:
    """The text in a language of its study."""
    return text if isinstance(text, str) else text[language]


def lacking(text: LocalText, languages: tuple[str, ...]) -> tuple[set[str], set[str]]:
    """Languages that a text lacks, and those it has beyond the study's.

    A plain string is enough only where there is one language: a page half in
    another language than its reader chose would be noticed by the reader first.
    """
    if isinstance(text, str):
        return (set(languages) if len(languages) > 1 else set(), set())
    return set(languages) - set(text), set(text) - set(languages)
