// People whom a panel sends: from its link to the way back, on every page that they may end at.
// SPDX-License-Identifier: Apache-2.0
import { type Browser, expect, type Page, test } from "@playwright/test";
import english from "../src/language/texts/en.ts";
import norwegian from "../src/language/texts/nb.ts";
import { openDesk, openPage } from "./desk.ts";
import { expectFit } from "./fit.ts";
import { stack, until } from "./stack.ts";
import { shortened, throughUs } from "./through.ts";
import { answer, checkSound, hearBoth, memory } from "./walk.ts";

const SLUG = "panel";
const CODES = { complete: "C0MPLETE", declined: "N0C0NSENT", timed_out: "T00LATE" } as const;
const BACK = "https://app.prolific.com/submissions/complete?cc=";

const said = (text: string) => text.replaceAll("{panel}", "Prolific");
const link = (pid: string, session = "first", more = "") =>
  `${stack().url}/s/${SLUG}?PROLIFIC_PID=${pid}&STUDY_ID=st&SESSION_ID=${session}${more}`;
const somebody = () => crypto.randomUUID().replaceAll("-", "").slice(0, 24);

const heading = (page: Page, text: string) => page.getByRole("heading", { level: 1, name: text });

async function enterCodes(browser: Browser): Promise<Page> {
  await until(async () => {
    const answered = await fetch(`${stack().url}/api/studies/${SLUG}`);
    return ((await answered.json()) as { state: string }).state === "open";
  });
  const desk = await openDesk(browser);
  const returns = Object.entries(CODES).map(([outcome, code]) => ({ outcome, code }));
  const told = await desk.request.put(`${stack().url}/api/researcher/studies/${SLUG}/panel`, {
    data: { returns },
  });
  expect(told.status()).toBe(204);
  return desk;
}

async function agree(page: Page): Promise<void> {
  await page.getByRole("checkbox", { name: /agree/ }).check();
  await page.getByRole("button", { name: "Begin" }).click();
}

test.beforeEach(async ({ browser, context }) => {
  await throughUs(context, shortened);
  await (await enterCodes(browser)).context().close();
});

test("somebody comes from the panel, does it all, and is led back with the code", async ({
  page,
  browser,
}) => {
  const pid = somebody();
  const bodies: string[] = [];
  page.on("response", async (response) => {
    if (response.request().resourceType() === "image") return;
    bodies.push(await response.text().catch(() => ""));
  });
  await page.goto(link(pid));
  await expect(page.getByText("To be done within 45 minutes")).toBeVisible();
  await expectFit(page);
  await agree(page);
  await checkSound(page);
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  // Else what was shortened may have ended before the other one is chosen.
  await page.getByRole("checkbox", { name: english["loop.repeat"] }).check();
  await hearBoth(page);
  // Nothing that has reached this browser has a code in it.
  for (const code of Object.values(CODES)) expect(bodies.join("\n")).not.toContain(code);
  await answer(page, "first");
  await expect(heading(page, english["thanks.title"])).toBeFocused();
  const back = page.getByRole("link", { name: "Return to Prolific" });
  await expect(back).toHaveAttribute("href", `${BACK}${CODES.complete}`);
  await expect(page.getByTestId("code")).toHaveText(CODES.complete);
  await expectFit(page);

  // Once more, with the parameters lost on the way; and in a browser that knows nothing.
  await page.goto(`${stack().url}/s/${SLUG}`);
  await expect(page.getByTestId("code")).toHaveText(CODES.complete);
  const other = await (await browser.newContext()).newPage();
  await other.goto(link(pid));
  await expect(other.getByTestId("code")).toHaveText(CODES.complete);
  // Typed by hand, without the visit's id.
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(link(pid, "another"));
  await expect(heading(stranger, english["took_part.title"])).toBeFocused();
  await expect(stranger.getByTestId("code")).toHaveCount(0);
  await expectFit(stranger);
});

