"""A named path.

SPDX-License-Identifier: Apache-2.0
"""

from pydantic import Field

from thinlab.condition.path import Path
from thinlab.part import Part


class Profile(Part):
    """A path by its name."""

    name: str
    title: str
    description: str
    source: str = Field(description="Paper and section, or that it is made up.")
    path: Path
