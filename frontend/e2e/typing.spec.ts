// A study that is typed, from its address to the thanks: over a real lane, with
// every key found again in the export.
// SPDX-License-Identifier: Apache-2.0
import { expect, type Page, test } from "@playwright/test";
import english from "../src/language/texts/en.ts";
import { expectAccessible } from "./accessible.ts";
import { protocolsOf } from "./captures.ts";
import { votesCast } from "./cast.ts";
import { complaintsOf } from "./complaints.ts";
import { openDesk } from "./desk.ts";
import {
  begin,
  button,
  done,
  expectReady,
  heading,
  joinToType,
  LINE,
  session,
  TYPING,
  typed,
  typeLine,
  vote,
} from "./typist.ts";
import { aboutWhoJoins, exported, type Row } from "./votes.ts";

/** At a desk's and a telephone's width, in both colour schemes where the browser can be told one. */
async function expectAccessibleEverywhere(page: Page): Promise<void> {
  const dresses = page.context().browser()?.browserType().name() === "chromium";
  for (const [width, colorScheme] of [
    [390, "dark"],
    [1280, "light"],
  ] as const) {
    await page.setViewportSize({ width, height: 860 });
    if (dresses) await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
}

/** Practice, one of the pair and nothing else went over TCP; each session is joined with what its
 * packets tell, which were the protocol's. */
async function expectEachProtocol(desk: Page, sessions: readonly Row[]): Promise<void> {
  const done = sessions.filter(({ state }) => state === "done");
  const baselines = done.map(({ trial, member, baseline }) => [trial, member, baseline].join(" "));
  expect(baselines.toSorted()).toEqual([
    "copy-pair a newreno2008",
    "copy-pair b lksctp",
    "correct-control a lksctp",
    "correct-control b lksctp",
    "warm-copy a newreno2008",
    "warm-copy b newreno2008",
  ]);
  for (const row of done) {
    const protocol = row.baseline === "lksctp" ? "sctp" : "tcp";
    expect(await protocolsOf(desk, row.session ?? "")).toEqual([protocol]);
    // What TCP's socket tells is TCP's alone.
    expect(row.tcp_info_sender_rtt_us === "").toBe(protocol === "sctp");
    for (const way of ["forward", "backward"]) {
      expect(Number(row[`check_${way}_sent_packets`])).toBeGreaterThan(0);
      expect(Number(row[`metrics_${way}_delivered_bytes`])).toBeGreaterThan(0);
      // Half of 40 ms.
      expect(Number(row[`metrics_${way}_transport_per_message_min_us`])).toBeGreaterThanOrEqual(
        20_000,
      );
    }
  }
}

test("a whole study is typed, voted on, and exported key by key", async ({ page, browser }) => {
  const desk = await openDesk(browser);
  const mine = await aboutWhoJoins(desk, TYPING);
  // Only the window in front takes keys.
  await page.bringToFront();
  const votes = await votesCast(page);
  const complaints = complaintsOf(page);
  await joinToType(page, expectAccessibleEverywhere);
  await expectAccessibleEverywhere(page);

  // Else keydowns are timed to a tenth of a millisecond only.
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);

  // Practice, keyboard alone.
  await begin(page, "typing.begin.first");
  await expectAccessibleEverywhere(page);
  await expectReady(page);
  await typeLine(page);
  await expect(page.getByText("Typed: 100 %")).toBeVisible();
  await page.keyboard.press("F6");
  await expect(heading(page, "typing.task")).toBeFocused();
  await done(page);
  await expect(heading(page, "typing.pause.title")).toBeVisible();
  await expectAccessibleEverywhere(page);
  await session(page, "typing.begin.second");
  await expectAccessibleEverywhere(page);
  await vote(page, "No difference");

  // A pair; the first is ended by leaving the editor.
  await expect(page.getByRole("heading", { name: "Trial 2 of 3" })).toBeFocused();
  await begin(page, "typing.begin.first");
  await typeLine(page);
  await page.keyboard.press("Control+x");
  await page.keyboard.press("y");
  const pause = heading(page, "typing.pause.title");
  // Restricted editors save without asking for a name, or ask to confirm it.
  await expect(pause.or(page.getByText(/File Name/))).toBeVisible();
  if (!(await pause.isVisible())) await page.keyboard.press("Enter");
  await expect(pause).toBeVisible();
  await session(page, "typing.begin.second");
  await expect(button(page, "answer.send")).toBeDisabled();
  await page.getByRole("radio", { name: "The second" }).check();
  await expect(button(page, "answer.send")).toBeDisabled();
  await vote(page, "The second", "Clearly");

  // A correction, in which the page tells what is corrected.
  await expect(page.getByRole("heading", { name: "Trial 3 of 3" })).toBeFocused();
  for (const which of ["typing.begin.first", "typing.begin.second"] as const) {
    await begin(page, which);
    await expect(page.getByText("Corrected: 0 of 1")).toBeVisible();
    for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "Delete", "ArrowRight"]) {
      await page.keyboard.press(key);
    }
    await page.keyboard.type("i");
    await typed(page, "A thin stream");
    await expect(page.getByText("Corrected: 1 of 1")).toBeVisible();
    await done(page);
  }
  await vote(page, "The first", "Hardly");
  await expect(page.getByRole("heading", { name: english["thanks.title"] })).toBeFocused();
  expect(votes.map(({ choice, noticeable }) => [choice, noticeable])).toEqual([
    ["no_difference", undefined],
    ["second", 3],
    ["first", 1],
  ]);
  expect(complaints).toEqual([]);

  const keys = mine(await exported(desk, "keystrokes", TYPING));
  const seen = keys.filter(({ painted_us }) => painted_us !== "");
  // Six sessions of one participant, practice too.
  expect(keys.length).toBeGreaterThanOrEqual(3 * LINE.length);
  // The keys with which the one editor was left have nothing to show for it.
  const unseen = keys.filter(({ painted_us }) => painted_us === "");
  expect(new Set(unseen.map(({ session }) => session)).size).toBeLessThanOrEqual(1);
  expect(unseen.every(({ number }) => Number(number) > LINE.length)).toBe(true);
  const sessions = mine(await exported(desk, "typing-sessions", TYPING));
  const uncertainties = new Map(
    sessions.map((row) => [row.session, 1_000 * Number(row.clock_uncertainty_ms)]),
  );
  for (const { session, backend_received_us, key_sent_us, echo_delivered_us, painted_us } of seen) {
    // One machine's clock on the way there and back. The page's is as sure as the session says.
    const uncertainty_us = uncertainties.get(session) ?? Number.NaN;
    const way = [
      0 - uncertainty_us,
      ...[backend_received_us, key_sent_us, echo_delivered_us].map(Number),
      Number(painted_us) + uncertainty_us,
    ];
    expect(way.toSorted((one, other) => one - other)).toEqual(way);
    // There and back over the lane, at least.
    expect(Number(painted_us)).toBeGreaterThan(40_000);
  }
  await expectEachProtocol(desk, sessions);
  // The study does not keep what was typed.
  expect(new Set(keys.map(({ data }) => data))).toEqual(new Set([""]));
});

test("a key is held down three times, whichever key leads to the next line", async ({ page }) => {
  await joinToType(page, undefined, "holding");
  await begin(page, "typing.begin.first");
  const held = (lines: number) => page.getByText(`Lines filled: ${lines} of 3`);
  const waysOn = [["Enter"], ["ArrowDown", "ArrowDown"], []];
  for (const [filled, wayOn] of waysOn.entries()) {
    for (let repeat = 0; repeat < 20; repeat++) await page.keyboard.down("x");
    await page.keyboard.up("x");
    await expect(held(filled + 1)).toBeVisible();
    for (const key of wayOn) await page.keyboard.press(key);
  }
  await expectAccessibleEverywhere(page);
  await done(page);
  await expect(button(page, "typing.begin.second")).toBeVisible();
});
