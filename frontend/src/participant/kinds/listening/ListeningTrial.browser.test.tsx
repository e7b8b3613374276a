// A trial that is heard, as one sees it: on one screen, also where the reader's own colours
// replace ours, and still there after the page was loaded again.
// SPDX-License-Identifier: Apache-2.0
import "../../../design/tokens.css";
import "../../../design/base.css";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cdp, page, userEvent } from "vitest/browser";
import type { HeardAccount, HeardTrial, VoteCast } from "../../../api/generated";
import { type Rendered, rendered } from "../../../design/rendered";
import { Speaking } from "../../../language/Speaking";
import { silentWav } from "../../../player/signals";
import { ListeningTrial } from "./ListeningTrial";

const RATE_HZ = 48_000;
/** Shorter than what else must be heard: then all of it must. */
const SECONDS = 0.4;

const labels = (...scores: number[]) =>
  scores.map((score) => ({ score, label: `A label of usual length (${score})` }));
const answers = { first: "The first", second: "The second", no_difference: "No difference" };
const question = "The quality of the second compared to the quality of the first is:";
const noticeable = { question: "How noticeable was it?", labels: labels(1, 2, 3, 4) };

const SCALES: Readonly<Record<string, HeardTrial["scale"]>> = {
  preference: { kind: "preference", question, answers, noticeable: null },
  "preference, and how noticeable": { kind: "preference", question, answers, noticeable },
  acr: { kind: "acr", question, labels: labels(5, 4, 3, 2, 1) },
  ccr: { kind: "ccr", question, labels: labels(3, 2, 1, 0, -1, -2, -3) },
  dcr: { kind: "dcr", question, labels: labels(5, 4, 3, 2, 1) },
};
const ABX: HeardTrial["scale"] = {
  kind: "abx",
  question: "Which one is X?",
  answers: { first: "X is A", second: "X is B" },
};
const withX = {
  scale: ABX,
  x: { recording_token: "third" },
};

const trial = (change: Partial<HeardTrial>): HeardTrial => ({
  medium: "heard",
  trial_token: "trial-trial-trial",
  position: 2,
  trials_total: 5,
  duration_ms: 1000 * SECONDS,
  sample_rate_hz: RATE_HZ,
  training: true,
  introduction: null,
  break_before: false,
  playback: "free",
  must_hear_share: null,
  scale: SCALES.preference as HeardTrial["scale"],
  first: { recording_token: "one" },
  second: { recording_token: "other" },
  x: null,
  ...change,
});

const silence = () => silentWav(SECONDS, RATE_HZ);

let shown: Rendered | null = null;
let votes: VoteCast[] = [];

beforeEach(async () => {
  sessionStorage.clear();
  votes = [];
  await page.viewport(1280, 800);
});
afterEach(async () => {
  await cdp().send("Emulation.setEmulatedMedia", { features: [] });
  shown?.close();
});

async function open(change: Partial<HeardTrial> = {}): Promise<void> {
  shown = rendered(
    <Speaking language="en">
      <ListeningTrial
        trial={trial(change)}
        files={async () => ({
          first: silence(),
          second: silence(),
          ...(change.x && { x: silence() }),
        })}
        onVote={(vote) => votes.push(vote)}
        onGone={() => {}}
      />
    </Speaking>,
  );
  await vi.waitUntil(() => document.querySelector("[data-testid=play]"), { timeout: 30_000 });
}

/** The page is loaded again: what it is told before it goes is all that it may use. */
async function reload(change: Partial<HeardTrial> = {}): Promise<void> {
  dispatchEvent(new PageTransitionEvent("pagehide"));
  const kept = sessionStorage.getItem("thinlab.trial") ?? "{}";
  shown?.close();
  sessionStorage.setItem("thinlab.trial", kept);
  await open(change);
}

const one = (selector: string) => document.querySelector(selector) as HTMLElement;
const send = () => one("button[type=submit]") as HTMLButtonElement;
const radios = () => [...document.querySelectorAll<HTMLInputElement>("input[type=radio]")];
const button = (name: string) => page.getByRole("button", { name, exact: true });

async function hearBothInTurn(): Promise<void> {
  await userEvent.click(button("Play both"));
  await vi.waitUntil(() => !radios()[0]?.matches(":disabled"), { timeout: 30_000 });
}

