// The researcher's day: invitations, a study that runs, somebody left out, the
// votes seen when it has ended. Each test leaves its mark on the next.
// SPDX-License-Identifier: Apache-2.0
import { type Browser, expect, type Page, type Response, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { openDesk, openPage } from "./desk.ts";
import { inChromium } from "./driven.ts";
import { Listener } from "./listener.ts";
import { stack, until } from "./stack.ts";

const SLUG = "desk";
const TITLE = "A study for the desk";
const WIDTHS_PX = [1280, 390] as const;

test.describe.configure({ mode: "serial" });

async function desk(browser: Browser, page = "Monitor"): Promise<Page> {
  const researcher = await openDesk(browser);
  await openPage(researcher, SLUG, page);
  await expect(researcher.getByText(TITLE).first()).toBeVisible();
  return researcher;
}

/** The number beside a word, as the monitor's lists have it. */
const count = (page: Page, name: string) =>
  page
    .locator("section[aria-labelledby=whereabouts] dl div", {
      has: page.getByText(name, { exact: true }),
    })
    .locator("dd");

/** Takes part by an invitation, in a browser of their own. */
async function takePart(browser: Browser, link: string): Promise<void> {
  const page = await (await browser.newContext()).newPage();
  const suffix = link.slice(link.indexOf("#"));
  // The first answer to everything: in the control, a difference where there is none.
  const listener = await Listener.at(page, { slug: SLUG, suffix });
  await listener.takePart();
  await page.context().close();
}

test("every page is accessible while nobody has joined", async ({ browser }) => {
  const page = await desk(browser);
  const pages = ["Participants", "Invitations", "Design", "Results", "Export", "Monitor"];
  for (const name of pages) {
    await page.getByRole("navigation", { name: "Pages of this study" }).getByText(name).click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeFocused();
    await expect(page.getByText("being loaded")).toHaveCount(0);
    for (const width of WIDTHS_PX) {
      await page.setViewportSize({ width, height: 860 });
      await expectAccessible(page);
    }
  }
});

test("invitations are made, shown once, and one is used", async ({ browser }) => {
  const page = await desk(browser, "Invitations");
  await page.getByLabel("How many").fill("2");
  await page.getByLabel(/^For whom/).fill("Tuesday");
  await page.getByRole("button", { name: "Make links" }).click();
  await expect(page.getByRole("heading", { name: "2 links, shown this once" })).toBeFocused();
  const links = (await page.getByLabel("The links, one a line").inputValue()).split("\n");
  expect(links).toHaveLength(2);
  if (inChromium(page)) {
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download (CSV)" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("desk-invitations.csv");
  }
  await expectAccessible(page);

  await until(async () => {
    const answer = await page.request.get(`${stack().url}/api/researcher/studies/${SLUG}`);
    return ((await answer.json()) as { ready: boolean }).ready;
  });
  await takePart(browser, links[0] ?? "");
  await expect(page.getByText("1 of 2 invitations used")).toBeVisible();
  await page.reload();
  await expect(page.getByText("1 of 2 invitations used")).toBeVisible();
  await expect(page.getByLabel("The links, one a line")).toHaveCount(0);
});

test("a preview is never counted", async ({ browser }) => {
  const page = await desk(browser);
  await expect(count(page, "completed")).toHaveText("1");
  const preview = await page.context().newPage();
  await (await Listener.at(preview, { slug: SLUG, suffix: "?preview" })).takePart();
  // The monitor knows of it, and counts nobody more.
  await expect(page.getByText("Previews (1)")).toBeVisible();
  await expect(page.getByText("People (1)")).toBeVisible();
  await expect(count(page, "completed")).toHaveText("1");
});

test("the monitor follows a session by itself, and does not tell how anybody votes", async ({
  browser,
}) => {
  const page = await desk(browser);
  const answers: Response[] = [];
  page.on("response", (response) => {
    if (response.url().includes("/api/researcher/")) answers.push(response);
  });
  const made = await page.request.post(
    `${stack().url}/api/researcher/studies/${SLUG}/invitations`,
    { data: { count: 1, label: "Wednesday" } },
  );
  const { paths } = (await made.json()) as { paths: string[] };
  await takePart(browser, paths[0] ?? "");
  await expect(count(page, "completed")).toHaveText("2");
  await expect(page.getByText("Controls in which a difference was heard: 2 of 2")).toBeVisible();
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  const monitors = texts.filter((text) => text.includes('"funnel"'));
  expect(monitors.length).toBeGreaterThan(0);
  for (const text of monitors) {
    expect(text).not.toMatch(/votes_a|votes_b|choice|"score|no_difference|prefer/);
  }
  const hidden = await page.request.get(`${stack().url}/api/researcher/studies/${SLUG}/results`);
  expect(hidden.status()).toBe(409);
});

test("somebody is left out with a reason, and taken in again", async ({ browser }) => {
  const page = await desk(browser, "Participants");
  const row = page.getByRole("row").nth(1);
  // The declared rule: a difference heard in the only control.
  await expect(row.getByText("Differences heard in controls.")).toBeVisible();
  const name = await row.getByRole("rowheader").textContent();
  await row.getByRole("button", { name: `Leave out ${name}` }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading", { name: `Leave out ${name}?` })).toBeVisible();
  const confirm = dialog.getByRole("button", { name: "Leave out" });
  await expect(confirm).toBeDisabled();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);

  await row.getByRole("button", { name: `Leave out ${name}` }).click();
  await dialog.getByLabel("Reason").fill("Told us that the sound was off.");
  await confirm.click();
  await expect(dialog).toHaveCount(0);
  await expect(row.getByText("Left out by you: Told us that the sound was off.")).toBeVisible();
  await row.getByRole("button", { name: `Take in again ${name}` }).click();
  await dialog.getByLabel("Reason").fill("It was another person.");
  await dialog.getByRole("button", { name: "Take in again" }).click();
  await expect(row.getByText("Your earlier word: It was another person.")).toBeVisible();
  await row.getByText("Your earlier word").click();
  await expect(row.getByText("Told us that the sound was off.")).toBeVisible();
});

test("the study is closed, and its results are seen", async ({ browser }) => {
  const page = await desk(browser, "Results");
  await expect(page.getByText("The results can be seen when the study has ended")).toBeVisible();
  await page.getByRole("button", { name: "Close the study" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Close the study" }).click();
  // Both heard a difference in the control, and are left out by the rule.
  await expect(page.getByText("2 participants left out")).toBeVisible();
  await expect(page.getByText("There is nothing to analyse yet")).toBeVisible();
  await expectAccessible(page);
  await openPage(page, SLUG, "Export");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Votes (CSV)", exact: true }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/\.csv$/);
  await openPage(page, SLUG, "Design");
  await expect(page.getByText("Closed by the researcher")).toBeVisible();
});