test("another browser goes on with the seat, and another person at this one has their own", async ({
  page,
  browser,
}) => {
  const pid = somebody();
  await page.goto(link(pid));
  await agree(page);
  await expect(heading(page, english["sound.title"])).toBeFocused();
  const other = await (await browser.newContext()).newPage();
  await other.goto(link(pid));
  await expect(heading(other, english["sound.title"])).toBeFocused();
  const { participant_token } = await memory(page, SLUG);
  expect((await memory(other, SLUG)).participant_token).toBe(participant_token);

  await other.goto(link(somebody()));
  await expect(heading(other, "A study for a panel")).toBeFocused();
  await agree(other);
  await expect(heading(other, english["sound.title"])).toBeFocused();
  expect((await memory(other, SLUG)).participant_token).not.toBe(participant_token);
});

test("who does not want to take part is asked once more, and led back", async ({ page }) => {
  const address = link(somebody());
  await page.goto(address);
  await page.getByRole("button", { name: english.decline }).click();
  await expect(page.getByText(said(english["decline.sure"]))).toBeVisible();
  await expectFit(page);
  await page.getByRole("button", { name: english["decline.no"] }).click();
  await page.getByRole("button", { name: english.decline }).click();
  await page.getByRole("button", { name: english["decline.yes"] }).click();
  const told = async () => {
    await expect(heading(page, english["ended.declined.title"])).toBeFocused();
    await expect(page.getByTestId("code")).toHaveText(CODES.declined);
  };
  await told();
  await page.goto(address);
  await told();
  await expectFit(page);
});

test("who comes without an id, or with what is none, is told what to do", async ({ page }) => {
  await page.goto(`${stack().url}/s/${SLUG}`);
  await expect(heading(page, english["panel.needed.title"])).toBeFocused();
  await expectFit(page);
  for (const pid of ["%7B%7B%25PROLIFIC_PID%25%7D%7D", "a&PROLIFIC_PID=b", "x".repeat(10_240)]) {
    await page.goto(link(pid));
    await expect(heading(page, english["panel.unfit.title"])).toBeFocused();
  }
  await expectFit(page);
});

for (const [language, texts] of [
  ["en", english],
  ["nb", norwegian],
] as const) {
  test(`who comes too late is told so, with the way back: ${language}`, async ({ page }) => {
    const pid = somebody();
    await page.goto(link(pid, "first", `&language=${language}`));
    await page.getByRole("checkbox").check();
    await page.getByRole("button", { name: texts["consent.begin"] }).click();
    await expect(heading(page, texts["sound.title"])).toBeFocused();
    const url = `${BACK}${CODES.timed_out}`;
    const end = { outcome: "timed_out", code: CODES.timed_out, url };
    await page.route("**/api/participation", async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        json: { ...(await response.json()), state: "timed_out", end },
      });
    });
    await page.reload();
    await expect(heading(page, texts["ended.timed_out.title"])).toBeFocused();
    await expect(page.getByRole("link", { name: said(texts["panel.return"]) })).toHaveAttribute(
      "href",
      url,
    );
    await expectFit(page);
  });

  test(`who finds the study full is told so, with the way back: ${language}`, async ({ page }) => {
    const end = { outcome: "full", code: "0VERQU0TA", url: null };
    await page.route("**/arrivals", (route) => route.fulfill({ json: { standing: "ended", end } }));
    await page.goto(link(somebody(), "first", `&language=${language}`));
    await expect(heading(page, texts["ended.full.title"])).toBeFocused();
    await expect(page.getByTestId("code")).toHaveText("0VERQU0TA");
    await expect(page.getByText(said(texts["panel.enter"]))).toBeVisible();
    await expectFit(page);
  });
}

test("the researcher enters codes, and sees who came to what", async ({ browser }) => {
  const desk = await openDesk(browser);
  await openPage(desk, SLUG, "Panel");
  await expect(desk.getByText("PROLIFIC_PID={{%PROLIFIC_PID%}}")).toBeVisible();
  const full = desk.getByRole("group", { name: "Full" });
  await full.getByLabel("Address that leads back").fill("javascript:alert(1)");
  await desk.getByRole("button", { name: "Save" }).click();
  await expect(desk.getByText("no address of a panel")).toBeVisible();
  await full.getByLabel("Address that leads back").fill("https://panel.example/?w={participant}");
  await desk.getByRole("button", { name: "Save" }).click();
  await expect(desk.getByText("Saved.")).toBeVisible();
  await expectFit(desk);
});
