"""Rows of the keystroke table: every key from the finger to the glyph, on one clock line.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.live.clock_line import ClockLine
from thinlab.live.record import KeyPressed, ScreenShown, SessionRecord

# What the agent stamps, in the order of the way.
AGENT_STAMPS = tuple(
    name.removesuffix("_ns")
    for name in pb.KeyLine.DESCRIPTOR.fields_by_name
    if name.endswith("_ns")
)


def rows_of(record: SessionRecord, line: ClockLine, *, keep_text: bool) -> list[dict[str, Any]]:
    """One row a key, by the columns' names; `session_id` is for whoever stores them."""
    stamped = {} if record.ended is None else {key.number: key for key in record.ended.result.keys}
    return [
        _row(key, stamped.get(key.number), record, line, keep_text=keep_text)
        for key in record.keys.values()
    ]


def _row(
    key: KeyPressed,
    stamps: pb.KeyLine | None,
    record: SessionRecord,
    line: ClockLine,
    *,
    keep_text: bool,
) -> dict[str, Any]:
    # A key whose page never answered a probe is placed by its arrival here.
    pressed_us = line.of_page(key.at_us) or float(key.received_us)
    released_us = None if key.released_at_us is None else key.released_at_us - key.at_us
    row: dict[str, Any] = {
        "number": key.number,
        "kind": key.kind.value,
        "repeat": key.repeat,
        "data": key.data if keep_text else None,
        "pressed_us": round(pressed_us - (record.ready_us or 0)),
        "released_us": released_us,
        "backend_received_us": round(key.received_us - pressed_us),
    }
    for name in AGENT_STAMPS:
        known = stamps is not None and stamps.HasField(f"{name}_ns")  # type: ignore[arg-type]
        row[f"{name}_us"] = (
            round(line.of_agent(getattr(stamps, f"{name}_ns")) - pressed_us) if known else None
        )
    screen = _screen_of(key, stamps, record)
    # One clock at both ends: no offset can be wrong.
    painted_at_us = None if screen is None else screen.painted_at_us
    painted_us = None if painted_at_us is None else painted_at_us - key.at_us
    row |= {
        "backend_forwarded_us": None if screen is None else round(screen.forwarded_us - pressed_us),
        "painted_us": painted_us,
        "screen": None if screen is None else screen.number,
        "key_transmissions": None if stamps is None else stamps.key_transmissions,
        "echo_transmissions": None if stamps is None else stamps.echo_transmissions,
        "key_recovery": None if stamps is None else _recovery(stamps.key_recovery),
        "echo_recovery": None if stamps is None else _recovery(stamps.echo_recovery),
    }
    return row


def _screen_of(
    key: KeyPressed, stamps: pb.KeyLine | None, record: SessionRecord
) -> ScreenShown | None:
    """The screen that shows the key: the one the agent names, else the first that says so."""
    if stamps is not None:
        return record.screens.get(stamps.screen)
    return next((one for one in record.screens.values() if one.answers_key >= key.number), None)


def _recovery(recovery: pb.Recovery.ValueType) -> str | None:
    if recovery == pb.RECOVERY_UNSPECIFIED:
        return None
    return pb.Recovery.Name(recovery).removeprefix("RECOVERY_").lower()
