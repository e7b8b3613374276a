// Whether the time of the first byte tells a recording, and whether the audit
// would notice. Runs alone, when all other tests are over: beside them, their
// load hides a delay that a participant at a quiet machine could measure.
// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { firstByte_ms, timingLeaks } from "./firstByte.ts";
import { LeakyServer, type Plant } from "./leakyServer.ts";
import { Listener } from "./listener.ts";

/** Its recordings are short, so that fetching them again and again takes little. */
const SHORT_CLIPS = "forms";

const tokenOf = (page: Page): Promise<string> =>
  page.evaluate(
    (name) => JSON.parse(localStorage.getItem(name) ?? "{}").participant_token,
    `thinlab.s.${SHORT_CLIPS}`,
  );

/** The first bytes of all recordings that are open to somebody on this server. */
async function timed(browser: Browser, plant: Plant): Promise<string[]> {
  const leaky = await LeakyServer.with(plant);
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const listener = await Listener.at(page, { slug: SHORT_CLIPS, server: leaky.url });
    await listener.consent();
    await listener.goOn("trial");
    await page.waitForLoadState("networkidle");
    const tokens = listener.trials.flatMap(({ first, second }) =>
      second ? [first.recording_token, second.recording_token] : [first.recording_token],
    );
    expect(tokens).toHaveLength(6);
    return timingLeaks(await firstByte_ms(page, await tokenOf(page), tokens));
  } finally {
    await context.close();
    await leaky.close();
  }
}

test("the first byte of every recording comes after the same time", async ({ browser }) => {
  expect(await timed(browser, () => {})).toEqual([]);
});

test("a delay of one recording's first byte is found", async ({ browser }) => {
  let slow = "";
  const leaks = await timed(browser, (path, answer) => {
    if (!path.startsWith("/api/recordings/") || answer.status !== 200) return;
    const sha256 = createHash("sha256").update(answer.body).digest("hex");
    slow ||= sha256;
    if (sha256 === slow) answer.delay_ms = 25;
  });
  expect(leaks).toContainEqual(expect.stringMatching(/^first byte: \d+\.\d ms apart, p = /));
});
