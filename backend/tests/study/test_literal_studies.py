"""The published studies to the letter: what they leave as it was, and that it can be done.

SPDX-License-Identifier: Apache-2.0
"""

import json
from dataclasses import replace

from httpx import ASGITransport, AsyncClient
from sqlalchemy import text

from tests.applications import app_over
from tests.conftest import ORIGIN
from tests.made_up import Participant, put_recordings
from tests.study.study_files import CLIPS, SURVEY
from thinlab.study.definition import StudyDefinition
from thinlab.study.file import read
from thinlab.study.scales.preference import PreferenceScale
from thinlab.study.schedule import covers_of
from thinlab.study.trial import ControlTrial, PairTrial, runs_of
from thinlab.trials.registry import KINDS
from thinlab.web.serve import load
from thinlab.web.services import Services


def study(name: str) -> StudyDefinition:
    """A ready study."""
    return read(SURVEY / f"{name}.yaml", CLIPS, KINDS)


def losses(definition: StudyDefinition) -> set[tuple[float, float]]:
    """Of every condition, there and back."""
    paths = [one.path for one in definition.sent.values()]
    return {(path.forward.loss_share, path.backward.loss_share) for path in paths}


def test_clips_stand_as_on_the_page() -> None:
    literal = study("lcn2008-listening-literal")
    (block,) = literal.blocks
    podcast, reference, song = block.trials
    assert isinstance(podcast, PairTrial)
    assert isinstance(reference, ControlTrial)
    assert isinstance(song, PairTrial)
    # The changes second in the first clip, and first in the third; for everybody.
    assert (podcast.conditions, song.conditions) == (("plain", "modified"), ("modified", "plain"))
    assert [len(cover) for cover in covers_of(block)] == [1]
    assert {runs_of(trial) for trial in block.trials} == {1}
    assert (block.playback, block.heard_share_at_least) == ("free", 0)
    assert isinstance(block.scale, PreferenceScale)
    assert block.scale.answers.no_difference is not None
    assert losses(literal) == {(0.02, 0.02)}
    assert (literal.exclusion, literal.questionnaire, literal.headphones) == ((), (), "any")
    assert literal.stop is not None
    assert literal.stop.completed == 88


def test_both_losses_of_the_recordings_are_in_the_study_that_differs() -> None:
    assert losses(study("lcn2008-listening")) == {(0.02, 0.02), (0.05, 0.05)}


def test_typing_is_at_two_per_cent_and_one_has_to_be_chosen() -> None:
    literal = study("lcn2008-typing-literal")
    (block,) = literal.blocks
    (session,) = block.trials
    assert losses(literal) == {(0.02, 0.02)}
    assert isinstance(block.scale, PreferenceScale)
    assert block.scale.answers.no_difference is None
    assert block.scale.noticeable is None
    assert literal.tasks["session"].editor == "vi"
    # Either first for half of 26 people, in whole rounds.
    assert runs_of(session) * len(covers_of(block)[0]) == 26
    assert literal.stop is not None
    assert literal.stop.completed == 26


def test_what_they_were_counted_as_is_counted_among_the_same_votes() -> None:
    for name in ("lcn2008-listening-literal", "lcn2008-typing-literal"):
        (one,) = study(name).published or ()
        assert one.among == "all"


async def test_whoever_only_looks_at_the_page_may_answer_as_on_it(services: Services) -> None:
    said = json.dumps(study("lcn2008-listening-literal").model_dump(mode="json"))
    for ours, made_up in (("song_b", "song"), ("sound_check", "check")):
        said = said.replace(f'"{ours}"', f'"{made_up}"')
    definition = json.loads(said)
    definition["sound_check"] = definition.pop("check")
    slug = definition["slug"]
    await load(services.database, [StudyDefinition.model_validate(definition)])
    await put_recordings(services, slug)
    app = app_over(replace(services, listening=True))
    async with AsyncClient(transport=ASGITransport(app), base_url=ORIGIN) as browser:
        person = await Participant.join(browser, slug)
        for trial in await person.open_trials():
            await person.hear_trial(trial["trial_token"])
            # Whatever is here can be sent: nothing has to be heard, so nothing takes time.
            unheard = {"medium": "heard", "plays_first": 0, "plays_second": 0, "switches": 0}
            voted = await person.vote_unheard(trial["trial_token"], account=unheard)
            assert voted.status_code == 201, voted.text
    async with services.database.transaction() as session:
        assert await session.scalar(text("select count(*) from vote")) == 3
