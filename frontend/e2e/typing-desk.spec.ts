// The researcher beside a typist: who types is seen while they type, and a
// session is played back afterwards.
// SPDX-License-Identifier: Apache-2.0
import { type Browser, expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { openDesk } from "./desk.ts";
import { stack } from "./stack.ts";
import { begin, done, joinToType, LINE, TYPING, typeLine } from "./typist.ts";

const WIDTHS_PX = [1280, 390] as const;
/** The line as a study shows it that does not keep what is typed. */
const MASKED = /•\s••••\s••••••/;

/** The typing page of the typing study. */
async function desk(browser: Browser): Promise<Page> {
  const page = await openDesk(browser);
  await page.goto(`${stack().url}/researcher/studies/${TYPING}/typing`);
  await expect(page.getByRole("heading", { name: "Typing now" })).toBeVisible();
  return page;
}

async function accessibleAtAllWidths(page: Page): Promise<void> {
  for (const width of WIDTHS_PX) {
    await page.setViewportSize({ width, height: 860 });
    await expectAccessible(page);
  }
  await page.setViewportSize({ width: 1280, height: 860 });
}

test("a session is followed while it is typed, and played back when it is over", async ({
  page: typist,
  browser,
}) => {
  const researcher = await desk(browser);
  await accessibleAtAllWidths(researcher);
  const told: string[] = [];
  researcher.on("response", async (response) => {
    if (response.url().endsWith(`/studies/${TYPING}/typing`)) told.push(await response.text());
  });

  await joinToType(typist);
  await begin(typist, "typing.begin.first");
  await typeLine(typist);
  const now = researcher.getByRole("table").first().getByRole("row").nth(1);
  await expect(now).toContainText("Typing");
  await expect(now.getByRole("cell").nth(3)).toHaveText(String(LINE.length));
  await expect(now).toContainText(/\d ms/);
  const name = (await now.getByRole("rowheader").textContent()) ?? "";
  await done(typist);

  await expect(researcher.getByText("Nobody types at the moment")).toBeVisible();
  const ended = researcher.getByRole("row", { name: new RegExp(name) }).last();
  await expect(ended).toContainText("Finished by the participant");
  expect(told.length).toBeGreaterThan(0);
  for (const text of told) {
    expect(text).not.toMatch(
      /"(mode|condition\w*|seed|member|echo\w*)"|"(off|all|plain|modified)"/,
    );
  }

  await ended.getByRole("link", { name: /^Replay/ }).click();
  await played(researcher);
});

/** Plays the session that is open, by the keyboard. */
async function played(page: Page): Promise<void> {
  const glass = page.locator(".xterm-rows");
  const moment = page.getByRole("slider", { name: "Moment of the session" });
  await moment.focus();
  await page.keyboard.press("End");
  await expect(glass).toContainText(MASKED);
  await page.keyboard.press("Home");
  await expect(glass).not.toContainText(MASKED);
  await page.keyboard.press("Space");
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(glass).toContainText(MASKED);
  await page.keyboard.press("End");
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();

  await page.getByText("Every key as a table").click();
  const keys = page.getByRole("region", { name: "Table of keys" });
  await expect(keys.getByRole("row")).toHaveCount(LINE.length + 1);
  await keys.getByRole("button", { name: /^To key 3,/ }).click();
  await expect(moment).toHaveAttribute("aria-valuetext", /s of/);
  await expect(page.getByRole("img", { name: /^Keys from/ })).toBeVisible();
  const packets = page.getByRole("img", { name: /^Packets from/ });
  await expect(packets).toHaveAccessibleName(/: [1-9]\d*, of which 0 lost$/);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Capture at the sender" }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^typing-session-\d+-sender\.pcapng$/);
  await accessibleAtAllWidths(page);
}
