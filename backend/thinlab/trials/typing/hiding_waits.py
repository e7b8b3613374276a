"""How long somebody waits for a terminal, and for its end: equally long, whatever it goes over.

Handshake, login and first screen take some round trips, more over one protocol than over another,
and so does saving the text. Where a study's terminals differ in what that depends on, each is
shown, and over, as late as the slowest one may be, so that the wait tells nothing.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator

from thinlab.condition.condition import Condition
from thinlab.condition.transport import DEFAULT_SACK_DELAY_MS, Protocol
from thinlab.live.session import Waits
from thinlab.study.definition import StudyDefinition
from thinlab.study.trial import member_conditions, task_of

# `lab-agent type --keys 1` at RTT 20, 100 and 400 ms, over TCP and SCTP: ten or eleven round trips
# and 0.3 s (median of an idle machine) to 0.7 s (the most on a busy one). The rest is room.
ROUND_TRIPS_TO_READY = 13
# The text is saved and read after one round trip; at 60 ms a session was over 0.26 to 0.35 s after
# it was done, and 0.2 s later where a SACK was waited for.
ROUND_TRIPS_TO_END = 3
BESIDE_MS = 1000.0


def waits_of(definition: StudyDefinition) -> Waits:
    """A study's: none where all its terminals take equally long anyway.

    A machine that is too busy for them is later, over whatever the keys go.
    """
    conditions = list(_typed(definition))
    if len({_depends_on(one) for one in conditions}) <= 1:
        return Waits()
    return Waits(
        shown_after_s=max(_longest_ms(one, ROUND_TRIPS_TO_READY) for one in conditions) / 1000,
        over_after_s=max(_longest_ms(one, ROUND_TRIPS_TO_END) for one in conditions) / 1000,
    )


def _typed(definition: StudyDefinition) -> Iterator[Condition]:
    for block in definition.blocks:
        for trial in block.trials:
            if task_of(trial) is not None:
                for name in member_conditions(trial):
                    yield definition.sent[name].resolved


def _depends_on(condition: Condition) -> tuple[object, ...]:
    """TCP's mechanisms make no difference without loss, which comes when a terminal is ready."""
    transport, path = condition.transport.in_use, condition.path
    lengths = (path.forward.mtu_bytes, path.backward.mtu_bytes)
    if transport.protocol is Protocol.TCP:
        return (transport.protocol, path.rtt_ms, lengths)
    return (transport.protocol, path.rtt_ms, transport.mechanisms, transport.sctp)


def _longest_ms(condition: Condition, round_trips: int) -> float:
    longest_ms = round_trips * condition.path.rtt_ms + BESIDE_MS
    if condition.transport.protocol is Protocol.SCTP:
        # The last of what is sent is under way until its receiver has waited for more.
        delay_ms = condition.transport.sctp.sack_delay_ms
        longest_ms += DEFAULT_SACK_DELAY_MS if delay_ms is None else delay_ms
    return longest_ms
