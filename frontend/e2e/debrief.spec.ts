// At the end of a study that tells it: what was what, asked for and not before.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { Listener } from "./listener.ts";
import { shortened, throughUs } from "./through.ts";

test("whoever wants to know is told what was what", async ({ page, context }) => {
  await throughUs(context, shortened);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/debrief")) asked.push(request.url());
  });
  await (await Listener.at(page, { slug: "demo" })).takePart();
  await page.getByRole("heading", { name: "What was what" }).waitFor();
  expect(asked, "nothing is fetched before it is asked for").toEqual([]);
  await page.getByRole("button", { name: "Tell me" }).click();
  const trials = page.locator("[data-testid=debrief] > li");
  await expect(trials).toHaveCount(3);
  await expect(trials.filter({ hasText: "Both were the same." })).toHaveCount(1);
  await expect(trials.filter({ hasText: "Plain TCP, 5 % of packets lost" })).toHaveCount(1);
  await expect(page.getByText(/[\d,]+ of [\d,]+ packets were lost\./).first()).toBeVisible();
  await expectAccessible(page);
  await page.screenshot({ path: test.info().outputPath("debrief.png"), fullPage: true });
});