for (const [name, scale] of Object.entries(SCALES)) {
  for (const playback of ["free", "in_turn"] as const) {
    test(`recordings, answers and Send on one screen: ${name}, ${playback}`, async () => {
      await open({ scale, playback });
      if (scale.kind === "preference" && scale.noticeable) {
        sessionStorage.setItem(
          "thinlab.trial",
          JSON.stringify({ of: "trial-trial-trial", chosen: { place: 0, noticeable: 1 } }),
        );
        shown?.close();
        await open({ scale, playback });
        expect(one("fieldset + fieldset")).not.toBeNull();
      }
      for (const part of ["h1", "main section", "main form", "button[type=submit]"]) {
        const { top, bottom } = one(part).getBoundingClientRect();
        expect(top, part).toBeGreaterThanOrEqual(0);
        expect(bottom, part).toBeLessThanOrEqual(innerHeight);
      }
    });
  }
}

for (const width of [1280, 390]) {
  for (const playback of ["free", "in_turn"] as const) {
    test(`A, B and X are beside each other: ${width}, ${playback}`, async () => {
      await page.viewport(width, 800);
      await open({ ...withX, playback });
      const members = ["A", "B", "X"].map((name) =>
        page.getByText(name, { exact: true }).first().element().getBoundingClientRect(),
      );
      expect(new Set(members.map(({ top }) => Math.round(top))).size).toBe(1);
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
      for (const part of ["main section", "main form"]) {
        const { left, right } = one(part).getBoundingClientRect();
        expect(left, part).toBeGreaterThanOrEqual(0);
        expect(right, part).toBeLessThanOrEqual(width);
      }
    });
  }
}

test("X is heard by its key, asked for like the two, and told with the vote", async () => {
  await open({ ...withX, must_hear_share: 0.5 });
  const gate = () => one("main form").textContent ?? "";
  expect(gate()).toContain("So far: A 0 s, B 0 s, X 0 s.");
  await userEvent.click(page.getByRole("checkbox", { name: "Repeat" }));
  for (const [key, told] of [
    ["1", "A 1 s"],
    ["2", "B 1 s"],
  ] as const) {
    await userEvent.keyboard(key);
    await vi.waitUntil(() => gate().includes(told), { timeout: 30_000 });
  }
  expect(radios()[0]?.matches(":disabled")).toBe(true);
  await userEvent.keyboard("3");
  expect(button("X").element().getAttribute("aria-pressed")).toBe("true");
  await vi.waitUntil(() => !radios()[0]?.matches(":disabled"), { timeout: 30_000 });
  await userEvent.keyboard("b");
  await userEvent.click(send());
  const account = votes[0]?.account as HeardAccount;
  expect(votes[0]?.choice).toBe("second");
  expect(account.plays_x).toBe(0);
  expect(account.covered_x?.length).toBeGreaterThan(0);
});

test("in turn, all three are heard to their ends before an answer", async () => {
  await open({ ...withX, playback: "in_turn" });
  expect(one("main form").textContent).toContain("Hear all three to the end to answer.");
  await userEvent.click(button("Play all three"));
  await vi.waitUntil(() => !radios()[0]?.matches(":disabled"), { timeout: 30_000 });
  await userEvent.keyboard("a");
  await userEvent.click(send());
  expect(votes[0]).toMatchObject({
    choice: "first",
    account: { plays_first: 1, plays_second: 1, plays_x: 1, played_first: "first" },
  });
  const actions = votes[0]?.events?.map(({ action, member }) => `${action} ${member}`);
  expect(actions).toEqual([
    "play first",
    "ended first",
    "play second",
    "ended second",
    "play x",
    "ended x",
  ]);
});

test("a reference is called so, and comes first", async () => {
  await open({ scale: SCALES.dcr as HeardTrial["scale"], playback: "in_turn" });
  const names = [...document.querySelectorAll("main section ol > li")].map(
    (item) => item.textContent,
  );
  expect(names[0]).toContain("Reference");
  expect(names[1]).toContain("Recording");
  await hearBothInTurn();
  await userEvent.keyboard("2");
  await userEvent.click(send());
  expect(votes[0]).toMatchObject({ score: 2, account: { plays_x: null, covered_x: null } });
});

test("how far one is can be seen where the reader's colours replace ours", async () => {
  await cdp().send("Emulation.setEmulatedMedia", {
    features: [{ name: "forced-colors", value: "active" }],
  });
  await open();
  const ground = (selector: string) => getComputedStyle(one(selector)).backgroundColor;
  const steps = ["first-child", "nth-child(2)", "last-child"];
  const [done, now, left] = steps.map((at) => ground(`[data-testid=steps] > :${at}`));
  expect(new Set([done, now, left]).size).toBe(3);
  expect(ground("button [aria-hidden=true] > span")).not.toBe(
    ground("button span[aria-hidden=true]"),
  );
});

