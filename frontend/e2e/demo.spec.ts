// A demo with everything real: lanes in a kernel, sound in the browser, two
// consoles, an audience, terminals, and what is left afterwards.
// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { inChromium } from "./driven.ts";
import {
  drawnEvent,
  endDemo,
  endEachDemo,
  expectStage,
  flip,
  hearButton,
  joinDemo,
  joinPath,
  mechanism,
  openDemos,
  presents,
  RUNNING,
  startDemo,
} from "./presenter.ts";
import { stack } from "./stack.ts";

const WIDTHS_PX = [1280, 390] as const;

endEachDemo();

const sounds = (page: Page) => expect(page.getByText("Sound is on.")).toBeAttached();
const log = (page: Page) => page.getByRole("log");

/** The words of a chart that is saved as SVG. */
async function savedWords(page: Page, chart: string): Promise<string> {
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: `${chart} as SVG` }).click(),
  ]);
  const svg = readFileSync(await saved.path(), "utf8");
  return [...svg.matchAll(/<text [^>]*>([^<]*)</g)].map(([, text]) => text).join("\n");
}

test("three clicks from the printed address to the other lane; switched, marked, ended", async ({
  browser,
}) => {
  const page = await openDemos(browser);
  presents(page);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Start the demo" }).click();
  await expectStage(page, RUNNING);
  await sounds(page);
  await expect(hearButton(page, "A")).toHaveAttribute("aria-pressed", "true");
  await hearButton(page, "B").click();
  await expect(hearButton(page, "B")).toHaveAttribute("aria-pressed", "true");

  const before = await drawnEvent(page);
  await flip(page, "Linear timeouts", "A");
  await expect(log(page)).toContainText("in the kernel after");
  await expect.poll(() => drawnEvent(page)).toBeGreaterThan(before);

  await page.getByPlaceholder("A word for this moment").fill("listen now");
  await page.keyboard.press("Enter");
  await expect(log(page)).toContainText("listen now");

  // Typing is typing: with the focus in a field, no key is a shortcut.
  await page.getByPlaceholder("A word for this moment").fill("");
  await page.keyboard.type("1 m");
  await expect(hearButton(page, "B")).toHaveAttribute("aria-pressed", "true");
  await page.getByPlaceholder("A word for this moment").fill("");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("1");
  await expect(hearButton(page, "A")).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Space");
  await expectStage(page, "Paused");
  await page.keyboard.press("Space");
  await expectStage(page, RUNNING);
  await page.keyboard.press("u");
  await expect(mechanism(page, "Linear timeouts", "A")).not.toBeChecked();

  for (const width of WIDTHS_PX) {
    await page.setViewportSize({ width, height: 800 });
    await expectAccessible(page);
  }
  await page.keyboard.press("j");
  await expect(page.getByRole("dialog").getByRole("img")).toHaveAccessibleName(/QR code of http/);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await endDemo(page);
  await expect(page.getByRole("rowheader", { name: "Application latency, 99 %" })).toBeVisible();
  for (const width of WIDTHS_PX) {
    await page.setViewportSize({ width, height: 800 });
    await expectAccessible(page);
  }
});

test("two consoles on one demo show the same", async ({ browser }) => {
  const one = await startDemo(browser);
  const other = await openDemos(browser);
  await other.getByRole("link", { name: "Open the console" }).click();
  await expectStage(other, RUNNING);
  await flip(one, "Bundling", "B");
  await expect(mechanism(other, "Bundling", "B")).not.toBeChecked();
  await one.getByLabel("Mode, lane A").selectOption("Recommended");
  await expect(mechanism(other, "Tail copy", "A")).toBeChecked();
  await expect(mechanism(other, "Linear timeouts", "A")).not.toBeChecked();
  await expect(other.getByLabel("Mode, lane A")).toHaveValue("recommended");

  await other.getByText("Free settings").click();
  const delay = other.getByLabel("Delay", { exact: true }).and(other.locator("[type=number]"));
  await delay.fill("97");
  await delay.press("Enter");
  await expect(one.getByText("each way 97 ms, 2 % lost", { exact: true })).toBeVisible();
  await one.getByText("Free settings").click();
  await expect(
    one.getByLabel("Delay", { exact: true }).and(one.locator("[type=number]")),
  ).toHaveValue("97");

  await one.getByText("3", { exact: true }).first().click();
  for (const page of [one, other]) {
    await expect(hearButton(page, "C")).toBeVisible();
    await expectStage(page, `${RUNNING}, take 2`);
  }
  await other.context().close();
});

