// The front page: a pair to hear at once, every study that is open, and no page
// where there is none.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { stack } from "./stack.ts";

test("whoever passes by hears a pair and switches while it plays", async ({ page }) => {
  const fetched: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/sample/")) fetched.push(new URL(request.url()).pathname);
  });
  await page.goto(stack().url);
  const plain = page.getByRole("button", { name: "Plain TCP" });
  const changed = page.getByRole("button", { name: "With the changes" });
  // What is heard, and what it costs.
  await expect(plain).toHaveAccessibleDescription(
    /^[\d.]+ seconds of it came too late.* 1\.\d+ times/,
  );
  await expect(changed).toHaveAccessibleDescription(
    /^[\d.]+ seconds of it came too late.* [2-4](\.\d+)? times/,
  );
  await expect(plain).toHaveAttribute("aria-pressed", "false");
  expect(fetched, "nobody who only looks fetches sound").toEqual([]);
  await plain.click();
  await expect(plain).toHaveAttribute("aria-pressed", "true");
  const bar = page.getByRole("progressbar");
  const position = async () => Number(await bar.getAttribute("aria-valuenow"));
  await expect.poll(position).toBeGreaterThan(0);
  const before = await position();
  await changed.click();
  await expect(changed).toHaveAttribute("aria-pressed", "true");
  await expect(plain).toHaveAttribute("aria-pressed", "false");
  await expect.poll(position, "it goes on from where it was").toBeGreaterThan(before);
  expect(fetched.sort()).toEqual([
    "/api/studies/demo/sample/first",
    "/api/studies/demo/sample/second",
  ]);
  await expectAccessible(page);
});

test("every study that anybody may join is there, and leads to its page", async ({ page }) => {
  await page.goto(stack().url);
  await page.getByRole("link", { name: "Take part Can you feel a difference?" }).waitFor();
  await page.getByRole("link", { name: "Take part Which one sounds better?" }).click();
  await expect(page).toHaveURL(`${stack().url}/s/demo`);
  await page.getByRole("button", { name: "Begin" }).waitFor();
});

test("an address without a page says so, and leads home", async ({ page }) => {
  const answer = await page.goto(`${stack().url}/nowhere`);
  expect(answer?.status()).toBe(404);
  await page.getByRole("heading", { name: "There is no page at this address" }).waitFor();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Go to the front page" }).click();
  await page.getByRole("heading", { name: "Thinlab" }).waitFor();
});