test("an answer is chosen by its key, which is no part of its name", async () => {
  await open({ playback: "in_turn" });
  await hearBothInTurn();
  await userEvent.keyboard("n");
  const chosen = page.getByRole("radio", { name: "No difference", exact: true });
  expect((chosen.element() as HTMLInputElement).checked).toBe(true);
  expect(send().disabled).toBe(false);
});

test("what was heard and chosen is still there after a reload", async () => {
  await open({ playback: "in_turn" });
  await hearBothInTurn();
  await userEvent.click(page.getByText("No difference"));
  await reload({ playback: "in_turn" });
  expect(radios().map(({ checked }) => checked)).toEqual([false, false, true]);
  expect(button("Play again").query()).not.toBeNull();
  await userEvent.click(send());
  expect(votes).toMatchObject([
    {
      choice: "no_difference",
      account: { medium: "heard", plays_first: 1, plays_second: 1, played_first: "first" },
    },
  ]);
  const actions = votes[0]?.events?.map(({ action, member }) => `${action} ${member}`);
  expect(actions).toEqual(["play first", "ended first", "play second", "ended second"]);
});

test("who reloads while it plays freely goes on where it stopped, with what was heard", async () => {
  await open();
  await userEvent.click(page.getByRole("checkbox", { name: "Repeat" }));
  await userEvent.click(button("Second"));
  const heard = (member: number) =>
    one(`[role=group] > :nth-child(${member}) [aria-hidden=true] > span`).style.transform;
  await vi.waitUntil(() => heard(2) === "scaleX(1)", { timeout: 30_000 });
  await reload();
  expect(one("[role=group] > :nth-child(2)").getAttribute("aria-pressed")).toBe("true");
  expect([heard(1), heard(2)]).toEqual(["scaleX(0)", "scaleX(1)"]);
  expect(button("Play").query()).not.toBeNull();
  expect(radios()[0]?.matches(":disabled")).toBe(true);
  await userEvent.click(button("First"));
  await vi.waitUntil(() => !radios()[0]?.matches(":disabled"), { timeout: 30_000 });
});

test("a share of each is asked for in plain words, and the vote says which parts were heard", async () => {
  await open({ must_hear_share: 0.5 });
  const gate = () => one("main form").textContent ?? "";
  expect(gate()).toContain("Hear at least 1 of the 1 seconds of each to answer.");
  expect(gate()).toContain("What you hear again counts once. So far: first 0 s, second 0 s.");
  await userEvent.click(page.getByRole("checkbox", { name: "Repeat" }));
  await userEvent.click(button("First"));
  await vi.waitUntil(() => gate().includes("first 1 s"), { timeout: 30_000 });
  await userEvent.click(button("Second"));
  await vi.waitUntil(() => !radios()[0]?.matches(":disabled"), { timeout: 30_000 });
  await userEvent.click(page.getByText("No difference"));
  await userEvent.click(send());
  const account = votes[0]?.account as HeardAccount;
  for (const parts of [account.covered_first, account.covered_second]) {
    const ms = (parts ?? []).reduce((sum, { from_ms, to_ms }) => sum + to_ms - from_ms, 0);
    expect(ms).toBeGreaterThanOrEqual(150);
    expect(ms).toBeLessThanOrEqual(1000 * SECONDS);
  }
});

test("a share of nothing can be answered at once", async () => {
  await open({ must_hear_share: 0 });
  expect(radios()[0]?.matches(":disabled")).toBe(false);
});

test("another trial begins with nothing heard or chosen, and so does one whose answer was refused", async () => {
  await open({ playback: "in_turn" });
  await hearBothInTurn();
  await userEvent.click(page.getByText("The first", { exact: true }));
  await reload({ playback: "in_turn", trial_token: "next-next-next" });
  expect(radios().some(({ checked }) => checked)).toBe(false);
  expect(send().disabled).toBe(true);
  await hearBothInTurn();
  await userEvent.click(page.getByText("The first", { exact: true }));
  await userEvent.click(send());
  await reload({ playback: "in_turn", trial_token: "next-next-next" });
  expect(radios().some(({ checked }) => checked)).toBe(false);
  expect(button("Play both").query()).not.toBeNull();
});
