// In blind mode nothing tells a listener what a letter stands for: all that the page
// gets, holds and shows is written down, searched, and compared with the letters the
// other way round. And the search proves itself.
// SPDX-License-Identifier: Apache-2.0
import { type Browser, expect, type Page, test } from "@playwright/test";
import type { AudienceMessage } from "../src/api/generated.ts";
import { differences, wordLeaks } from "./leaks.ts";
import { gotFrames } from "./links.ts";
import { endEachDemo, expectStage, joinPath, RUNNING, startDemo } from "./presenter.ts";
import { recordedPage } from "./record.ts";
import type { Secrets } from "./secrets.ts";
import { stack } from "./stack.ts";

// A leak that is seen once is a leak, so nothing here is tried again.
test.describe.configure({ retries: 0 });

/** What a demo has beside what every condition has. */
const SECRETS: Secrets = {
  slug: "",
  access: "link",
  panel: false,
  words: ["no mechanism", "wi-fi", "satellite", "take 1", "delay_ms", "baseline", "kernel_ms"],
  values: ["off", "all"],
  kinds: 0,
  trials: 0,
};
const LETTERS = ["A", "B"] as const;

let presenter: Page;

test.beforeEach(async ({ browser }) => {
  presenter = await startDemo(browser);
});
endEachDemo();

interface Audit {
  readonly leaks: string[];
  /** What stood in messages, each once. */
  readonly traits: readonly string[];
  readonly looks: readonly string[];
}

/** A whole visit: listens to both, votes; `inPage` may spoil it. */
async function visit(
  browser: Browser,
  inPage: (page: Page) => Promise<void> = async () => {},
): Promise<Audit> {
  const { context, record, page } = await recordedPage(browser, inPage);
  const looks: string[] = [];
  const look = async (moment: string) => {
    await record.snapshot(page, moment, null);
    looks.push(shape(await page.locator("main").innerHTML()));
  };
  await page.goto(`${stack().url}${await joinPath(presenter)}`);
  await expect(page.getByRole("button", { name: "Listen" })).toBeVisible();
  await look("before");
  await page.getByRole("button", { name: "Listen" }).click();
  for (const letter of LETTERS) {
    await page.getByTestId("hearing").getByRole("button", { name: letter, exact: true }).click();
    await expect(page.getByText(`You hear ${letter}.`)).toBeVisible();
    await look(`hearing ${letter}`);
  }
  await presenter.getByRole("button", { name: "Open the poll" }).click();
  for (const letter of LETTERS) {
    await page.getByTestId("poll").getByRole("button", { name: letter, exact: true }).click();
    await expect(page.getByTestId("poll").getByRole("status")).toContainText(
      `Your vote: ${letter}`,
    );
    await look(`voted ${letter}`);
  }
  await presenter.getByRole("button", { name: "Close the poll" }).click();
  await expect(page.getByText("How the room voted")).toBeVisible();
  await look("closed");
  const frames = await gotFrames(page);
  for (const frame of frames) record.noteFrame("the socket", frame);
  await record.finish();
  await context.close();
  // Scripts are the same for all, whatever the letters stand for, and what a browser offers
  // of its own is not told by anybody.
  const items = record.items.filter(
    ({ kind, where }) => kind !== "script" && !where.endsWith("/offer, sent"),
  );
  return {
    leaks: wordLeaks(Object.assign(Object.create(record), { items }), SECRETS),
    traits: [...new Set(frames.flatMap(traits))].sort(),
    looks,
  };
}

const blind = () => presenter.getByLabel("The audience knows letters only");

/** Which lane is called A, as the console knows. */
async function laneOfA(): Promise<string> {
  await presenter.getByRole("button", { name: "Show the conditions on this screen" }).click();
  const name = await presenter.locator("[data-lane=A] [data-testid=name]").first().textContent();
  return name ?? "";
}

/** Draws the letters until they stand for other lanes than before. */
async function drawUntil(wanted: (lane: string) => boolean): Promise<void> {
  for (let tries = 0; tries < 40; tries++) {
    if (await blind().isChecked()) await blind().click();
    await expect(blind()).not.toBeChecked();
    await blind().click();
    await expect(blind()).toBeChecked();
    // Each draw begins a new take.
    await expectStage(presenter, RUNNING);
    if (wanted(await laneOfA())) return;
  }
  throw new Error("The letters never changed places.");
}

test("nothing tells what a letter stands for, whichever way round", async ({ browser }) => {
  await drawUntil((lane) => lane.startsWith("off"));
  const one = await visit(browser);
  await drawUntil((lane) => lane.startsWith("all"));
  const other = await visit(browser);
  expect(one.leaks).toEqual([]);
  expect(other.leaks).toEqual([]);
  expect(differences("messages", one.traits, other.traits)).toEqual([]);
  expect(one.looks).toHaveLength(6);
  for (const [moment, look] of one.looks.entries()) {
    expect(
      differences(`look ${moment}`, look.split("\n"), other.looks[moment]?.split("\n")),
    ).toEqual([]);
  }
  expect(one.traits.length).toBeGreaterThan(20);
});

test("leaks in messages and in the page are found", async ({ browser }) => {
  await blind().click();
  await expect(blind()).toBeChecked();
  await expectStage(presenter, RUNNING);
  const { leaks } = await visit(browser, async (page) => {
    await page.routeWebSocket("**/api/audience/**", (route) => {
      const server = route.connectToServer();
      server.onMessage((text) => {
        const message = JSON.parse(String(text)) as AudienceMessage;
        if (message.type === "state") {
          Object.assign(message.lanes[0] ?? {}, { name: "off", hint: "linear_timeouts" });
          Object.assign(message, { tag: Buffer.from("xx bundling xx").toString("base64url") });
        }
        route.send(JSON.stringify(message));
      });
    });
    await page.addInitScript(() => {
      localStorage.setItem("thinlab.netem", "1");
      sessionStorage.setItem("seen", btoa("early_fast_retransmit"));
      addEventListener("DOMContentLoaded", () => {
        new MutationObserver(() => {
          document
            .querySelector("[data-testid=hearing] button")
            ?.setAttribute("data-of", "newreno2008");
        }).observe(document, { childList: true, subtree: true });
      });
    });
  });
  for (const reason of [
    /^"off" in the socket$/,
    /^"linear_timeouts" in the socket$/,
    /^"bundling, encoded" in the socket$/,
    /^"netem" in local, /,
    /^"early_fast, encoded" in session, /,
    /^"newreno" in html, /,
  ]) {
    expect(leaks).toContainEqual(expect.stringMatching(reason));
  }
});

/** Where something stands in a message and what, without numbers, letters and free text. */
function traits(frame: string): string[] {
  const found: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (value === null) return;
    if (Array.isArray(value)) for (const one of value) walk(one, `${path}[]`);
    else if (typeof value === "object") {
      for (const [key, one] of Object.entries(value)) walk(one, `${path}.${key}`);
    } else {
      const told = typeof value === "number" || /^[A-D]$/.test(String(value)) ? "·" : value;
      found.push(FREE.test(path) ? path : `${path} = ${told}`);
    }
  };
  const message = JSON.parse(frame) as { type: string };
  walk(message, message.type);
  return found;
}
const FREE = /\.(title|code|question|listener)$/;

const shape = (html: string): string =>
  html
    .replaceAll(/_r_[0-9a-z]+_/g, "·")
    .replaceAll(/\d+([.:]\d+)*/g, "#")
    .split(/(?=<)/)
    .join("\n");
