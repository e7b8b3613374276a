"""Results of the small grid that no host has made, for what only looks at results.

SPDX-License-Identifier: Apache-2.0
"""

from pathlib import Path

from tests.experiment.commands import SMALL
from thinlab.experiment import asked, rows
from thinlab.experiment.file import read
from thinlab.experiment.request import requests

BUILD = "0123456789abcdef"
NONE: dict[str, object] = {"runs": None, "minutes": None, "modes": None}
SESSIONS = 12


def sha256_of(key: str, side: str) -> str:
    """What stands for the hash of a capture."""
    return (side[0] + key) * 2


def put_results(results: Path, name: str = "small", *, file: Path = SMALL) -> Path:
    """Leaves what `thinlab experiment run` would; returns the folder."""
    folder = results / name
    folder.mkdir(parents=True, exist_ok=True)
    experiment, _ = read(file)
    made = []
    for number, request in enumerate(requests(experiment)):
        key = request.key(BUILD)
        cell = request.cell
        share = cell.loss_share * (1 if cell.mode == "off" else 0.9)
        made.append(
            {
                "key": key,
                "host_build": BUILD,
                "run": request.run,
                "seed": request.seed,
                "mode": cell.mode,
                "retransmitted_packet_share": share + number / 10_000,
                "packet_payload_mean_bytes": 121.0 + number / 100,
                "packets_against_off_share": number / 1_000,
                "above_lowest_p99_us": 300_000.0,
                "above_lowest_max_us": 900_000.0,
                "application_per_message_p99_us": 350_000.0,
                "felt_messages": 100,
                "felt_sojourn_min_us": 50_000.0,
                "felt_sojourn_cdf_us": [50_000.0, 150_000.0, 950_000.0],
                "felt_sojourn_cdf_share": [0.9, 0.99, 1.0],
                "wait_2_against_1": 1.0,
                "wait_3_against_1": 1.0 if cell.mode == "linear_timeouts" else 4.0,
                "sender_capture_sha256": sha256_of(key, "sender"),
                "receiver_capture_sha256": sha256_of(key, "receiver"),
                **{
                    f"check_{way}_{what}_packets": count
                    for way in ("forward", "backward")
                    for what, count in (("sent", 10), ("received", 9), ("dropped", 1))
                },
            }
        )
    rows.write(folder / f"{experiment.name}.parquet", made)
    asked.keep(folder, asked.taken(file, NONE))
    return folder
