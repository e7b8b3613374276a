"""One errand of the web server, in the process that does it.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio

from thinlab.experiment.desk import again, look
from thinlab.experiment.desk.again import NotAgainError
from thinlab.experiment.desk.places import Places
from thinlab.experiment.narrowing import NarrowingError
from thinlab.experiment.report import NothingRunError
from thinlab.experiment.session import SelfCheckError
from thinlab.lab.agent import AgentAwayError, AgentRefusedError
from thinlab.located_yaml import FileFaultsError
from thinlab.settings import SettingError, Settings

# People who type do not wait while a figure is drawn.
NICENESS = 10


class ProblemError(Exception):
    """Why an errand came to nothing, for the researcher."""


def do(settings: Settings, build: str, kind: str, *words: str) -> None:
    """Raises `ProblemError`."""
    places = Places.of(settings, build)
    try:
        match kind, words:
            case "look", (since_ns,):
                look.look(places, int(since_ns))
            case "report", (name, stamp):
                look.report_of(places, name, stamp)
            case "session", (name, key):
                asked = again.asked_of(places, name, key)
                asyncio.run(again.make(settings, places, asked))
            case _:
                raise ProblemError(f"there is no errand {kind} {words}")
    except ModuleNotFoundError as error:
        raise ProblemError(
            f"This installation has nothing that draws figures ({error}). `uv sync --group "
            "experiment` installs it."
        ) from error
    except (AgentAwayError, AgentRefusedError, SelfCheckError, SettingError) as error:
        raise ProblemError(f"The lab host did not make it. {error}") from error
    except (NotAgainError, NothingRunError, look.NoFileError) as error:
        raise ProblemError(str(error)) from error
    except (FileFaultsError, NarrowingError) as error:
        raise ProblemError(f"The experiment's file cannot be used. {error}") from error
    except OSError as error:
        raise ProblemError(f"{error.filename or 'A file'}: {error.strerror}.") from error
