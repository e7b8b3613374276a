// Comparison and absolute category ratings, forced choice, practice and
// questions: answered in the browser, found in the export.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "@playwright/test";
import type { HeardTrial } from "../src/api/generated.ts";
import { votesCast } from "./cast.ts";
import { openDesk } from "./desk.ts";
import { Listener } from "./listener.ts";
import { shortened, throughUs } from "./through.ts";
import { aboutWhoJoins, exported, type Row } from "./votes.ts";

/** Which of the answers, counted from the top. */
const PLACES = { ccr: 6, acr: 1, dcr: 1, preference: 1, abx: 1, mushra: 1 } as const;
const WANTED = {
  ccr: { score: -3 },
  acr: { score: 4 },
  dcr: { score: 4 },
  preference: { choice: "second" },
  abx: { choice: "second" },
  mushra: {},
} as const;

test("each scale's answers arrive as what they are", async ({ page, context, browser }) => {
  const desk = await openDesk(browser);
  const mine = await aboutWhoJoins(desk, "forms");
  await throughUs(context, shortened);
  const shown: HeardTrial[] = [];
  const cast = await votesCast(page);
  const listener = await Listener.at(page, {
    slug: "forms",
    choose: ({ scale }) => PLACES[scale.kind],
    onMoment: async (_, moment, trial) => {
      if (moment === "chosen" && trial) shown.push(trial);
    },
  });
  await listener.takePart();

  expect(shown.map(({ scale, training }) => [scale.kind, training])).toEqual([
    ["ccr", true],
    ["ccr", false],
    ["acr", false],
    ["acr", false],
    ["preference", false],
  ]);
  for (const [index, { scale, second, playback }] of shown.entries()) {
    expect(cast[index]).toMatchObject(WANTED[scale.kind]);
    const actions = (cast[index]?.events ?? []).map(({ action, member }) => `${action} ${member}`);
    if (playback === "in_turn") {
      expect(cast[index]?.account).toMatchObject({ plays_second: second ? 1 : 0 });
      const first = ["play first", "ended first"];
      expect(actions).toEqual(second ? [...first, "play second", "ended second"] : first);
    }
  }

  const rows = mine(await exported(desk, "export", "forms"));
  const found = cast.map(
    (vote) => rows.find((row) => Number(row.decision_ms) === vote.decision_ms) as Row,
  );
  expect(found.map((row) => [row.role, row.scale, row.score, row.choice])).toEqual([
    ["training", "ccr", "-3", ""],
    ["trials", "ccr", "-3", ""],
    ["trials", "acr", "4", ""],
    ["trials", "acr", "4", ""],
    ["trials", "preference", "", "second"],
  ]);
  const [me] = mine(await exported(desk, "participants", "forms"));
  expect(Object.entries(me ?? {}).filter(([name]) => /^answer_/.test(name))).toEqual([
    ["answer_age", "30"],
    ["answer_equipment", '["over"]'],
    ["answer_remarks", "Nothing to remark."],
  ]);
});
