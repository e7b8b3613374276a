"""What is found of a game's tanks, by the names of an experiment's columns.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from typing import Any

# What the record has, and how its columns begin.
DISTRIBUTIONS = {"error": "position_error", "beyond_path": "position_error_beyond_path"}
NUMBERS = {
    "mean": "mean_units",
    "p95": "p95_units",
    "p99": "p99_units",
    "highest": "max_units",
    "over_half_a_tank_share": "over_half_a_tank_share",
    "over_a_tank_share": "over_a_tank_share",
}
JUMPS = {"jump_p99": "position_jump_p99_units", "jump_highest": "position_jump_max_units"}
TANK_SECONDS = "position_tank_s"


def of_flow(found: Mapping[str, Any] | None) -> dict[str, Any]:
    """Of what the player at the end of a flow saw; nothing of a flow that tells of no tanks."""
    if found is None or not found["error"]["seconds"]:
        return {}
    columns = {column: found[name] for name, column in JUMPS.items()}
    columns[TANK_SECONDS] = found["error"]["seconds"]
    for part, begins in DISTRIBUTIONS.items():
        distribution = found[part]
        columns |= {f"{begins}_{column}": distribution[name] for name, column in NUMBERS.items()}
        columns[f"{begins}_cdf_units"] = [units for units, _ in distribution["points"]]
        columns[f"{begins}_cdf_share"] = [share for _, share in distribution["points"]]
    return columns
