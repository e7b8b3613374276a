// A session's captures: asked for, under way, compared, handed out.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test, vi } from "vitest";
import type { MadeAgain } from "../../api/generated";
import { faultsOf } from "../../design/accessible";
import { type Rendered, rendered } from "../../design/rendered";
import { Again } from "./Again";
import { made } from "./madeUp";

let shown: Rendered | null = null;

afterEach(() => {
  shown?.close();
  vi.unstubAllGlobals();
});

const KEY = "0".repeat(32);
const session = { key: KEY, run: 0, seed: 5, sender_sha256: [], receiver_sha256: [] };

async function page(again: Partial<MadeAgain>, onAsked = () => {}): Promise<HTMLElement> {
  shown?.close();
  shown = rendered(
    <Again
      name="small"
      session={session}
      again={{ state: "none", problem: null, made: null, ...again }}
      onAsked={onAsked}
    />,
  );
  const { place } = shown;
  await vi.waitFor(() => expect(place.querySelector("h2")).not.toBeNull());
  return place;
}

test("it is asked for at a click, and a refusal is told", async () => {
  const asked: string[] = [];
  const onAsked = vi.fn();
  let answer = Response.json({ title: "Many sessions are being made." }, { status: 503 });
  vi.stubGlobal("fetch", async (request: Request) => {
    asked.push(`${request.method} ${new URL(request.url).pathname}`);
    return answer;
  });
  const place = await page({}, onAsked);
  place.querySelector("button")?.click();
  await vi.waitFor(() => expect(place.textContent).toContain("Many sessions are being made."));
  expect(onAsked).not.toHaveBeenCalled();
  answer = Response.json({ state: "waiting", problem: null, made: null }, { status: 202 });
  place.querySelector("button")?.click();
  await vi.waitFor(() => expect(onAsked).toHaveBeenCalled());
  expect(asked[1]).toBe(`POST /api/researcher/experiments/small/sessions/${KEY}/again`);
});

test("what is under way, or failed, is said aloud", async () => {
  let place = await page({ state: "making" });
  expect(place.querySelector("[role=status]")?.textContent).toContain("is being made again");
  expect(place.querySelector("button")).toBeNull();
  place = await page({ state: "failed", problem: "There is too little room on the disk." });
  expect(place.querySelector("[role=status]")?.textContent).toContain("too little room");
  expect(place.querySelector("button")?.textContent).toBe("Make it again");
});

test("captures are said to be the same, or not, and what that means", async () => {
  const said = async (changes: Parameters<typeof made>[0]) =>
    (await page({ state: "ready", made: made(changes) })).querySelector("[role=status]")
      ?.textContent ?? "";
  expect(await said({})).toContain("byte for byte");
  expect(await said({ host_build: "other" })).toContain("came out the same on it");
  const other = await said({ agrees: false, host_build: "other" });
  expect(other).toContain("not those that were recorded");
  expect(other).toContain("not the packets behind the figures");
  expect(await said({ agrees: false })).toContain("do not trust the results");
  expect(await said({ agrees: null })).toContain("kept no hashes");
});

test("captures and the page of the analyser are handed out", async () => {
  const at = `/api/researcher/experiments/small/sessions/${KEY}`;
  let place = await page({ state: "ready", made: made() });
  const hrefs = () => [...place.querySelectorAll("a")].map((link) => link.getAttribute("href"));
  expect(hrefs()).toEqual([
    `${at}/analysis/0`,
    `${at}/captures/0/sender.pcapng`,
    `${at}/captures/0/receiver.pcapng`,
  ]);
  expect(await faultsOf(place)).toEqual([]);
  const [lane] = made().lanes;
  if (!lane) throw new Error("no lane");
  place = await page({
    state: "ready",
    made: made({
      lanes: [lane, lane],
      analyses: [
        { lane: 0, connection: "10.0.0.1:40000-10.0.1.1:5000" },
        { lane: 1, connection: "10.0.0.1:40001-10.0.1.1:5000" },
      ],
      analyses_left_out: 3,
    }),
  });
  expect(hrefs()).toHaveLength(6);
  expect(place.textContent).toContain("lane 2, 10.0.0.1:40001 → 10.0.1.1:5000");
  expect(place.textContent).toContain("3 more connections have no page");
  place = await page({ state: "ready", made: made({ analyses: [], analysis_problem: "cut" }) });
  expect(place.textContent).toContain("The captures could not be analysed");
});
