// What happens to a session when its network or its page goes away for a while:
// each has an outcome that was thought of.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "@playwright/test";
import english from "../src/language/texts/en.ts";
import { expectAccessible } from "./accessible.ts";
import { stack } from "./stack.ts";
import {
  begin,
  button,
  done,
  expectReady,
  heading,
  joinAndBegin,
  joinToType,
  session,
  typed,
  typeLine,
} from "./typist.ts";
import { participantToken, progress } from "./walk.ts";

test("Wi-Fi that goes and comes back takes nothing with it", async ({ page, context }) => {
  await joinAndBegin(page);
  await page.keyboard.type("A thin ");
  await context.setOffline(true);
  await expect(page.getByText(english["terminal.away.title"])).toBeVisible();
  await expect(page.getByText("Keys that you press now are not accepted")).toBeVisible();
  // Not taken, as nobody could see what came of it.
  await page.keyboard.type("unseen");
  await context.setOffline(false);
  await expectReady(page);
  await page.keyboard.type("stream");
  await typed(page, "A thin stream");
  await expect(page.locator(".xterm-rows")).not.toContainText("unseen");
  await done(page);
  await expect(button(page, "typing.begin.second")).toBeVisible();
});

test("where UDP does not get through, a WebSocket carries the same session", async ({ page }) => {
  const sockets: string[] = [];
  page.on("websocket", (socket) => sockets.push(new URL(socket.url()).pathname));
  await page.addInitScript(() => {
    // As behind a firewall: there is an answer, and nothing ever arrives.
    RTCPeerConnection.prototype.setRemoteDescription = async () => {};
  });
  await joinToType(page);
  await session(page, "typing.begin.first");
  expect(new Set(sockets)).toEqual(new Set(["/api/live/socket"]));
});

test("a reload begins the session anew, and only that session", async ({ page }) => {
  await joinToType(page);
  await session(page, "typing.begin.first");
  await begin(page, "typing.begin.second");
  await page.keyboard.type("A thin ");
  await typed(page, "A thin ");
  await page.reload();
  // The introduction was read.
  await begin(page, "typing.begin.second");
  await expect(page.locator(".xterm-rows")).not.toContainText("A thin ");
  await typeLine(page);
  await done(page);
  await expect(button(page, "answer.send")).toBeVisible();
});

test("a tab that is out of sight for too long has to begin again", async ({ page }) => {
  await joinAndBegin(page);
  await page.keyboard.type("A thin ");
  // Headless pages are never hidden: this is what a page is told when it is.
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await expect(page.getByText(english["void.hidden"])).toBeVisible();
  await page.evaluate(() => Reflect.deleteProperty(document, "hidden"));
  await session(page, "void.begin");
  const { trials_done } = await progress(page, await participantToken(page, "typing"));
  expect(trials_done).toBe(0);
  await expect(button(page, "typing.begin.second")).toBeVisible();
});

test("a network too unsteady to feel a difference in is told so, and at last not kept waiting", async ({
  page,
}) => {
  await page.goto(`${stack().url}/s/unsteady`);
  await page.getByRole("checkbox", { name: english["consent.agree"] }).check();
  await button(page, "consent.begin").click();
  await expect(heading(page, "check.title")).toBeFocused();
  const again = button(page, "check.connection.again");
  for (const _ of ["first", "second"]) {
    await expect(page.getByText(english["check.connection.advice"])).toBeVisible();
    await expectAccessible(page);
    await expect(button(page, "go.on")).toBeDisabled();
    await again.click();
    await expect(page.getByText(english["check.connection.running"])).toBeVisible();
  }
  await expect(heading(page, "check.failed.title")).toBeFocused();
  await expectAccessible(page);
});
