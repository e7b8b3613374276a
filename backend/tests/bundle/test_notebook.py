"""A page of Markdown as a notebook.

SPDX-License-Identifier: Apache-2.0
"""

import json

from thinlab.bundle.notebook import notebook


def test_blocks_of_python_become_cells() -> None:
    page = "# One\n\nHello.\n\n```python\nx = 1\n\nx\n```\n\n```\nno code\n```\n"
    made = json.loads(notebook(page))
    assert (made["nbformat"], made["nbformat_minor"]) == (4, 5)
    assert [(cell["cell_type"], "".join(cell["source"])) for cell in made["cells"]] == [
        ("markdown", "# One\n\nHello."),
        ("code", "x = 1\n\nx"),
        ("markdown", "```\nno code\n```"),
    ]
    assert len({cell["id"] for cell in made["cells"]}) == 3