test("a lane over SCTP plays beside one over TCP, with switches and settings of its own", async ({
  browser,
}) => {
  const page = await startDemo(browser);
  await page.getByLabel("Baseline, lane B").selectOption("lksctp");
  await expectStage(page, `${RUNNING}, take 2`);
  // Of what was on, SCTP has all; of what it has, TCP lacks some.
  await expect(mechanism(page, "Bundling", "B")).toBeChecked();
  await expect(mechanism(page, "Short minimum RTO", "A")).toHaveCount(0);
  await expect(mechanism(page, "Early probe", "B")).toHaveCount(0);
  await flip(page, "Short minimum RTO", "B");
  await expect(log(page)).toContainText("in the kernel after");
  // All of them at once; a lane over TCP has no such mode.
  await page.getByLabel("Mode, lane B").selectOption("All of SCTP");
  await expect(mechanism(page, "Immediate SACK", "B")).toBeChecked();
  await expect(page.getByLabel("Mode, lane A").getByText("All of SCTP")).toHaveCount(0);
  await page.getByLabel("Mode, lane B").selectOption("Off");
  await expect(mechanism(page, "Immediate SACK", "B")).not.toBeChecked();
  await hearButton(page, "B").click();
  await sounds(page);

  // Its receiver waits with SACKs otherwise, and the take goes on.
  await page.getByText("SCTP’s settings").click();
  const delay = page.getByLabel("SACK delay");
  const atMost = page.getByRole("spinbutton", { name: "Wait at most" });
  await delay.selectOption("none");
  await expect(log(page)).toContainText("prompt SACKs");
  await expect(log(page)).toContainText("in the kernel after");
  await delay.selectOption("own");
  await atMost.fill("70");
  await atMost.press("Enter");
  await expect(log(page)).toContainText("SACKs after 70 ms");
  for (const width of WIDTHS_PX) {
    await page.setViewportSize({ width, height: 800 });
    await expectAccessible(page);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("heading", { level: 1 }).click();
  for (const before of ["own", "none", "kernel"]) {
    await page.keyboard.press("u");
    await expect(delay).toHaveValue(before);
  }
  await expectStage(page, `${RUNNING}, take 2`);

  // A terminal takes the same ways.
  await page.getByText("Terminal (SSH)").click();
  await expectStage(page, `${RUNNING}, take 3`);
  await page.locator("[data-testid=pane] [data-testid=glass]").first().click();
  await page.keyboard.type("Over both");
  const panes = page.locator("[data-testid=pane] .xterm-rows");
  for (const lane of [0, 1]) await expect(panes.nth(lane)).toContainText("Over both");
  await delay.selectOption("none");
  await expect(log(page)).toContainText("prompt SACKs");
  await page.locator("[data-testid=pane] [data-testid=glass]").first().click();
  await page.keyboard.type(", still");
  for (const lane of [0, 1]) await expect(panes.nth(lane)).toContainText("Over both, still");
  await expectStage(page, `${RUNNING}, take 3`);

  await page.getByLabel("Baseline, lane B").selectOption("newreno2008");
  await expectStage(page, `${RUNNING}, take 4`);
  await expect(mechanism(page, "Short minimum RTO", "B")).toHaveCount(0);
  await expect(delay).toHaveCount(0);
});

test("the audience listens and switches, votes without knowing, and is told", async ({
  browser,
}) => {
  const page = await startDemo(browser);
  const phone = await joinDemo(browser, await joinPath(page));
  await expectAccessible(phone);
  await phone.getByRole("button", { name: "Listen" }).click();
  await expect(phone.getByText("You hear A.")).toBeVisible();
  const b = phone.getByTestId("hearing").getByRole("button", { name: /^B/ });
  await b.click();
  await expect(phone.getByText("You hear B.")).toBeVisible();
  await expect(b).toHaveAttribute("aria-pressed", "true");
  await expect(phone.getByTestId("hearing").getByText("TCP as it is")).toBeVisible();
  await expect(page.getByText("1 device, 1 listening")).toBeVisible();
  await expectAccessible(phone);

  await page.getByLabel("The audience knows letters only").click();
  await expect(phone.getByText("You will be told later which is which.")).toBeVisible();
  await expect(phone.getByTestId("demo-charts")).toHaveCount(0);
  await expect(page.getByTestId("demo-charts")).toHaveCount(0);

  await page.getByRole("button", { name: "Open the poll" }).click();
  const poll = phone.getByTestId("poll");
  await poll.getByRole("button", { name: "B", exact: true }).click();
  await expect(poll.getByRole("status")).toContainText("Your vote: B");
  await expectAccessible(phone);
  // Whoever comes back is the same voter, and may think again.
  await phone.reload();
  await expect(poll.getByRole("status")).toContainText("Your vote: B");
  await poll.getByRole("button", { name: "No difference" }).click();
  await expect(poll.getByRole("status")).toContainText("Your vote: No difference");
  await expect(page.getByText("1 vote so far").first()).toBeVisible();
  await page.getByRole("button", { name: "Close the poll" }).click();
  await expect(poll.getByText("How the room voted")).toBeVisible();
  // Neither screen tells what was voted for, until the presenter does.
  const letters = ["A", "B", "No difference"];
  const [told, shown] = [poll.locator("dt"), page.locator("[data-testid=votes] dt")];
  for (const result of [told, shown]) await expect(result).toHaveText(letters);
  // Whoever uncovers this screen may save what it shows, and show that to the room.
  await page.getByRole("button", { name: "Show the conditions on this screen" }).click();
  await expect(
    page
      .getByTestId("legend")
      .getByText(/^[AB]: all$/)
      .first(),
  ).toBeVisible();
  for (const chart of ["Packets and sound", "Latency over time", "Felt delays"]) {
    if (!inChromium(page)) break;
    const words = await savedWords(page, chart);
    expect(words).toContain("Saved in blind mode: letters only.");
    expect(words).not.toMatch(/\b(off|all)\b|newreno|NewReno|No mechanism|timeouts,/);
  }
  await page.getByRole("button", { name: "Reveal" }).click();
  await expect(phone.getByRole("heading", { name: "What was what" })).toBeVisible();
  await expect(phone.getByTestId("revealed").getByText(/TCP as it is/)).toBeVisible();
  for (const result of [told, shown]) {
    await expect(result).toHaveText([/^A – (off|all)$/, /^B – (off|all)$/, "No difference"]);
  }
  const meanings = await shown.allTextContents();
  expect(await told.allTextContents()).toEqual(meanings);
  await expect(phone.getByTestId("demo-charts")).toBeVisible();
  await expectAccessible(phone);

  // Nothing else can be asked for from here.
  const reached = await phone.evaluate(async () => {
    const demos = await fetch("/api/demos");
    const made = await fetch("/api/demos", { method: "POST", body: "{}" });
    return [demos.status, made.status];
  });
  expect(reached).toEqual([401, 401]);
  await endDemo(page);
  await expect(phone.getByRole("heading", { name: "The demo is over" })).toBeVisible();
  await phone.context().close();
  const kept = page.getByRole("region", { name: "Poll: Which sounds better?" });
  await expect(kept.locator("dt")).toHaveText(meanings);
  await expect(kept.locator("dd")).toHaveText(["0 votes", "0 votes", "1 vote"]);
});

test("one keyboard types in all lanes, and the audience sees it", async ({ browser }) => {
  const page = await startDemo(browser);
  const phone = await joinDemo(browser, await joinPath(page));
  // Only the window in front takes keys.
  await page.bringToFront();
  await page.getByText("Terminal (SSH)").click();
  // Who types too soon is told so, until there is a terminal.
  await page.locator("[data-testid=pane] [data-testid=glass]").first().click();
  await page.keyboard.type("Soon");
  await expectStage(page, `${RUNNING}, take 2`);
  await expect(page.getByText("No terminal is open.")).toHaveCount(0);
  await page.locator("[data-testid=pane] [data-testid=glass]").nth(1).click();
  await expect(page.locator("[data-testid=glass][data-focused=true]")).toHaveCount(2);
  await page.keyboard.type("Thin and far");
  for (const watched of [page, phone]) {
    for (const lane of [0, 1]) {
      const pane = watched.locator("[data-testid=pane] .xterm-rows").nth(lane);
      await expect(pane).toContainText("Thin and far");
      // And what the editor drew before a key was pressed.
      await expect(pane).toContainText("those behind it.");
    }
  }
  await page.keyboard.press("F6");
  await expect(page.locator("[data-testid=glass][data-focused=true]")).toHaveCount(0);
  // Who comes late sees the same.
  await phone.reload();
  await expect(phone.locator("[data-testid=pane] .xterm-rows").first()).toContainText(
    "Thin and far",
  );
  await phone.context().close();
});

test("afterwards it is replayed, and shared with whoever has the link", async ({ browser }) => {
  const page = await startDemo(browser);
  const joining = `${stack().url}${await joinPath(page)}`;
  await flip(page, "Bundling", "A");
  const event = await log(page).textContent();
  await expect.poll(() => drawnEvent(page)).toBeGreaterThan(1);
  await endDemo(page);
  const [capture] = await Promise.all([
    page.waitForEvent("download"),
    page
      .getByRole("link", { name: /sender/ })
      .first()
      .click(),
  ]);
  expect(readFileSync(await capture.path()).subarray(0, 4)).toEqual(
    Buffer.from([0x0a, 0x0d, 0x0d, 0x0a]),
  );
  await page.getByRole("button", { name: "Make a link" }).click();
  const link = await page.getByRole("textbox").inputValue();
  // Who was invited to the room finds it by the room's own link, too.
  const anybody = await (await browser.newContext()).newPage();
  await anybody.goto(joining);
  await anybody.getByRole("heading", { name: "The demo is over" }).waitFor();
  await expectAccessible(anybody);
  await anybody.getByRole("link", { name: "Watch it again" }).click();
  await expect(anybody).toHaveURL(link);
  await anybody.getByText("What happened").click();
  await expect(anybody.getByRole("region", { name: "Replay" }).getByRole("list")).toContainText(
    /bundling/i,
  );
  expect(event).toMatch(/bundling/i);
  await anybody.getByRole("slider", { name: "Moment of the demo" }).press("End");
  await expect.poll(() => drawnEvent(anybody)).toBeGreaterThan(1);
  if (inChromium(anybody)) {
    // What the lanes were set to follows the slider when the page has found it in the log.
    await expect(async () => {
      const words = await savedWords(anybody, "Latency over time");
      expect(words).toContain("path each way delay 65 ms, loss 2 %; stream the clip");
      expect(words).toContain("Lane A: bundling. Bundling, on NewReno (2008).");
    }).toPass();
  }
  await anybody.getByText("8 ×").click();
  await anybody.getByRole("button", { name: "Play" }).click();
  await expectAccessible(anybody);
  const demos = await anybody.request.get(`${stack().url}/api/demos`);
  expect(demos.status()).toBe(401);
  await page.getByRole("button", { name: "Take it back" }).click();
  await anybody.goto(joining);
  await anybody.getByText("It ended before you came.").waitFor();
  await expect(anybody.getByRole("link", { name: "Watch it again" })).toHaveCount(0);
  await anybody.context().close();
});
