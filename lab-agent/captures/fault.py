"""What stops the making of captures.

SPDX-License-Identifier: Apache-2.0
"""


class CapturesError(Exception):
    """Says what is wrong, and what to do."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.remedy = remedy
