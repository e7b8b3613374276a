"""What makes a recording the recording it is: its identity and its key.

The name that a study gives to a condition is not part of it: two studies that
ask for the same thing share the recording.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from thinlab.study.condition import Condition


@dataclass(frozen=True)
class RecordingSpec:
    """One clip under one condition with one seed."""

    clip: str
    clip_sha256: str
    condition: Condition
    seed: int

    @property
    def spec_key(self) -> str:
        """What is asked for, on whatever host it will be made: 32 hex digits."""
        return self.key("")

    def identity(self, host_build: str) -> dict[str, Any]:
        """All that decides the recording's bytes."""
        return {
            "host_build": host_build,
            "clip_sha256": self.clip_sha256,
            "condition": self.condition.model_dump(mode="json"),
            "seed": self.seed,
        }

    def key(self, host_build: str) -> str:
        """Content key of the recording on a host of this build, 32 hex digits."""
        canonical = json.dumps(self.identity(host_build), sort_keys=True)
        return hashlib.sha256(canonical.encode()).hexdigest()[:32]
