"""How far the tanks of a replayed game are from where a player sees them.

`known.py` reads what the server told whom, `sent.py` says what of it a session sends,
`reckoning.py` moves a tank on, `error.py` measures, `columns.py` names the results. `../game.py`
does so for a session.

SPDX-License-Identifier: Apache-2.0
"""
