// What an address says of a panel's participant, and what it cannot say.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import type { PanelDoor } from "../api/generated";
import { sentBy } from "./panel";

const prolific: PanelDoor = {
  title: "Prolific",
  participant: "PROLIFIC_PID",
  session: "SESSION_ID",
  batch: "STUDY_ID",
  deadline_minutes: 60,
};
const sona: PanelDoor = {
  title: "SONA",
  participant: "survey_code",
  session: null,
  batch: null,
  deadline_minutes: 60,
};

test("the ids are read from the parameters that the study names, whatever else there is", () => {
  const search = "?PROLIFIC_PID=5f0aBc&STUDY_ID=st-1&SESSION_ID=se.1&utm_source=mail";
  expect(sentBy(prolific, search)).toEqual({
    participant: "5f0aBc",
    session: "se.1",
    batch: "st-1",
  });
  expect(sentBy(sona, "?survey_code=41233&PROLIFIC_PID=other")).toEqual({
    participant: "41233",
    session: null,
    batch: null,
  });
});

test("a visit or a batch may be lacking, an id may not", () => {
  expect(sentBy(prolific, "?PROLIFIC_PID=a")).toEqual({
    participant: "a",
    session: null,
    batch: null,
  });
  for (const search of ["", "?", "?PROLIFIC_PID=", "?SESSION_ID=s", "?prolific_pid=a"]) {
    expect(sentBy(prolific, search), search).toBe("absent");
  }
});

test("a parameter that is said twice is fit only where both say the same", () => {
  expect(sentBy(sona, "?survey_code=1&survey_code=1")).toMatchObject({ participant: "1" });
  expect(sentBy(sona, "?survey_code=1&survey_code=2")).toBe("unfit");
  expect(sentBy(prolific, "?PROLIFIC_PID=a&SESSION_ID=1&SESSION_ID=2")).toBe("unfit");
});

test.each([
  "%SURVEY_CODE%",
  "{{%PROLIFIC_PID%}}",
  "a".repeat(129),
  "a".repeat(10_240),
  "<script>alert(1)</script>",
  "a b",
  "a/../b",
  "æ",
  "\u0000",
])("what cannot be an id is none: %s", (value) => {
  expect(sentBy(sona, `?survey_code=${encodeURIComponent(value)}`)).toBe("unfit");
  expect(sentBy(prolific, `?PROLIFIC_PID=a&SESSION_ID=${encodeURIComponent(value)}`)).toBe("unfit");
});

test("a placeholder that is not even encoded is none", () => {
  expect(sentBy(sona, "?survey_code=%SURVEY_CODE%")).toBe("unfit");
  expect(sentBy(prolific, "?PROLIFIC_PID={{%PROLIFIC_PID%}}")).toBe("unfit");
});
