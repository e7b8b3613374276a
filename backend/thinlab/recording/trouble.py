"""Why a recording was not made, and what to do about it.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass

from thinlab.clips.manifest import ClipError
from thinlab.lab.agent import AgentAwayError, AgentRefusedError
from thinlab.lab.worker import WorkerError
from thinlab.recording.store import OtherRecordingError, StoreError

AGAIN = "Then press Record again."


class SelfCheckError(Exception):
    """A recording is not what it must be; nothing of it was stored."""


@dataclass(frozen=True)
class Trouble:
    """For the researcher: what went wrong, and the remedy."""

    problem: str
    remedy: str


def trouble_of(error: BaseException) -> Trouble:
    """What an error means to a researcher."""
    text = str(error) or type(error).__name__
    match error:
        case AgentAwayError():
            remedy = (
                "The lab host did not answer for a minute. Its log (`lab-agent.log` in the data "
                f"folder, or of the worker's host) tells why; start it again. {AGAIN}"
            )
        case AgentRefusedError():
            remedy = (
                "Change the condition in the study file, or use a host whose kernel and agent can "
                f"do it. {AGAIN}"
            )
        case SelfCheckError():
            remedy = (
                "Press Record again. If it fails in the same way, the host and this server are of "
                "different versions: build both from one checkout."
            )
        case OtherRecordingError():
            remedy = (
                "The recording in use stays. Restore the recordings' folder from a backup, or "
                "find out what differs on the host, before you trust recordings of it."
            )
        case ClipError() | WorkerError():
            remedy = f"Do what the message says. {AGAIN}"
        case StoreError():
            remedy = f"See to the disk and the permissions of the recordings' folder. {AGAIN}"
        case _:
            remedy = "Press Record again. If it fails in the same way, the server's log tells more."
    return Trouble(text, remedy)
