// What participants must not learn of a study, asked from the researcher's side;
// and the studies' recordings, ordered from there.
// SPDX-License-Identifier: Apache-2.0
import { expect, type Page } from "@playwright/test";
import { stack, until } from "./stack.ts";

export interface Secrets {
  readonly slug: string;
  readonly access: string;
  /** Whether a panel sends the participants. */
  readonly panel: boolean;
  /** To be found as substrings: names of conditions, clips, trials, kinds, modes, hashes. */
  readonly words: readonly string[];
  /** Too short for that: not to be the whole of a value. */
  readonly values: readonly string[];
  /** How many kinds of trial a participant can see, one after the other. */
  readonly kinds: number;
  readonly trials: number;
}

interface Block {
  readonly role: string;
  readonly playback: string;
  readonly scale: { readonly kind: string };
  /** Of a staircase: so many trials on each clip. */
  readonly adaptive: { readonly trials: number } | null;
  readonly trials: readonly { id: string; kind: string; clip?: string; task?: string }[];
}

interface Study {
  readonly study_hash: string;
  readonly definition: {
    readonly access: string;
    readonly panel: object | null;
    /** One that is sent, or a reference, which is not. */
    readonly conditions: Readonly<
      Record<string, { mode: string; baseline: string } | { reference: string }>
    >;
    readonly blocks: readonly Block[];
  };
}

/** Trials as who takes part counts them: a page of several sounds is one. */
const lengthOf = ({ adaptive, scale, trials }: Block): number => {
  const clips = new Set(trials.map(({ clip }) => clip)).size;
  if (adaptive) return adaptive.trials * clips;
  return scale.kind === "mushra" ? clips : trials.length;
};

const LEAST_LETTERS = 4;

const looks = ({ role, playback, scale }: Block) => JSON.stringify([role, playback, scale]);

async function asked<Answer>(desk: Page, path: string): Promise<Answer> {
  const answer = await desk.request.get(`${stack().url}/api/researcher/${path}`);
  expect(answer.status(), path).toBe(200);
  return (await answer.json()) as Answer;
}

export async function secretsOf(desk: Page, slug: string): Promise<Secrets> {
  const { study_hash, definition } = await asked<Study>(desk, `studies/${slug}`);
  const trials = definition.blocks.flatMap((block) => block.trials);
  const names = new Set([
    study_hash,
    ...Object.entries(definition.conditions).flatMap(([name, one]) =>
      "reference" in one ? [name, one.reference] : [name, one.mode, one.baseline],
    ),
    ...trials.flatMap(({ id, kind, clip }) => [id, kind, clip ?? ""]),
  ]);
  const words = [...names].filter(Boolean).map((name) => name.toLowerCase());
  return {
    slug,
    access: definition.access,
    panel: definition.panel !== null,
    words: words.filter(({ length }) => length >= LEAST_LETTERS),
    values: words.filter(({ length }) => length < LEAST_LETTERS),
    kinds: definition.blocks.filter((block, index) => {
      const before = definition.blocks[index - 1];
      return !before || looks(block) !== looks(before);
    }).length,
    trials: definition.blocks.reduce((sum, block) => sum + lengthOf(block), 0),
  };
}

async function order(desk: Page, slug: string): Promise<void> {
  const at = `${stack().url}/api/researcher/studies/${slug}/record`;
  const ordered = await desk.request.post(at, { headers: { Origin: stack().url } });
  expect(ordered.status(), slug).toBe(202);
}

async function open(desk: Page, slug: string): Promise<void> {
  await until(async () => {
    const answer = await desk.request.get(`${stack().url}/api/studies/${slug}`);
    return ((await answer.json()) as { state: string }).state !== "preparing";
  });
}

/** Of a study that need not be recorded yet. */
export async function recorded(desk: Page, slug: string): Promise<void> {
  await order(desk, slug);
  await open(desk, slug);
}

/** Every study to be heard that this server has, recorded. */
export async function recordedStudies(desk: Page): Promise<string[]> {
  const all = await asked<{ slug: string }[]>(desk, "studies");
  const slugs: string[] = [];
  for (const { slug } of all) {
    const { definition } = await asked<Study>(desk, `studies/${slug}`);
    if (definition.blocks.every(({ trials }) => trials.every(({ clip }) => clip))) slugs.push(slug);
  }
  for (const slug of slugs) await order(desk, slug);
  // One after the other, as they are recorded: to ask for all, over and over, keeps the server
  // busy that the recorder waits for.
  for (const slug of slugs) await open(desk, slug);
  return slugs;
}

/** What stands behind the address of a participant: an invitation or a panel's id, where one is
 * needed. */
export async function inviteTo(desk: Page, { slug, access, panel }: Secrets): Promise<string> {
  if (panel) return `?PROLIFIC_PID=${crypto.randomUUID()}`;
  if (access !== "invitation") return "";
  const answer = await desk.request.post(
    `${stack().url}/api/researcher/studies/${slug}/invitations`,
    { headers: { Origin: stack().url }, data: { count: 1, label: "blinding" } },
  );
  expect(answer.status()).toBe(201);
  const { paths } = (await answer.json()) as { paths: string[] };
  return (paths[0] ?? "").replace(`/s/${slug}`, "");
}
