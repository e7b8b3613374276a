// Pictures of all that a researcher can meet: a study that has votes, one that
// hides them, one that nobody has recorded.
// SPDX-License-Identifier: Apache-2.0
import { type Page, test } from "@playwright/test";
import { openDesk, openPage } from "./desk.ts";
import { Listener } from "./listener.ts";
import { Pictures } from "./pictures.ts";
import { endDemo, endEachDemo, joinDemo, joinPath, startDemo } from "./presenter.ts";
import { stack } from "./stack.ts";
import { shortened, throughUs } from "./through.ts";

const PAGES = [
  "Monitor",
  "Participants",
  "Invitations",
  "Recordings",
  "Design",
  "Power",
  "Results",
  "Export",
] as const;
const STUDIES = ["demo", "p800-ccr"] as const;

/** Charts and lists come after the heading. */
async function complete(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
}

test("somebody takes part first, so that there is something to see", async ({ browser }) => {
  for (const _ of [1, 2]) {
    const context = await browser.newContext();
    await throughUs(context, shortened);
    const choose = ({ position }: { position: number }) => position % 2;
    await (await Listener.at(await context.newPage(), { slug: "demo", choose })).takePart();
    await context.close();
  }
});

test("signing in", async ({ page }) => {
  const { url, setup_token } = stack();
  await page.goto(`${url}/researcher${setup_token && `#setup=${setup_token}`}`);
  await page.getByRole("button", { name: /Sign in|Set password/ }).waitFor();
  await new Pictures("desk").take(page, "sign-in");
});

test("all studies", async ({ browser }) => {
  const desk = await openDesk(browser);
  await complete(desk);
  await new Pictures("desk").take(desk, "studies");
});

for (const slug of STUDIES) {
  test(`the pages of ${slug}`, async ({ browser }) => {
    const desk = await openDesk(browser);
    const pictures = new Pictures(`desk-${slug}`);
    for (const name of PAGES) {
      await openPage(desk, slug, name);
      await complete(desk);
      await pictures.take(desk, name.toLowerCase());
    }
  });
}

test("experiments, health, access, and a completion code that is looked up", async ({
  browser,
}) => {
  const desk = await openDesk(browser);
  const pictures = new Pictures("desk-around");
  for (const name of ["Experiments", "Health", "Access"]) {
    await desk.getByRole("link", { name, exact: true }).click();
    await desk.getByRole("heading", { level: 1, name }).waitFor();
    await complete(desk);
    await pictures.take(desk, name.toLowerCase());
  }
  await openPage(desk, "demo", "Participants");
  const code = await desk.locator("td code").filter({ hasText: /^\w/ }).last().textContent();
  await desk.getByLabel("Search by pseudonym or completion code").fill(code ?? "");
  await complete(desk);
  await pictures.take(desk, "code");
  await desk.goto(`${stack().url}/researcher/nowhere`);
  await desk.getByRole("heading", { name: "There is no such page" }).waitFor();
  await pictures.take(desk, "nowhere");
});

test.describe("a demo", () => {
  endEachDemo();

  test("that runs, with all that its path can do", async ({ browser }) => {
    const console = await startDemo(browser);
    const pictures = new Pictures("demo-console");
    await pictures.take(console, "running");
    await console.getByText("Free settings").click();
    await pictures.take(console, "free-settings");
  });

  test("that has ended", async ({ browser }) => {
    const console = await startDemo(browser);
    const path = await joinPath(console);
    const phone = await joinDemo(browser, path);
    await endDemo(console);
    const pictures = new Pictures("demo-ended");
    const over = { name: "The demo is over" };
    await phone.getByRole("heading", over).waitFor();
    await pictures.take(phone, "audience");
    const late = await (await browser.newContext()).newPage();
    await late.goto(`${stack().url}${path}`);
    await late.getByRole("heading", over).waitFor();
    await pictures.take(late, "late");
    await late.goto(`${stack().url}/d/nowhere`);
    await late.getByRole("heading", { name: "There is no demo at this address" }).waitFor();
    await pictures.take(late, "unknown");
  });
});
