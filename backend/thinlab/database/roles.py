"""Who may do what in the database: a role that owns the tables, and one that only fills them.

The server works as the second: a stolen address of the application lets nobody
change or delete a vote, switch off what forbids it, or reach the machine's
files. Tables are made and altered by `thinlab migrate` as the first, which no
process that talks to the network is told of.

SPDX-License-Identifier: Apache-2.0
"""

OWNER = "thinlab_owner"
APPLICATION = "thinlab_app"

# What may be added, and what may be changed or taken back, too. Deleting answers is for
# `delete_answers` (a withdrawal's function), which belongs to the owner.
_ADD = "select, insert"
_CHANGE = "select, insert, update"
_REMOVE = "select, insert, delete"
_ALL = "select, insert, update, delete"

PRIVILEGES = {
    "study": _CHANGE,
    "study_event": _ADD,
    "recording": _ADD,
    "trial_recording": _ALL,
    "recording_job": _CHANGE,
    "predicted_quality": _ADD,
    # Of a newcomer who left nothing; whoever has rows elsewhere cannot be deleted.
    "participant": _ALL,
    "headphone_test": _ALL,
    "hearing_test": _ALL,
    "invitation": _CHANGE,
    "panel_seat": _CHANGE,
    "panel_return": _ALL,
    "exclusion_entry": _ADD,
    "allocation": _ADD,
    "questionnaire_answer": _ADD,
    "presentation": _ADD,
    "recording_fetch": _CHANGE,
    "typing_session": _CHANGE,
    "keystroke": _ADD,
    "vote": _ADD,
    "demo": _ALL,
    "demo_take": _ALL,
    "demo_event": _REMOVE,
    "demo_poll": _ALL,
    "demo_vote": _ALL,
    "server_secret": _CHANGE,
    "web_session": _ALL,
    "access_token": _REMOVE,
    "audit_entry": _ADD,
    "alembic_version": "select",
}
"""Of the application, table by table."""
