"""What makes a recording the recording it is: its identity and its key.

The name that a study gives to a condition is not part of it: two studies that
ask for the same thing share the recording.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from thinlab.condition.condition import Condition
from thinlab.condition.path import Direction
from thinlab.condition.reference import WAY_OF_MAKING, RecordedCondition, Reference
from thinlab.contract.generated.names import Codec


@dataclass(frozen=True)
class RecordingSpec:
    """One clip under one condition with one seed."""

    clip: str
    clip_sha256: str
    condition: RecordedCondition
    seed: int

    @cached_property
    def spec_key(self) -> str:
        """What is asked for, on whatever host it will be made: 32 hex digits."""
        return self.key("")

    def is_as(self, other: "RecordingSpec") -> bool:
        """Whether both ask for one recording."""
        # A key costs far more than all else here, and few share clip and seed.
        alike = (self.clip_sha256, self.seed) == (other.clip_sha256, other.seed)
        return alike and self.spec_key == other.spec_key

    def identity(self, host_build: str) -> dict[str, Any]:
        """All that decides the recording's bytes."""
        return {
            "host_build": host_build,
            "clip_sha256": self.clip_sha256,
            "condition": condition_identity(self.condition),
            "seed": self.seed,
        }

    def key(self, host_build: str) -> str:
        """Content key of the recording on a host of this build, 32 hex digits."""
        canonical = json.dumps(self.identity(host_build), sort_keys=True)
        return hashlib.sha256(canonical.encode()).hexdigest()[:32]


# What a path's identity has always named, also where it is nothing.
_ALWAYS = {
    "loss_share",
    "gilbert_elliott",
    "jitter_ms",
    "rate_kbit_per_s",
    "queue_packets",
    "corrupt_share",
}


def condition_identity(condition: RecordedCondition) -> dict[str, Any]:
    """A condition as keys are made of it."""
    if isinstance(condition, Reference):
        return condition.model_dump(mode="json") | {"way_of_making": WAY_OF_MAKING}
    return _sent_identity(condition)


def _sent_identity(condition: Condition) -> dict[str, Any]:
    """What is sent, as keys have been made of it since the first recording.

    What can be said of conditions since then is in it where it is said: a key that
    a later Thinlab adds changes no recording's.
    """
    transport, path = condition.transport.in_use, condition.path
    ways = {"forward": path.forward, "backward": path.backward}
    evenly = path.forward.delay_ms == path.backward.delay_ms
    named = {name: _direction(way, without_delay=evenly) for name, way in ways.items()}
    found: dict[str, Any] = {
        "mode": transport.mode,
        "baseline": transport.baseline.value,
        "path": named | ({"rtt_ms": path.rtt_ms} if evenly else {}),
    }
    for name in ("bundling", "tcp", "sctp", "udp_lite"):
        if said := getattr(transport, name).model_dump(mode="json", exclude_defaults=True):
            found[name] = said
    if condition.codec is not Codec.OPUS:
        found["codec"] = condition.codec.value
    return found


def _direction(way: Direction, *, without_delay: bool) -> dict[str, Any]:
    said = way.model_dump(mode="json", exclude_defaults=True)
    whole = way.model_dump(mode="json", include=_ALWAYS) | said
    if without_delay:
        del whole["delay_ms"]
    # Named in full, like all that was there from the beginning.
    if way.gilbert_elliott is not None:
        whole["gilbert_elliott"] = way.gilbert_elliott.model_dump(mode="json")
    return whole
