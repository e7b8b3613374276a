// Nothing tells a typist how a session is made: a whole study is typed, each frame and
// each page written down, and compared. And the comparison proves itself.
// SPDX-License-Identifier: Apache-2.0
import { type Browser, expect, type Page, test, type WebSocketRoute } from "@playwright/test";
import type { BrowserFrame, ServerFrame } from "../src/api/generated.ts";
import { openDesk } from "./desk.ts";
import { wordLeaks } from "./leaks.ts";
import { gotFrames, noteFrames, sessionOf, type TypedSession } from "./links.ts";
import { recordedPage } from "./record.ts";
import { secretsOf } from "./secrets.ts";
import { stack } from "./stack.ts";
import { kinds, typingLeaks } from "./typingLeaks.ts";
import { button, done, expectReady, joinToType, typed } from "./typist.ts";

// A leak that is seen once is a leak, so nothing here is tried again.
test.describe.configure({ retries: 0 });

const STUDY = "alike";
const LINE = "Thin and far.";
const MEMBERS = ["first", "second"] as const;

interface Audit {
  readonly leaks: string[];
  readonly sessions: readonly TypedSession[];
  readonly kinds: number;
}

/** A whole study of one typist; `inPage` may spoil it. */
async function audit(
  browser: Browser,
  trials: number,
  inPage: (page: Page) => Promise<void> = async () => {},
): Promise<Audit> {
  const secrets = await secretsOf(await openDesk(browser), STUDY);
  const { context, record, page } = await recordedPage(browser, inPage);
  const sessions: TypedSession[] = [];
  await joinToType(page, (checked) => record.snapshot(checked, "check", null), STUDY);
  for (const frame of await gotFrames(page)) record.noteFrame("the check's link", frame);
  for (let position = 1; position <= trials; position++) {
    for (const member of MEMBERS) {
      const look = (moment: string) => record.snapshot(page, `${moment}, ${member}`, { position });
      await expect(button(page, `typing.begin.${member}`)).toBeVisible();
      await look("before");
      await button(page, `typing.begin.${member}`).click();
      await expectReady(page);
      await page.keyboard.type(LINE);
      await typed(page, LINE);
      await expect(page.getByText("Typed: 100 %")).toBeVisible();
      await look("typed");
      await done(page);
      await look("done");
      const frames = await gotFrames(page);
      for (const frame of frames) record.noteFrame(`link ${position}, ${member}`, frame);
      sessions.push(sessionOf(position, member, frames));
    }
    await page.getByRole("radio", { name: position % 2 ? "The first" : "No difference" }).check();
    await record.snapshot(page, "chosen", { position });
    await button(page, "answer.send").click();
    await expect(button(page, "answer.send")).toHaveCount(0);
  }
  await record.snapshot(page, "the end", null);
  await record.finish();
  await context.close();
  return {
    leaks: [...wordLeaks(record, secrets), ...typingLeaks(record, sessions)],
    sessions,
    kinds: kinds(record).length,
  };
}

test("nothing tells one session from another, nor a control from a pair", async ({ browser }) => {
  const found = await audit(browser, 3);
  expect(found.leaks).toEqual([]);
  expect(found.sessions).toHaveLength(6);
  // Practice, and the rest.
  expect(found.kinds).toBe(2);
  // Or the comparisons would prove little.
  for (const { beforeKeys, stages, frames } of found.sessions) {
    expect(beforeKeys.join("")).toContain("nano");
    expect(stages).toHaveLength(3);
    expect(frames.length).toBeGreaterThan(LINE.length);
  }
});

type Change = (frame: ServerFrame) => ServerFrame;

/** Stands between page and server on each link by WebSocket, the data channel being shut off;
 * `changes`: of the sessions' links in their order. On a busy machine a page may check its
 * connection more than once, and take a link up again over another socket. */
async function between(page: Page, changes: readonly (Change | undefined)[]): Promise<void> {
  await page.addInitScript(() => {
    RTCPeerConnection.prototype.setRemoteDescription = async () => {};
  });
  const links: string[] = [];
  await page.routeWebSocket("**/api/live/socket", (route: WebSocketRoute) => {
    const server = route.connectToServer();
    let change: Change | undefined;
    route.onMessage((text) => {
      const { opening } = JSON.parse(String(text)) as BrowserFrame;
      if (opening?.session_token) {
        const { link_id } = opening;
        if (!links.includes(link_id)) links.push(link_id);
        change = changes[links.indexOf(link_id)];
      }
      server.send(text);
    });
    server.onMessage((text) => {
      const frame = JSON.parse(String(text)) as ServerFrame;
      route.send(JSON.stringify(change ? change(frame) : frame));
    });
  });
}

