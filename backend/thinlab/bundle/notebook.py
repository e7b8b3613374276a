"""A Jupyter notebook of a page of Markdown: its blocks of Python become cells.

SPDX-License-Identifier: Apache-2.0
"""

import json
import re
from collections.abc import Iterator
from typing import Any

CODE = re.compile(r"^```python\n(.*?)^```\n", re.DOTALL | re.MULTILINE)


def notebook(page: str) -> str:
    """In nbformat 4.5: text between blocks of Python as Markdown, and no output."""
    content = {
        "cells": list(_cells(page)),
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _cells(page: str) -> Iterator[dict[str, Any]]:
    number = 0
    # Split by a pattern with one group: text and code in turn.
    for index, part in enumerate(CODE.split(page)):
        source = part.strip("\n")
        if not source:
            continue
        number += 1
        cell: dict[str, Any] = {
            "cell_type": "code" if index % 2 else "markdown",
            "id": f"cell-{number}",
            "metadata": {},
            "source": source.splitlines(keepends=True),
        }
        if index % 2:
            cell |= {"execution_count": None, "outputs": []}
        yield cell
