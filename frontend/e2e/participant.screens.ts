// Pictures of all that a participant can meet.
// SPDX-License-Identifier: Apache-2.0
import { type Page, test } from "@playwright/test";
import type { HeardTrial } from "../src/api/generated.ts";
import english from "../src/language/texts/en.ts";
import { Listener, type Manner, type Moment } from "./listener.ts";
import { Pictures } from "./pictures.ts";
import { stack } from "./stack.ts";
import { shortened, throughUs } from "./through.ts";

/** Between them they have every form of trial, question and page. */
const STUDIES = ["demo", "lcn2008-listening", "p800-ccr", "p800-pair", "p808-acr"] as const;

/** Each kind of page once a study, and trials of each form. */
function once(pictures: Pictures) {
  const taken = new Set<string>();
  return async (page: Page, moment: Moment, trial: { training: boolean } | null) => {
    const name = trial?.training ? `warm-up-${moment}` : moment;
    const title = moment === "questions" ? await page.locator("h1").textContent() : "";
    if (taken.has(`${name}${title}`)) return;
    taken.add(`${name}${title}`);
    await pictures.take(page, name);
  };
}

for (const slug of STUDIES) {
  test(slug, async ({ page, context }) => {
    await throughUs(context, shortened);
    const onMoment = once(new Pictures(slug));
    const manner = { slug, doesHeadphoneTest: true, onMoment };
    const listener = await Listener.at(page, manner);
    await listener.takePart();
  });
}

test("what stands beside the way", async ({ page }) => {
  const pictures = new Pictures("beside");
  await page.goto(stack().url);
  await page.getByRole("link").first().waitFor();
  await pictures.take(page, "landing");
  await page.goto(`${stack().url}/s/no-such-study`);
  await page.locator("h1").filter({ hasText: "no study" }).waitFor();
  await pictures.take(page, "missing");
  const listener = await Listener.at(page, { slug: "demo" });
  await listener.consent();
  await page.locator("footer summary").click();
  await page.getByRole("img").waitFor();
  await pictures.take(page, "another-device");
  await page.locator("footer > a").click();
  await page.locator("h1").filter({ hasText: "Withdraw" }).waitFor();
  await pictures.take(page, "withdraw");
  await page.getByRole("button", { name: "Delete my answers" }).click();
  await page.locator("h1").filter({ hasText: "You have withdrawn" }).waitFor();
  await pictures.take(page, "withdrawn");
});

test("the headphone test, and the ways out of it", async ({ page }) => {
  let needed = false;
  await page.route("**/api/participation", async (route) => {
    const response = await route.fetch({ maxRetries: 3 });
    const change = needed ? { headphones: "required" } : {};
    await route.fulfill({ response, json: { ...(await response.json()), ...change } });
  });
  const pictures = new Pictures("headphones");
  const listener = await Listener.at(page, { slug: "forms" });
  await listener.consent();
  await listener.goOn("headphones");
  await pictures.take(page, "asked");
  needed = true;
  await page.reload();
  await page.getByText(english["headphones.why.required"]).waitFor();
  await pictures.take(page, "required");
  await page.getByRole("button", { name: english["headphones.begin"] }).click();
  await page.getByRole("button", { name: english["headphones.leave"] }).waitFor();
  await pictures.take(page, "round");
  await page.getByRole("button", { name: english["headphones.leave"] }).click();
  await page.getByText(english["headphones.later"]).waitFor();
  await pictures.take(page, "left");
});

test("what was what, and an address without a page", async ({ page, context }) => {
  await throughUs(context, shortened);
  const pictures = new Pictures("afterwards");
  await (await Listener.at(page, { slug: "demo" })).takePart();
  await pictures.take(page, "thanks");
  await page.getByRole("button", { name: english["debrief.show"] }).click();
  await page.locator("[data-testid=debrief] > li").first().waitFor();
  await pictures.take(page, "debrief");
  await page.goto(`${stack().url}/nowhere`);
  await page.locator("h1").filter({ hasText: "no page" }).waitFor();
  await pictures.take(page, "nowhere");
});

for (const state of ["closed", "full", "preparing"] as const) {
  test(`a study that is ${state}`, async ({ page }) => {
    await page.route("**/api/studies/demo*", async (route) => {
      const response = await route.fetch({ maxRetries: 3 });
      await route.fulfill({ response, json: { ...(await response.json()), state } });
    });
    await page.goto(`${stack().url}/s/demo`);
    await page.locator("h1").filter({ hasText: "This study" }).waitFor();
    await new Pictures("beside").take(page, state);
  });
}

test("Norwegian, in the dark", async ({ browser }) => {
  const context = await browser.newContext({ locale: "nb-NO", colorScheme: "dark" });
  const page = await context.newPage();
  await page.goto(`${stack().url}/s/p800-ccr`);
  await page.getByRole("checkbox").waitFor();
  const pictures = new Pictures("norwegian");
  await pictures.take(page, "consent");
  await page.getByRole("checkbox").check();
  await page.locator("button[type=submit]").click();
  await page.locator("#level").waitFor();
  await pictures.take(page, "sound");
});

test("the network is gone", async ({ page, context }) => {
  await throughUs(context, shortened);
  let trial: HeardTrial | null = null;
  const onMoment: Manner["onMoment"] = async (_, __, open) => {
    trial = open;
  };
  const listener = await Listener.at(page, { slug: "demo", onMoment });
  await listener.consent();
  await listener.goOn("trial");
  if (!trial) throw new Error("No trial is shown.");
  await page.waitForLoadState("networkidle");
  await context.setOffline(true);
  await listener.hear(trial);
  await listener.choose(trial);
  await listener.send();
  await page.getByText("We cannot reach the study server.").waitFor();
  await new Pictures("beside").take(page, "offline");
});
