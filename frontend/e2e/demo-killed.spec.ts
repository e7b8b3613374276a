// Parts of a demo die or sleep while a room listens: the pages say so, and all of it
// goes on by itself. Over the real lab.
// SPDX-License-Identifier: Apache-2.0
import { type Browser, expect, type Page, test } from "@playwright/test";
import { decodedEnergy, listenMeasured } from "./decodedSound.ts";
import { asleep } from "./phone.ts";
import {
  drawnEvent,
  endEachDemo,
  expectStage,
  flip,
  joinDemo,
  joinPath,
  mechanism,
  openDemos,
  RUNNING,
  startDemo,
} from "./presenter.ts";
import { childrenOf, keptProcess, stack } from "./stack.ts";

test.skip(() => stack().pid === null, "kills only a stack that these tests started");

endEachDemo();

/** Watches the page from when this has resolved, for what it says, however short; the
 * returned function resolves when it has said it. */
async function watchFor(page: Page, text: string): Promise<() => Promise<unknown>> {
  const watch = await page.evaluateHandle((wanted) => {
    const watch = { saw: false };
    const look = () => {
      watch.saw ||= document.body.textContent.includes(wanted);
    };
    look();
    const all = { subtree: true, childList: true, characterData: true };
    new MutationObserver(look).observe(document.body, all);
    return watch;
  }, text);
  return () => page.waitForFunction(({ saw }) => saw, watch, { timeout: 60_000 });
}

/** The guests of the lab host whose clock is real: the demo's is among them. */
function killGuests(): void {
  const guests = childrenOf(keptProcess("--clock real"));
  expect(guests).not.toEqual([]);
  for (const guest of guests) process.kill(guest, "SIGKILL");
}

/** Somebody of the audience who listens, on a page that keeps what it hears by. */
async function listener(browser: Browser, path: string): Promise<Page> {
  const phone = await joinDemo(browser, path);
  await listenMeasured(phone);
  return phone;
}

test("the demo's guest is killed: two consoles say so, its settings and its sound come back", async ({
  browser,
}) => {
  const page = await startDemo(browser);
  const other = await openDemos(browser);
  await other.getByRole("link", { name: "Open the console" }).click();
  await expectStage(other, RUNNING);
  await flip(page, "Bundling", "A");
  const phone = await listener(browser, await joinPath(page));

  // The phone's word of it is there for half a second: a busy browser never paints it.
  const told = await Promise.all(
    [page, other].map((console_page) => watchFor(console_page, "Take 1 broke off")),
  );
  killGuests();
  await Promise.all(told.map((said) => said()));
  for (const console_page of [page, other]) {
    await expectStage(console_page, `${RUNNING}, take 2`);
    await expect(mechanism(console_page, "Bundling", "A")).toBeChecked();
  }
  const silent = await decodedEnergy(phone);
  await expect.poll(() => decodedEnergy(phone)).toBeGreaterThan(silent);
  await expect(phone.getByText("You hear A.")).toBeVisible();
  await expect(phone.getByText("it starts again")).toHaveCount(0);

  // The charts go on with what is switched now, on whichever page.
  const before = await drawnEvent(phone);
  await flip(other, "Early fast retransmit", "A");
  for (const watched of [page, other, phone]) {
    await expect.poll(() => drawnEvent(watched)).toBeGreaterThan(before);
  }
  await expect(mechanism(page, "Early fast retransmit", "A")).toBeChecked();
  await phone.context().close();
  await other.context().close();
});

test("a phone that slept hears and sees what runs now, without a touch", async ({ browser }) => {
  const page = await startDemo(browser);
  const phone = await listener(browser, await joinPath(page));
  await asleep(phone, async () => {
    await flip(page, "Bundling", "A");
    // Another take, and so other lanes.
    await page.getByText("3", { exact: true }).first().click();
    await expectStage(page, `${RUNNING}, take 2`);
  });
  await expect(phone.getByTestId("hearing").getByRole("button", { name: /^C/ })).toBeVisible();
  const silent = await decodedEnergy(phone);
  await expect.poll(() => decodedEnergy(phone)).toBeGreaterThan(silent);
  const before = await drawnEvent(phone);
  await flip(page, "Bundling", "A");
  await expect.poll(() => drawnEvent(phone)).toBeGreaterThan(before);
  await phone.context().close();
});
