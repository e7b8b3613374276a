"""What whoever does not know a secret is told: a password, or a token that was printed.

SPDX-License-Identifier: Apache-2.0
"""

from typing import NamedTuple

from thinlab.researcher.audit import Act
from thinlab.web.problems import ProblemError
from thinlab.web.services import Services


class _Told(NamedTuple):
    kind: str
    title: str
    field: str
    remedy: str


_TOLD = {
    Act.SIGN_IN_FAILED: _Told(
        "wrong-password",
        "The password is not right.",
        "password",
        "Try again; `thinlab reset-password` on the server lets you set a new one.",
    ),
    Act.SETUP_TOKEN_REFUSED: _Told(
        "wrong-setup-token",
        "This is not the setup token of this server, or it has ended.",
        "setup_token",
        "Open the researcher's address exactly as printed at the first start; "
        "`thinlab access setup` makes another.",
    ),
    Act.PRESENTER_TOKEN_REFUSED: _Told(
        "wrong-presenter-token",
        "This is not the presenter's token of this server, or it has ended.",
        "token",
        "Each start prints another address, good for a day; a researcher's page "
        "*Access* and `thinlab access presenter` make one, too.",
    ),
}


async def wrong_secret(here: Services, act: Act) -> ProblemError:
    """403, after the failure has been put on record."""
    await here.failures.note(here.database, act)
    told = _TOLD[act]
    return ProblemError(403, told.kind, told.title, field=told.field, remedy=told.remedy)
