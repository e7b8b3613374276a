// Late, damaged or missing: one radio link, plain TCP, TCP Lite, UDP-Lite and UDP side by side,
// set up by one choice, heard and counted while it runs.
// SPDX-License-Identifier: Apache-2.0
import { expect, type Page, test } from "@playwright/test";
import { expectFit } from "./fit.ts";
import {
  endDemo,
  endEachDemo,
  expectStage,
  flip,
  hearButton,
  mechanism,
  openDemos,
  presents,
  RUNNING,
} from "./presenter.ts";

const [, LITE, UDP_LITE, UDP] = [0, 1, 2, 3];

endEachDemo();

/** A figure of each lane's sound, in ms, as the table under the packets has it now. */
async function soundFigures(page: Page, name: string): Promise<number[]> {
  const row = page
    .getByRole("region", { name: "Sound of the take, figures" })
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name, exact: true }) });
  const cells = await row.getByRole("cell").allTextContents();
  return cells.map((text) => Number.parseFloat(text) || 0);
}

test("one choice sets up late or damaged, and the figures tell them apart", async ({ browser }) => {
  const page = await openDemos(browser);
  presents(page);
  await page.getByText("Late or damaged", { exact: true }).click();
  await expect(page.getByText("One radio link flips bits")).toBeVisible();
  await expect(page.getByText("the clip “speech” as G.711")).toBeVisible();
  await expectFit(page, "demo-damage-begin");
  await page.getByRole("button", { name: "Start the demo" }).click();
  await expectStage(page, RUNNING);
  for (const letter of ["A", "B", "C", "D"]) await expect(hearButton(page, letter)).toBeVisible();
  await expect(page.getByRole("button", { name: "Late or damaged" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await expect(mechanism(page, "TCP Lite", "B")).toBeChecked();
  await hearButton(page, "B").click();
  await expect(page.getByText("Sound is on.")).toBeAttached();

  await page.getByText("Figures as a table").first().click();
  // What is damaged moves, where it is handed over, and goes on.
  await expect.poll(async () => (await soundFigures(page, "Damaged"))[UDP_LITE]).toBeGreaterThan(0);
  const [before = 0] = (await soundFigures(page, "Damaged")).slice(LITE);
  await expect
    .poll(async () => (await soundFigures(page, "Damaged"))[LITE], { timeout: 60_000 })
    .toBeGreaterThan(before);
  // UDP leaves out what it finds damaged. Over TCP Lite a message is lost whose length has changed,
  // over TCP one whose wrong bits make up for each other in its checksum: hardly any.
  const lost = async () => await soundFigures(page, "Lost");
  await expect.poll(async () => (await lost())[UDP], { timeout: 60_000 }).toBeGreaterThan(400);
  const [plain = 0, lite = 0, , udp = 0] = await lost();
  expect(Math.max(plain, lite)).toBeLessThan(udp / 2);

  await expectFit(page, "demo-damage");

  // Taking damage is switched live, and the connection goes on.
  await flip(page, "TCP Lite", "B");
  await expect(mechanism(page, "Header checksum", "B")).not.toBeChecked();
  await expectStage(page, RUNNING);
  await expect(page.getByTestId("stage")).not.toContainText("take 2");

  await page.getByRole("button", { name: "Off and all" }).click();
  await expectStage(page, `${RUNNING}, take 2`);
  await expect(hearButton(page, "C")).toHaveCount(0);
  await endDemo(page);
  await expect(page.getByRole("rowheader", { name: "Changed bytes" })).toBeVisible();
  await expectFit(page, "demo-damage-after");
});
