// The blinding's audit proves itself: leaks are planted, and each has to be
// found, for its own reason.
// SPDX-License-Identifier: Apache-2.0
import { type Browser, expect, type Page, test } from "@playwright/test";
import type { HeardTrial } from "../src/api/generated.ts";
import { openDesk } from "./desk.ts";
import { memberLeaks, trialLeaks, wordLeaks } from "./leaks.ts";
import { type Answer, LeakyServer, type Plant } from "./leakyServer.ts";
import { Listener } from "./listener.ts";
import { SessionRecord } from "./record.ts";
import { secretsOf } from "./secrets.ts";
import { shortened } from "./through.ts";

const STUDY = "demo";

/** A whole session on a server that tells, with a page that tells; what is found. */
async function found(
  browser: Browser,
  plant: Plant,
  inPage: (page: Page) => Promise<void> = async () => {},
): Promise<string[]> {
  const secrets = await secretsOf(await openDesk(browser), STUDY);
  const leaky = await LeakyServer.with(plant);
  const context = await browser.newContext();
  try {
    const record = await SessionRecord.of(context, shortened);
    const page = await context.newPage();
    await inPage(page);
    const listener = await Listener.at(page, {
      slug: STUDY,
      server: leaky.url,
      onMoment: (_, moment, trial) => record.snapshot(page, moment, trial),
    });
    await listener.takePart();
    await record.finish();
    return [...wordLeaks(record, secrets), ...memberLeaks(record), ...trialLeaks(record)];
  } finally {
    await context.close();
    await leaky.close();
  }
}

function expectFound(leaks: readonly string[], reasons: readonly RegExp[]): void {
  for (const reason of reasons) expect(leaks).toContainEqual(expect.stringMatching(reason));
}

const isRecording = (path: string, { status }: Answer) =>
  path.startsWith("/api/recordings/") && status === 200;

/** Changes every other recording's answer: one member of each pair. */
function everyOther(change: (answer: Answer) => void): Plant {
  let count = 0;
  return (path, answer) => {
    if (isRecording(path, answer) && count++ % 2 === 1) change(answer);
  };
}

/** Changes what the page is told of each trial. */
function inTrials(change: (trial: HeardTrial) => object): Plant {
  return (path, answer) => {
    if (path !== "/api/participation/trials" || answer.status !== 200) return;
    const { trials } = JSON.parse(answer.body.toString()) as { trials: HeardTrial[] };
    answer.body = Buffer.from(JSON.stringify({ trials: trials.map(change) }));
  };
}

test("leaks in the page are found", async ({ browser }) => {
  const leaks = await found(
    browser,
    () => {},
    async (page) => {
      await page.addInitScript(() => {
        localStorage.setItem("thinlab.netem", "1");
        sessionStorage.setItem("seen", btoa("linear_timeouts"));
        indexedDB.open("early_fast_retransmit");
        void caches.open("thinlab").then((cache) => cache.put("/modified.wav", new Response("")));
        void cookieStore.set("seen", "newreno2008");
        Object.assign(window, { bundling: 1 });
        const look = () => {
          const heading = document.querySelector("h1")?.textContent ?? "";
          const card = document.querySelector("main > div:not([aria-hidden]) > *");
          if (heading.startsWith("Trial 2") && card && !card.classList.contains("gold")) {
            card.classList.add("gold", "raised");
            card.insertAdjacentHTML("beforeend", '<img alt="plain-lossy" src="data:,">');
            document.title = "control";
          }
        };
        addEventListener("DOMContentLoaded", () =>
          new MutationObserver(look).observe(document, { childList: true, subtree: true }),
        );
      });
    },
  );
  expectFound(leaks, [
    /^"netem" in local, /,
    /^"linear_timeouts, encoded" in session, /,
    /^"early_fast" in databases, /,
    /^"modified" in caches, /,
    /^"newreno" in cookies, /,
    /^"bundling" in globals, /,
    /^"gold" in html, /,
    /^"plain-lossy" in html, /,
    /^"control" in title, /,
    // A class that is no word, on one trial only.
    /^trial 2: look, \w+: .*<div.* ≠ .*raised/,
  ]);
});

test("leaks in messages are found", async ({ browser }) => {
  const leaks = await found(
    browser,
    inTrials((trial) => ({
      ...trial,
      hint: "linear_timeouts",
      of: "speech",
      etag: Buffer.from("xx newreno2008 xx").toString("base64url"),
      m: "off",
      ...(trial.position === 2 ? { expected: 1 } : {}),
    })),
  );
  expectFound(leaks, [
    /^"linear_timeouts" in POST \/api\/participation\/trials$/,
    /^"speech" in POST \/api\/participation\/trials$/,
    /^"newreno, encoded" in POST \/api\/participation\/trials$/,
    /^"off" in POST \/api\/participation\/trials$/,
    /^trial 2: message: .*expected/,
  ]);
});

test("a name in an address is found", async ({ browser }) => {
  const named = inTrials((trial) => ({
    ...trial,
    first: { recording_token: `${trial.first.recording_token}~modified` },
  }));
  const leaks = await found(browser, named);
  expectFound(leaks, [/^"modified" in GET \/api\/recordings\/.*, address$/]);
});

test("headers and tags of recordings are found", async ({ browser }) => {
  const leaks = await found(
    browser,
    everyOther((answer) => {
      answer.headers["x-from"] = "plain-lossy";
      answer.headers["cache-control"] = "max-age=1";
      answer.headers["server-timing"] = "miss";
      answer.body = Buffer.concat([answer.body, Buffer.from("LIST\x08\0\0\0degraded")]);
    }),
  );
  expectFound(leaks, [
    /^"plain-lossy" in a recording, headers$/,
    /^"degrad" in a recording, outside the samples$/,
    /^trial \d: its members: +"cache-control"/,
    /^trial \d: its members: +"tail_bytes"/,
    /^recordings: the header server-timing$/,
  ]);
});

test("another length is found", async ({ browser }) => {
  const longer = everyOther((answer) => {
    answer.body = Buffer.concat([answer.body, Buffer.alloc(2)]);
    answer.body.writeUInt32LE(answer.body.readUInt32LE(4) + 2, 4);
    answer.body.writeUInt32LE(answer.body.readUInt32LE(40) + 2, 40);
  });
  expectFound(await found(browser, longer), [/^trial \d: its members: +"bytes": \d+, ≠/]);
});

test("a receipt that tells, and a source map, are found", async ({ browser }) => {
  const leaks = await found(
    browser,
    (path, answer) => {
      if (path === "/api/participation/votes" && answer.status === 201) {
        const receipt = JSON.parse(answer.body.toString());
        const noted = receipt.position === 2 ? { noted: true } : {};
        answer.body = Buffer.from(JSON.stringify({ ...receipt, ...noted }));
      }
      if (path.endsWith(".js.map")) {
        answer.status = 200;
        answer.body = Buffer.from(JSON.stringify({ sources: ["trap_minus_two", "newreno2008"] }));
      }
    },
    async (page) => {
      // As a participant with the browser's tools does.
      page.on("response", (response) => {
        const address = response.url();
        if (address.endsWith(".js")) {
          const read = (map: string) => fetch(map).then((answer) => answer.text());
          void page.evaluate(read, `${address}.map`).catch(() => {});
        }
      });
    },
  );
  expectFound(leaks, [/^receipts: .*noted/, /^"newreno" in GET \/assets\/.*\.js\.map$/]);
});
