"""A panel in a study's file: what it may say, and what that means.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from tests.made_up import study_definition
from thinlab.study.panel import GRACE, PROVIDERS, REPORTED, Outcome, Panel
from thinlab.study.panel_consistency import inconsistencies_of_the_panel

PROLIFIC = "PROLIFIC_PID={{%PROLIFIC_PID%}}&SESSION_ID={{%SESSION_ID%}}&STUDY_ID={{%STUDY_ID%}}"


@pytest.mark.parametrize(
    ("provider", "names", "path"),
    [
        (
            "prolific",
            ["PROLIFIC_PID", "SESSION_ID", "STUDY_ID"],
            f"/s/demo?{PROLIFIC}",
        ),
        ("cloudresearch", ["participantId", "assignmentId", "projectId"], "/s/demo"),
        ("sona", ["survey_code"], "/s/demo?survey_code=%SURVEY_CODE%"),
    ],
)
def test_what_panels_publish_of_their_links(provider: str, names: list[str], path: str) -> None:
    panel = Panel.model_validate({"provider": provider})
    assert list(panel.named.values()) == names
    assert panel.path("demo") == path


def test_any_panel_says_which_parameter_is_the_id() -> None:
    with pytest.raises(ValidationError, match="needs `parameters`"):
        Panel.model_validate({"provider": "link"})
    panel = Panel.model_validate({"provider": "link", "parameters": {"participant": "worker"}})
    assert panel.named == {"participant": "worker"}


def test_a_panel_s_parameters_can_be_called_otherwise() -> None:
    panel = Panel.model_validate({"provider": "prolific", "parameters": {"participant": "pid"}})
    assert panel.path("demo") == "/s/demo?pid={{%PROLIFIC_PID%}}"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"participant": "preview"}, "meaning of its own"),
        ({"participant": "language"}, "meaning of its own"),
        ({"participant": "id", "session": "id"}, "a name of its own"),
        ({"participant": "a b"}, "pattern"),
        ({"participant": "<b>"}, "pattern"),
        ({"participant": ""}, "pattern"),
        ({"session": "visit"}, "Field required"),
    ],
)
def test_parameters_that_cannot_be(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        Panel.model_validate({"provider": "link", "parameters": parameters})


def test_a_place_is_held_a_little_longer_than_is_said() -> None:
    panel = Panel.model_validate({"provider": "sona", "deadline_minutes": 30})
    assert panel.reserved_for == timedelta(minutes=30) + GRACE
    for minutes in (0, 4, 1441):
        with pytest.raises(ValidationError):
            Panel.model_validate({"provider": "sona", "deadline_minutes": minutes})


def test_a_panel_needs_an_open_link_and_a_retention() -> None:
    panel = {"provider": "sona"}
    fits = study_definition(panel=panel, retention_days=30)
    assert not list(inconsistencies_of_the_panel(fits))
    assert not list(inconsistencies_of_the_panel(study_definition()))
    lacks = study_definition(panel=panel, access="invitation")
    assert [one.place for one in inconsistencies_of_the_panel(lacks)] == [("access",), ("panel",)]


def test_a_study_without_a_panel_is_the_version_that_it_was() -> None:
    plain = study_definition()
    assert "panel" not in plain.model_dump(mode="json", exclude_defaults=True)
    assert study_definition(panel=None).content_hash == plain.content_hash


def test_every_provider_is_known_and_every_outcome_but_a_withdrawal_reported() -> None:
    assert set(Outcome) - set(REPORTED) == {Outcome.WITHDRAWN}
    for name, provider in PROVIDERS.items():
        assert (provider.parameters is None) == (name == "link")
