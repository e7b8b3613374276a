"""The exports of typing beside the votes: sessions, and every key of them.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.export.kind import OwnTable
from thinlab.trials.typing import rows
from thinlab.trials.typing.keystroke_columns import KEYSTROKE_COLUMNS
from thinlab.trials.typing.session_columns import SESSION_COLUMNS

SESSIONS = OwnTable(
    title="Sessions",
    meaning="One row a typing session, void ones too, with all that was measured.",
    columns=SESSION_COLUMNS,
    lots=rows.sessions,
)
KEYSTROKES = OwnTable(
    title="Keystrokes",
    meaning="One row a key, every instant on its way from the finger to the glyph.",
    columns=KEYSTROKE_COLUMNS,
    lots=rows.keys,
)
