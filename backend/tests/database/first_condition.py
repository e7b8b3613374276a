"""A condition as the first versions kept it: a mode's name, and one round-trip time.

SPDX-License-Identifier: Apache-2.0
"""

DIRECTION = {
    "loss_share": 0.0,
    "gilbert_elliott": None,
    "jitter_ms": 0.0,
    "rate_kbit_per_s": 0,
    "queue_packets": 0,
    "corrupt_share": 0.0,
}
CONDITION = {
    "mode": "off",
    "baseline": "modern",
    "path": {"rtt_ms": 10.0, "forward": DIRECTION, "backward": DIRECTION},
}
