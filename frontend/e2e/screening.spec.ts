// Who may take part: by an answer before anything else, and by what they hear.
// SPDX-License-Identifier: Apache-2.0
import { expect, type Page, test } from "@playwright/test";
import english from "../src/language/texts/en.ts";
import norwegian from "../src/language/texts/nb.ts";
import { openDesk, openPage } from "./desk.ts";
import { expectFit } from "./fit.ts";
import { answerByKeys, comeToHearing, consent, heading } from "./hearing.ts";
import { stack, until } from "./stack.ts";
import { exported } from "./votes.ts";

/** Plays the round that is shown; what is typed next goes into the field. */
async function hearDigits(page: Page, round: number): Promise<void> {
  await expect(heading(page, `Round ${round} of 8`)).toBeFocused();
  const play = page.getByRole("button", { name: english["hearing.digits.play"] });
  await expect(play).toBeEnabled();
  await play.press("Enter");
  const field = page.getByRole("textbox", { name: english["hearing.digits.which"] });
  await expect(field).toBeFocused();
  await expect(play).toBeDisabled();
}

test.beforeEach(async () => {
  await until(async () => {
    const answered = await fetch(`${stack().url}/api/studies/screening`);
    return ((await answered.json()) as { state: string }).state === "open";
  });
});

test("an answer that keeps people out ends it, and no reload brings it back", async ({ page }) => {
  await consent(page);
  await page.getByRole("radio", { name: "A harp" }).press("Space");
  await page.getByRole("button", { name: english["go.on"] }).press("Enter");
  await expect(heading(page, english["ineligible.title"])).toBeFocused();
  await expect(page.getByText(english["ineligible.thanks"])).toBeVisible();
  await expectFit(page, "ineligible");
  await page.reload();
  await expect(heading(page, english["ineligible.title"])).toBeFocused();
});

test("the same end in Norwegian", async ({ page }) => {
  await consent(page, "nb");
  await page.getByRole("radio", { name: "En harpe" }).check();
  await page.getByRole("button", { name: norwegian["go.on"] }).click();
  await expect(heading(page, norwegian["ineligible.title"])).toBeFocused();
  await expectFit(page, "ineligible-nb");
});

test("the tests of hearing are done by keys, one after the other", async ({ page }) => {
  test.setTimeout(180_000);
  await comeToHearing(page, () => expectFit(page, "antiphase"));
  await expectFit(page, "levels");
  // Recorded only: nobody is turned away.
  await answerByKeys(page, english["hearing.levels.play"], 3);
  await expect(heading(page, english["hearing.bandwidth.title"])).toBeFocused();
  await expectFit(page, "bandwidth");
  await page.getByRole("button", { name: english["headphones.begin"] }).click();
  await expect(heading(page, "Round 1 of 3")).toBeFocused();
  await expectFit(page, "bandwidth-round");
  // Leaving is no try, and the rounds stay.
  await page.getByRole("button", { name: english["headphones.leave"] }).click();
  await expect(heading(page, english["hearing.bandwidth.title"])).toBeFocused();
  await answerByKeys(page, english["hearing.bandwidth.play"]);
  await expect(heading(page, english["hearing.digits.title"])).toBeFocused();
});

test("digits in noise are typed or tapped, and a page that is loaded again goes on", async ({
  page,
  browser,
}) => {
  test.setTimeout(300_000);
  await comeToHearing(page);
  await answerByKeys(page, english["hearing.levels.play"]);
  await expect(heading(page, english["hearing.bandwidth.title"])).toBeFocused();
  await answerByKeys(page, english["hearing.bandwidth.play"]);
  await expect(heading(page, english["hearing.digits.title"])).toBeFocused();
  await expectFit(page, "digits");
  const sizes = new Set<number>();
  page.on("response", async (response) => {
    if (response.url().includes("/hearing/digits/")) {
      sizes.add(Number(response.headers()["content-length"]));
    }
  });
  await page.getByRole("button", { name: english["headphones.begin"] }).press("Enter");
  await hearDigits(page, 1);
  const field = page.getByRole("textbox", { name: english["hearing.digits.which"] });
  const confirm = page.getByRole("button", { name: english["headphones.confirm"] });
  // What is no digit is not taken, nor a fourth one.
  await page.keyboard.type("1a2-33");
  await expect(field).toHaveValue("123");
  await expectFit(page, "digits-round");
  await page.keyboard.press("Enter");
  await hearDigits(page, 2);
  for (const key of ["4", "5", "6"]) await page.getByRole("button", { name: key }).click();
  await page.getByRole("button", { name: english["hearing.digits.delete"] }).click();
  await expect(field).toHaveValue("45");
  await expect(confirm).toBeDisabled();
  await page.getByRole("button", { name: "0", exact: true }).press("Space");
  await expect(field).toHaveValue("450");
  await confirm.press("Enter");
  await hearDigits(page, 3);
  await page.reload();
  await hearDigits(page, 3);
  // Another window of the same browser goes on first; what comes later changes nothing.
  const other = await page.context().newPage();
  await other.goto(`${stack().url}/s/screening`);
  await other.getByRole("button", { name: english["headphones.begin"] }).press("Enter");
  await hearDigits(other, 3);
  await other.keyboard.type("000");
  await other.keyboard.press("Enter");
  await expect(heading(other, "Round 4 of 8")).toBeFocused();
  await other.close();
  await page.bringToFront();
  await page.keyboard.type("123");
  await page.keyboard.press("Enter");
  // Leaving is no try, and what was answered stays.
  await expect(heading(page, "Round 4 of 8")).toBeFocused();
  await page.getByRole("button", { name: english["headphones.leave"] }).press("Enter");
  await expect(heading(page, english["hearing.digits.title"])).toBeFocused();
  await page.getByRole("button", { name: english["headphones.begin"] }).press("Enter");
  for (let round = 4; round <= 8; round++) {
    await hearDigits(page, round);
    await page.keyboard.type("000");
    await page.keyboard.press("Enter");
  }
  await expect(heading(page, "Trial 1 of 1")).toBeFocused();
  expect(sizes.size).toBe(1);

  const desk = await openDesk(browser);
  await openPage(desk, "screening", "Participants");
  await expect(desk.getByText(/digits: threshold .+ dB, failed/).first()).toBeVisible();
  await expect(desk.getByText("Test of hearing failed (marked).").first()).toBeVisible();
  await expectFit(desk, "digits-roster");
  await openPage(desk, "screening", "Design");
  await expect(desk.getByText("who does not pass the test of digits")).toBeVisible();
  await expectFit(desk, "digits-design");
  const people = await exported(desk, "participants", "screening");
  const reached = people.filter(({ hearing_digits_of }) => hearing_digits_of === "8");
  expect(reached.map(({ hearing_digits_passed }) => hearing_digits_passed)).toContain("false");
});

test("who does not hear what is needed comes to a designed end", async ({ page }) => {
  test.setTimeout(180_000);
  await comeToHearing(page);
  await answerByKeys(page, english["hearing.levels.play"]);
  await expect(heading(page, english["hearing.bandwidth.title"])).toBeFocused();
  await answerByKeys(page, english["hearing.bandwidth.play"], 1);
  await expect(heading(page, english["hearing.failed.title"])).toBeFocused();
  await expectFit(page, "hearing-failed");
});
