"""A study with a staircase, for tests that need no lab.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

from tests.made_up import block, study_definition
from thinlab.study.definition import Block, StudyDefinition

FORCED = {
    "kind": "preference",
    "question": "Which sounds better?",
    "answers": {"first": "The first", "second": "The second"},
}
LOSSES = {"l1": 0.01, "l3": 0.03, "l8": 0.08, "l20": 0.2}


def lossy(loss_share: float) -> dict[str, Any]:
    way = {"loss_share": loss_share}
    return {"mode": "off", "path": {"rtt_ms": 130, "forward": way, "backward": way}}


def levels(clip: str, runs: int = 2) -> list[dict[str, Any]]:
    """A pair of the reference and each level."""
    return [
        {"kind": "pair", "id": f"{clip}-{name}", "clip": clip, "conditions": ["none", name]}
        | {"runs": runs, "seed": 7}
        for name in LOSSES
    ]


def staircase_block(*clips: str, trials: int = 8, **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    """A staircase on each of the clips."""
    return (
        block(
            [one for clip in clips for one in levels(clip)],
            id="stairs",
            scale=FORCED,
            adaptive={"quantity": "loss_share", "trials": trials, "seed": 3},
        )
        | changes
    )


def staircase_definition(*blocks: dict[str, Any], **changes: Any) -> StudyDefinition:  # noqa: ANN401
    """Two staircases of eight trials, or these blocks."""
    conditions = {"none": lossy(0.0)} | {name: lossy(loss) for name, loss in LOSSES.items()}
    return study_definition(
        conditions=conditions,
        blocks=list(blocks) or [staircase_block("speech", "song")],
        **changes,
    )


def first_block(definition: StudyDefinition) -> Block:
    return definition.blocks[0]
