"""What a demo starts with.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.condition import profiles, radio
from thinlab.condition.transport import PAPERS, Baseline
from thinlab.demo.options import Preset
from thinlab.demo.setting import DemoLane, DemoSettings
from thinlab.demo.stream import ClipStream

FIRST_CLIP = "speech"

# Of each link of the thesis that which is bad most often, 4.8 % of the time.
_RADIO = (*(one for one in radio.THESIS if one.name.endswith("-4")), *radio.TODAY)

PRESETS = tuple(
    Preset.model_validate(one, from_attributes=True) for one in (*profiles.PROFILES, *_RADIO)
)

FIRST = DemoSettings(
    path=PRESETS[0].path,
    lanes=[
        DemoLane(name=None, baseline=Baseline.NEWRENO2008, mechanisms=()),
        DemoLane(name=None, baseline=Baseline.NEWRENO2008, mechanisms=PAPERS),
    ],
    stream=ClipStream(kind="clip", clip=FIRST_CLIP),
)