/** Changes messages of one type. */
const each =
  (type: string, more: (message: { data?: string }) => object): Change =>
  (frame) =>
    ({
      ...frame,
      messages: (frame.messages ?? []).map((message) =>
        message.type === type ? { ...message, ...more(message as { data?: string }) } : message,
      ),
    }) as ServerFrame;

/** Before what the editor draws first. */
const banner = (text: string): Change => {
  let drawn = false;
  return each("screen", ({ data = "" }) => {
    if (drawn) return {};
    drawn = true;
    return { data: text + data };
  });
};

test("leaks in a link's frames and in the terminal are found", async ({ browser }) => {
  const title = banner("\x1b]0;sender\x07");
  const { leaks } = await audit(browser, 3, (page) =>
    between(page, [
      undefined,
      banner("helped-along$ "),
      (frame) => title(each("screen", () => ({ late: true }))(frame)),
      each("stage", () => ({ reason: "netem" })),
      (frame) => ({ ...frame, retries: 1 }) as ServerFrame,
      (frame) =>
        (frame.opening ? { ...frame, opening: { ...frame.opening, to: 7 } } : frame) as ServerFrame,
    ]),
  );
  for (const reason of [
    /^"helped-along" in link 1, second$/,
    /^session 1 second: beforeKeys: /,
    /^session 2 first: sent ".*sender/,
    /^session 2 first: forms: .*late/,
    /^"netem" in link 2, second$/,
    /^session 2 second: stages: .*netem/,
    /^session 3 first: forms: .*retries/,
    /^session 3 second: openings: .*"to/,
  ]) {
    expect(leaks).toContainEqual(expect.stringMatching(reason));
  }
});

/** Everything that a terminal can be asked, or told to do to its page. */
const ATTACK = [
  "\x1b[6n\x1b[c\x1b[>c\x1b[5n\x1b[?1$p\x1b]10;?\x07\x1bP$qm\x1b\\\x05\x1b[18t\x1b[21t",
  "\x1b]0;stolen\x07\x1b]52;c;c3RvbGVu\x07\x1b]8;;javascript:alert(1)\x07link\x1b]8;;\x07",
  '<img src=x onerror="alert(1)"><script>alert(2)</script>',
  "\x1b[?1000h\x1b[?1006h\x1b[?2004h\x1b[?1004h\x1b[8;1;1t\x1b[2;1;1t",
].join("");
const MARKUP = "<img src=x onerror=alert(1)>";

test("a terminal that attacks gets nothing out of the page, nor what is typed out of the desk", async ({
  browser,
  page,
}) => {
  const alerts: string[] = [];
  page.on("dialog", (dialog) => {
    if (dialog.type() !== "beforeunload") alerts.push(dialog.message());
  });
  await between(page, [banner(ATTACK)]);
  await page.addInitScript(noteFrames);
  await joinToType(page, undefined, STUDY);
  await button(page, "typing.begin.first").click();
  await expectReady(page);
  const title = await page.title();
  // Where a terminal reports its mouse, this would be keys that nobody typed.
  await page.locator(".xterm-screen").click();
  await page.keyboard.type(MARKUP);
  await typed(page, MARKUP);
  expect(await page.title()).toBe(title);
  expect(await page.locator(".xterm img, .xterm script, .xterm a").count()).toBe(0);
  const sent = await page.evaluate(() => window.linkFrames?.sent ?? []);
  const keys = sent.flatMap((text) =>
    ((JSON.parse(text) as BrowserFrame).messages ?? []).flatMap((message) =>
      message.type === "key" ? [message] : [],
    ),
  );
  const inOrder = new Map(keys.map(({ number, data }) => [number, data]));
  // No answer of the terminal's is among them.
  expect([...inOrder.values()].join("")).toBe(MARKUP);

  // The researcher, who looks on and to whom it is played back, is as safe.
  const desk = await openDesk(browser);
  desk.on("dialog", (dialog) => {
    alerts.push(dialog.message());
    void dialog.dismiss();
  });
  await desk.goto(`${stack().url}/researcher/studies/${STUDY}/typing`);
  const now = desk.getByRole("table").first().getByRole("row").nth(1);
  await expect(now).toContainText("Typing");
  const name = (await now.getByRole("rowheader").textContent()) ?? "";
  await done(page);
  const ended = desk.getByRole("row", { name: new RegExp(name) }).last();
  await ended.getByRole("link", { name: /^Replay/ }).click();
  await desk.getByRole("slider", { name: "Moment of the session" }).press("End");
  await expect(desk.locator(".xterm-rows")).toContainText(MARKUP);
  expect(await desk.locator("[onerror]").count()).toBe(0);
  expect(alerts).toEqual([]);
});
