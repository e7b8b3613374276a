"""What a panel asks of the rest of a study.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator

from thinlab.study.definition import StudyDefinition
from thinlab.study.inconsistency import Inconsistency


def inconsistencies_of_the_panel(definition: StudyDefinition) -> Iterator[Inconsistency]:
    """Who may come, and how long their ids are kept."""
    if definition.panel is None:
        return
    if definition.access == "invitation":
        yield Inconsistency(
            ("access",),
            "a panel gives everybody the same link, and nobody an invitation",
            "Write `access: link`: only those come in whose link has the panel's id",
        )
    if definition.retention_days is None:
        yield Inconsistency(
            ("panel",),
            "a panel's ids lead to people, and nothing says when they are erased",
            "Write `retention_days:` with enough days to pay everybody",
        )
