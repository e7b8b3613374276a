// A listener who takes any study in English from its address to its end, as a
// person would: by what the page shows.
// SPDX-License-Identifier: Apache-2.0
import { expect, type Page } from "@playwright/test";
import type { HeardTrial } from "../src/api/generated.ts";
import english from "../src/language/texts/en.ts";
import { stack } from "./stack.ts";

/** Where the listener is when the page stands still. */
export type Moment =
  | "consent"
  | "sound"
  | "headphones"
  | "round"
  | "questions"
  | "introduction"
  | "rest"
  | "trial"
  | "heard"
  | "chosen"
  | "thanks";

export interface Manner {
  readonly slug: string;
  /** Instead of the stack's. */
  readonly server?: string;
  /** Behind the slug in the address: `?preview`, `#i=…`. */
  readonly suffix?: string;
  /** Which answer, counted from the first one shown, once all was heard. */
  readonly choose?: (trial: HeardTrial) => number;
  /** Whether to do the headphone test where it may be left out. */
  readonly doesHeadphoneTest?: boolean;
  readonly onMoment?: (page: Page, moment: Moment, trial: HeardTrial | null) => Promise<void>;
}

type Text = keyof typeof english;

/** What a text with places looks like once they are filled. */
function pattern(text: Text): RegExp {
  const parts = english[text].split(/\{\w+\}/);
  const literal = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${literal.join("(.+)")}$`);
}

const HEADINGS: readonly (readonly [Text, Moment | "passing"])[] = [
  ["loading.title", "passing"],
  ["sending.title", "passing"],
  ["waiting.title", "passing"],
  ["sound.title", "sound"],
  ["headphones.title", "headphones"],
  ["headphones.round", "round"],
  ["questions.before", "questions"],
  ["questions.after", "questions"],
  ["introduction.training", "introduction"],
  ["introduction.title", "introduction"],
  ["rest.title", "rest"],
  ["trial.title", "trial"],
  ["thanks.title", "thanks"],
];

function momentOf(heading: string): Moment | "passing" {
  const found = HEADINGS.find(([text]) => pattern(text).test(heading));
  if (!found) throw new Error(`The listener does not know the page “${heading}”.`);
  return found[1];
}

const button = (page: Page, text: Text) =>
  page.getByRole("button", { name: english[text], exact: true });

/** Members' buttons, and what the page says when each was heard enough. */
const IN_ORDER = [
  ["player.first", /at least (\d+) of.* first \1 s/],
  ["player.second", /at least (\d+) of.* second \1 s/],
] as const;
const WITH_X = [
  ["player.a", /at least (\d+) of.* A \1 s/],
  ["player.b", /at least (\d+) of.* B \1 s/],
  ["player.x", /at least (\d+) of.* X \1 s/],
] as const;

export class Listener {
  readonly #page: Page;
  readonly #manner: Manner;
  readonly #trials = new Map<number, HeardTrial>();

  private constructor(page: Page, manner: Manner) {
    this.#page = page;
    this.#manner = manner;
    page.on("response", async (response) => {
      if (new URL(response.url()).pathname !== "/api/participation/trials") return;
      if (!response.ok()) return;
      // A page that its test has closed takes the answer with it; whoever misses a trial says so.
      const answer = await response.json().catch(() => null);
      const { trials = [] } = (answer ?? {}) as { trials?: HeardTrial[] };
      for (const trial of trials) this.#trials.set(trial.position, trial);
    });
  }

  static async at(page: Page, manner: Manner): Promise<Listener> {
    await page.addInitScript(noteTones);
    const listener = new Listener(page, manner);
    const server = manner.server ?? stack().url;
    await page.goto(`${server}/s/${manner.slug}${manner.suffix ?? ""}`);
    await button(page, "consent.begin").waitFor();
    return listener;
  }

  /** Those that the server has opened so far. */
  get trials(): HeardTrial[] {
    return [...this.#trials.values()];
  }

  async consent(): Promise<void> {
    await this.#tell("consent", null);
    await this.#page.getByRole("checkbox", { name: english["consent.agree"] }).check();
    await this.#leave(() => button(this.#page, "consent.begin").click());
  }

  /** Goes on until the given moment, which is told but not left, or to the end. */
  async goOn(until: Moment = "thanks", enough: (trial: HeardTrial) => boolean = () => true) {
    for (;;) {
      const heading = await this.#heading();
      const moment = momentOf(heading);
      if (moment === "passing") {
        await this.#left(heading);
        continue;
      }
      const trial = moment === "trial" ? await this.#trialOf(heading) : null;
      if (trial) await this.#page.getByTestId("play").waitFor();
      await this.#tell(moment, trial);
      if (moment === until && (trial === null || enough(trial))) return;
      if (moment === "thanks") throw new Error(`The study ended before ${until}.`);
      await this.#pass(moment, trial);
    }
  }

  async takePart(): Promise<string> {
    await this.consent();
    await this.goOn();
    const code = await this.#page.getByTestId("code").first().textContent();
    return code?.trim() ?? "";
  }

  /** All recordings, or the one, as far as an answer needs. */
  async hear(trial: HeardTrial): Promise<void> {
    const page = this.#page;
    const open = page.getByText(english["gate.open"]);
    if (trial.scale.kind === "mushra") return this.#hearPage(trial);
    if (trial.playback === "in_turn" || !trial.second) {
      await page.getByTestId("play").click();
    } else {
      // Else a short recording may end while it is being listened to.
      await page.getByRole("checkbox", { name: english["loop.repeat"] }).check();
      const [last, ...before] = (trial.x ? WITH_X : IN_ORDER).toReversed();
      for (const [name, enough] of before.toReversed()) {
        await button(page, name).click();
        await expect(open.or(page.getByText(enough))).toBeVisible();
      }
      if (last) await button(page, last[0]).click();
    }
    // The longest clip lasts 48 s.
    await expect(open).toBeVisible({ timeout: 120_000 });
  }

  /** The reference and every sound, each until it counts as heard. */
  async #hearPage({ others = [] }: HeardTrial): Promise<void> {
    const page = this.#page;
    const heard = (number: number) =>
      page.getByText(pattern("gate.rate")).or(page.getByText(`: ${number} of `));
    await page.getByRole("checkbox", { name: english["loop.repeat"] }).check();
    const sounds = others.map((_, place) => `Sound ${place + 2}`);
    const names = [english["player.reference"], "Sound 1", ...sounds];
    for (const [place, name] of names.entries()) {
      await page.getByRole("button", { name, exact: true }).click();
      await expect(heard(place + 1)).toBeVisible({ timeout: 120_000 });
    }
  }

  /** Scores that differ, and the same on every page: what is shown of them is no leak. */
  async #ratePage({ others = [] }: HeardTrial): Promise<void> {
    for (const place of [0, ...others.map((_, other) => other + 1)]) {
      await this.#page
        .getByTestId("score")
        .nth(place)
        .fill(`${(17 * (place + 1)) % 101}`);
    }
  }

  async choose(trial: HeardTrial): Promise<void> {
    const place = this.#manner.choose?.(trial) ?? 0;
    if (trial.scale.kind === "mushra") {
      await this.#ratePage(trial);
      return this.#tell("chosen", trial);
    }
    await this.#page.getByTestId("choice").nth(place).click();
    await this.#tell("chosen", trial);
  }

  send(): Promise<void> {
    return this.#leave(() => button(this.#page, "answer.send").click());
  }

  async #pass(moment: Moment, trial: HeardTrial | null): Promise<void> {
    const page = this.#page;
    switch (moment) {
      case "sound":
        await button(page, "sound.play").click();
        await button(page, "sound.stop").waitFor();
        await page.getByRole("checkbox", { name: english["sound.heard"] }).check();
        return this.#leave(() => button(page, "go.on").click());
      case "headphones":
        if (await this.#skipsHeadphoneTest()) {
          return this.#leave(() => button(page, "headphones.none").click());
        }
        return this.#leave(() => button(page, "headphones.begin").click());
      case "round":
        return this.#findTone();
      case "questions":
        await this.#answerQuestions();
        return this.#leave(() => button(page, "go.on").click());
      case "introduction":
        return this.#leave(() => button(page, "introduction.begin").click());
      case "rest":
        return this.#leave(() => button(page, "go.on").click());
    }
    if (!trial) throw new Error(`Nothing is to be done at ${moment}.`);
    await this.hear(trial);
    await this.#tell("heard", trial);
    await this.choose(trial);
    await this.send();
  }

  async #skipsHeadphoneTest(): Promise<boolean> {
    if (this.#manner.doesHeadphoneTest) return false;
    return !(await this.#page.getByText(english["headphones.why.required"]).isVisible());
  }

  async #findTone(): Promise<void> {
    const page = this.#page;
    await button(page, "headphones.play.huggins").click();
    await expect(page.locator("fieldset")).toBeEnabled();
    const tone = await page.evaluate(() => window.tonesHeard?.slice(-3).indexOf(true) ?? -1);
    await page.getByTestId("choice").nth(tone).click();
    await this.#leave(() => button(page, "headphones.confirm").click());
  }

  async #answerQuestions(): Promise<void> {
    const page = this.#page;
    for (const question of await page.locator("form fieldset").all()) {
      await question.getByTestId("choice").first().click();
    }
    for (const field of await page
      .locator("form :is(textarea, input:not([type=radio], [type=checkbox]))")
      .all()) {
      const isNumber = (await field.getAttribute("inputmode")) === "numeric";
      await field.fill(isNumber ? "30" : "Nothing to remark.");
    }
  }

  async #trialOf(heading: string): Promise<HeardTrial> {
    const position = Number(pattern("trial.title").exec(heading)?.[1]);
    // The page reads the server's answer before the driver tells of it: on a busy machine, long before.
    const missing = `Trial ${position} is shown, and the server has not opened it.`;
    await expect.poll(() => this.#trials.has(position), missing).toBe(true);
    const trial = this.#trials.get(position);
    if (!trial) throw new Error(missing);
    return trial;
  }

  async #heading(): Promise<string> {
    return (await this.#page.locator("h1").textContent()) ?? "";
  }

  async #leave(act: () => Promise<void>): Promise<void> {
    const heading = await this.#heading();
    await act();
    await this.#left(heading);
  }

  async #left(heading: string): Promise<void> {
    await expect(this.#page.locator("h1")).not.toHaveText(heading);
  }

  async #tell(moment: Moment, trial: HeardTrial | null): Promise<void> {
    await this.#manner.onMoment?.(this.#page, moment, trial);
  }
}

declare global {
  interface Window {
    /** Of each sound of two channels that was started: whether the ears differ. */
    tonesHeard?: boolean[];
  }
}

/** Ears for a page without any: the headphone test's tone is where left and right differ. */
function noteTones(): void {
  const tones: boolean[] = [];
  window.tonesHeard = tones;
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (when = 0, ...part) {
    if (this.buffer?.numberOfChannels === 2) {
      const { sampleRate } = this.buffer;
      const [from, to] = [part[0] ?? 0, (part[0] ?? 0) + (part[1] ?? this.buffer.duration)];
      const [left, right] = [0, 1].map((ear) =>
        this.buffer?.getChannelData(ear).slice(from * sampleRate, to * sampleRate),
      );
      tones.push(left?.some((sample, index) => sample !== right?.[index]) ?? false);
    }
    return start.apply(this, [when, ...part] as [number]);
  };
}
