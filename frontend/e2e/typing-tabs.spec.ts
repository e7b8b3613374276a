// What happens to a session when tabs, hands or windows do what nobody planned:
// each has an outcome that was thought of.
// SPDX-License-Identifier: Apache-2.0
import { expect, type Page, test } from "@playwright/test";
import english from "../src/language/texts/en.ts";
import { stack } from "./stack.ts";
import {
  begin,
  button,
  done,
  expectReady,
  joinAndBegin,
  joinToType,
  typed,
  typeLine,
} from "./typist.ts";

/** Another tab of the same browser, at the trial. */
async function anotherTab(page: Page): Promise<Page> {
  const tab = await page.context().newPage();
  tab.on("dialog", (dialog) => void dialog.accept());
  await tab.goto(`${stack().url}/s/typing`);
  await button(tab, "introduction.begin").click();
  return tab;
}

test("a second tab takes over, and the first can take it back", async ({ page }) => {
  await joinAndBegin(page);
  await page.keyboard.type("first tab");
  const tab = await anotherTab(page);
  await begin(tab, "typing.begin.first");
  await expect(page.getByText(english["taken.title"])).toBeVisible();
  await tab.keyboard.type("second tab");
  await typed(tab, "second tab");
  await expect(tab.locator(".xterm-rows")).not.toContainText("first tab");
  await page.bringToFront();
  await begin(page, "taken.here");
  await expect(tab.getByText(english["taken.title"])).toBeVisible();
  await typeLine(page);
  await done(page);
});

test("of ten tabs that begin, one has the terminal", async ({ page }) => {
  await joinToType(page);
  const tabs = [page];
  while (tabs.length < 10) tabs.push(await anotherTab(page));
  for (const tab of tabs) await button(tab, "typing.begin.first").click();
  const last = tabs.at(-1) as Page;
  await last.bringToFront();
  await expectReady(last);
  for (const tab of tabs.slice(0, -1)) {
    await expect(tab.getByText(english["taken.title"])).toBeVisible();
  }
  await typeLine(last);
  await done(last);
  await expect(button(last, "typing.begin.second")).toBeVisible();
});

test("a paste of a megabyte is refused with a word, and the session goes on", async ({ page }) => {
  await joinAndBegin(page);
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text/plain", "x".repeat(1_000_000));
    document.activeElement?.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
    );
  });
  await expect(page.getByText(english["terminal.paste"])).toBeVisible();
  await typeLine(page);
  await expect(page.getByText(english["terminal.paste"])).toHaveCount(0);
  await expect(page.locator(".xterm-rows")).not.toContainText("xx");
  await done(page);
});

test("a key that is stuck stops by itself, and typing goes on when it is free", async ({
  page,
}) => {
  await joinAndBegin(page);
  // Thirty a second, as a keyboard repeats, would take ten: so here a little faster.
  for (let repeats = 0; repeats <= 310; repeats++) await page.keyboard.down("j");
  await expect(page.getByText(english["terminal.stuck"])).toBeVisible();
  await page.keyboard.up("j");
  await expect(page.getByText(english["terminal.stuck"])).toHaveCount(0);
  await page.keyboard.type("free");
  await typed(page, "jfree");
  await done(page);
});

test("a window that changes its size changes nothing but the size of the letters", async ({
  page,
}) => {
  await joinAndBegin(page);
  await page.keyboard.type("A thin ");
  for (const width of [390, 800, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expect
      .poll(() =>
        page.evaluate(() => {
          const cells = document.querySelector(".xterm-screen")?.getBoundingClientRect();
          const glass = document.querySelector("[data-testid=glass]")?.getBoundingClientRect();
          return cells && glass
            ? cells.right <= glass.right && cells.width > 0.85 * glass.width
            : false;
        }),
      )
      .toBe(true);
    await page.getByTestId("glass").click();
  }
  await page.keyboard.type("stream");
  await typed(page, "A thin stream");
  await done(page);
});
