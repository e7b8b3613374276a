"""Columns of the export of keystrokes: a row is a key, from the finger to the glyph.

SPDX-License-Identifier: Apache-2.0
"""

from functools import partial

from thinlab.export.column import Cell, Column, text, whole, yes
from thinlab.trials.typing.entry import KeyEntry
from thinlab.trials.typing.session_columns import PRESENTED

SINCE_PRESSED = "since the key was pressed, on one clock line; empty where it was not seen"

# In the order of the way.
STAMPS = {
    "released_us": "the finger left the key",
    "backend_received_us": "the server had it from the page",
    "agent_received_us": "the host's agent had it",
    "pty_written_us": "it was written to the SSH client's terminal",
    "key_written_us": "SSH's packet was written to the sender's socket",
    "key_sent_us": "its last byte left the sender for the first time",
    "key_arrived_us": "all of it had arrived at the receiver",
    "key_delivered_us": "all of it was read from the receiver's socket",
    "echo_written_us": "the echo was written to the receiver's socket",
    "echo_sent_us": "the echo's last byte left the receiver for the first time",
    "echo_arrived_us": "all of the echo had arrived at the sender",
    "echo_delivered_us": "all of the echo was read from the sender's socket",
    "screen_us": "the echo was read from the SSH client's terminal",
    "agent_forwarded_us": "the agent passed it on",
    "backend_forwarded_us": "the server passed it on to the page",
    "painted_us": "the glyph was painted",
}


def _stamp(name: str, happened: str) -> Column[KeyEntry]:
    return whole(
        name, "µs", f"when {happened}, {SINCE_PRESSED}", "keystroke", partial(_named, name=name)
    )


def _named(entry: KeyEntry, *, name: str) -> Cell:
    cell: Cell = getattr(entry.key, name)
    return cell


KEYSTROKE_COLUMNS: tuple[Column[KeyEntry], ...] = (
    *(
        Column(one.name, one.kind, one.unit, one.meaning, one.source,
               partial(lambda entry, cell: cell(entry.session), cell=one.cell))
        for one in PRESENTED
    ),
    whole("number", "", "the key's number in its session, from 1", "keystroke",
          lambda e: e.key.number),
    text(
        "kind", "`character`, `enter`, `backspace`, `navigation`, `control` or `other`",
        "keystroke", lambda e: e.key.kind,
    ),
    yes("repeat", "whether it came because the key was held", "keystroke", lambda e: e.key.repeat),
    text(
        "data", "what the key writes; only where the study keeps what is typed", "keystroke",
        lambda e: e.key.data,
    ),
    whole("pressed_us", "µs", "when it was pressed, since the terminal was ready", "keystroke",
          lambda e: e.key.pressed_us),
    *(_stamp(name, happened) for name, happened in STAMPS.items()),
    whole("screen", "", "number of the screen that holds its echo", "keystroke",
          lambda e: e.key.screen),
    whole(
        "key_transmissions", "count", "packets that carried the key's last byte, bundles counted",
        "captures", lambda e: e.key.key_transmissions,
    ),
    whole(
        "echo_transmissions", "count", "packets that carried the echo's last byte, bundles "
        "counted", "captures", lambda e: e.key.echo_transmissions,
    ),
    text(
        "key_recovery", "what brought the key when its first copy was lost: `none` (it was not), "
        "`bundle`, `fast`, `timeout` or `never`; empty where it is not known", "captures",
        lambda e: e.key.key_recovery,
    ),
    text("echo_recovery", "the same of its echo", "captures", lambda e: e.key.echo_recovery),
)  # fmt: skip
