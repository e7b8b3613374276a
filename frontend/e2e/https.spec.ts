// A room's address in Chromium: encrypted by the server itself, so that browsers give a
// page there what they keep from plain ones, the microphone above all.
// SPDX-License-Identifier: Apache-2.0
import { createHash, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium as driver, expect, type Page, test } from "@playwright/test";
import { chromium } from "./chromium.ts";
import { type Started, startOne } from "./stack.ts";

const PASSWORD = "correct horse 9";
const MICROPHONE = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"];
/** What was recorded before is found. */
const STUDIES = join(import.meta.dirname, "studies");

/** An address of this machine that is not its loopback's. */
function inTheRoom(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  return all.find(({ internal, family }) => !internal && family === "IPv4")?.address;
}

let room: Started;

const start = (...words: string[]) =>
  startOne({
    command: [".venv/bin/thinlab", "run", "--host", "0.0.0.0", ...words],
    studies: [STUDIES],
    open: [],
  });

/** A browser that trusts this key as if somebody vouched for it; nobody has to click. */
async function visitor(trusted: string | null): Promise<BrowserContext> {
  const pin = trusted === null ? [] : [`--ignore-certificate-errors-spki-list=${trusted}`];
  const args = [...(chromium.args ?? []), ...MICROPHONE, ...pin];
  return driver.launchPersistentContext("", { ...chromium, args });
}

const hears = (page: Page) =>
  page.evaluate(async () => {
    const stream = await navigator.mediaDevices?.getUserMedia({ audio: true });
    return { secure: isSecureContext, tracks: stream?.getAudioTracks().length ?? 0 };
  });

test.afterEach(() => room.stop());

test("a room gets encryption, cookies kept to it, and a microphone", async () => {
  const here = inTheRoom();
  test.skip(here === undefined, "this machine is in no network");
  room = await start();
  const { url, setup_token } = room.stack;
  const port = new URL(url).port;
  const certificate = new X509Certificate(readFileSync(join(room.data, "tls", "own.pem")));
  const spki = certificate.publicKey.export({ type: "spki", format: "der" });
  expect(room.printed()).toContain(`https://${here}:${port}/d/`);
  expect(room.printed()).toContain(certificate.fingerprint256.slice(0, 47));

  const context = await visitor(createHash("sha256").update(spki).digest("base64"));
  try {
    const page = await context.newPage();
    // As somebody types it: without a scheme, which browsers take for http.
    await page.goto(`http://${here}:${port}/researcher#setup=${setup_token}`);
    await expect(page).toHaveURL(`https://${here}:${port}/researcher`);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByLabel("Password again").fill(PASSWORD);
    await page.getByRole("button", { name: "Set password" }).click();
    await expect(page.getByRole("heading", { name: "Studies" })).toBeVisible();
    const cookies = await context.cookies();
    expect(
      cookies.map(({ name, secure, httpOnly, path }) => ({ name, secure, httpOnly, path })),
    ).toEqual([{ name: "__Host-researcher", secure: true, httpOnly: true, path: "/" }]);
    expect(await hears(page)).toEqual({ secure: true, tracks: 1 });
  } finally {
    await context.close();
  }
});

test("without encryption, where somebody asks for it, browsers keep the microphone", async () => {
  const here = inTheRoom();
  test.skip(here === undefined, "this machine is in no network");
  process.env.THINLAB_TLS = "off";
  room = await start().finally(() => delete process.env.THINLAB_TLS);
  const context = await visitor(null);
  try {
    const page = await context.newPage();
    await page.goto(`http://${here}:${new URL(room.stack.url).port}/`);
    expect(await hears(page)).toEqual({ secure: false, tracks: 0 });
  } finally {
    await context.close();
  }
});
