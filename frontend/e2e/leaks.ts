// What a record of a session gives away: condition words anywhere, and any
// difference between the members of a pair or between kinds of trial.
// SPDX-License-Identifier: Apache-2.0
import type { HeardTrial, TypedTrial } from "../src/api/generated.ts";
import english from "../src/language/texts/en.ts";
import type { Item, Receipt, Sent, SessionRecord } from "./record.ts";
import type { Secrets } from "./secrets.ts";

/** Words of conditions and measurements, whatever the study. As substrings, in any case. */
const VOCABULARY = [
  "linear_timeouts",
  "linear timeouts",
  "linear-timeouts",
  "early_fast",
  "fast_retransmit",
  "retransmi",
  "bundling",
  "window_floor",
  "window floor",
  "window-floor",
  "early_probe",
  "early probe",
  "early-probe",
  "tail_copy",
  "tail copy",
  "write_recovery",
  "write recovery",
  "tail-copy",
  "short_min_rto",
  "rto_restart",
  "immediate_sack",
  "all_of_sctp",
  "all of sctp",
  "tcp_lite",
  "tcp lite",
  "tcp-lite",
  "header_checksum",
  "header checksum",
  "lksctp",
  "usrsctp",
  "udp_lite",
  "udp-lite",
  "mechanism",
  "newreno",
  "netem",
  "mnru",
  "low_pass",
  "modulated",
  "unprocessed",
  "gilbert",
  "bit_errors",
  "bit errors",
  "loss_share",
  "rtt_ms",
  "conceal",
  "latency_us",
  "pcapng",
  "linear_retrans",
  "degrad",
  "trapping",
  "gold_wrong",
  "at_least",
] as const;

/** Short ones count as whole words only: as substrings they are in "offset", "start to". */
const SHORT = ["off", "bbr", "rdb", "rtt", "rto", "gold", "trap"] as const;

const TOKEN = /[\w-]{20,}/g;
/** Chance brings shorter words into 27 letters out of 64. */
const LEAST_LETTERS_IN_TOKENS = 7;
const LEAST_LETTERS_DECODED = 5;

/** Names of browsers, protocols and our own messages that hold a word by chance. */
const NOT_OURS =
  /cache-control|controls|same-origin|last-modified|preference|auto(?:complete|correct|capitalize)="off"|maxretransmits|unprocesseddeadkey/g;
/** Of a recording's answer, which would tell files apart or name them. */
const TELLING = /^(etag|last-modified|content-disposition|server-timing|age|via|x-.*)$/;
const HARMLESS = ["x-content-type-options"];

/** The participant is told of their own network: in the check's verdict, which the page reads. */
const VERDICT = /"type":"verdict","rtt_ms":[\d.]+,/g;
const OWN_NETWORK = /\bsrtt_ms\b|\b\w+\.rtt_ms\b/g;

/** Where the words stand in what the browser got. */
export function wordLeaks(record: SessionRecord, secrets: Secrets): string[] {
  const known = [...record.prose, ...PAGE_PROSE, secrets.slug]
    .map((text) => text.toLowerCase())
    .sort((one, other) => other.length - one.length);
  return record.items.flatMap((item) => {
    const named = (word: string) => `"${word}" in ${item.where}`;
    return [...wordsIn(item, secrets, known), ...hiddenIn(item, secrets)].map(named);
  });
}

/** The page's own texts, cut at their places; shorter pieces would cut words apart. */
const PAGE_PROSE = Object.values(english)
  .flatMap((text) => text.split(/\{\w+\}/))
  .filter((piece) => piece.length > 8);

function wordsIn({ kind, text }: Item, secrets: Secrets, known: readonly string[]): string[] {
  const all = text.toLowerCase();
  const whole = kind === "script" ? all.replaceAll(OWN_NETWORK, "").replaceAll(NOT_OURS, "") : all;
  // A script speaks English and is the same for every participant and trial: of a
  // study's words it can only hold by purpose those that are no English.
  if (kind === "script") {
    const names = secrets.words.filter((word) => /[a-z][-_]\w/.test(word));
    return [...VOCABULARY, ...names].filter((word) => whole.includes(word));
  }
  let rest = whole.replaceAll(NOT_OURS, "").replaceAll(VERDICT, "");
  for (const prose of known) rest = rest.replaceAll(prose, "");
  const open = rest.replaceAll(TOKEN, "");
  const isWord = (word: string) => new RegExp(`(?<![a-z0-9])${word}(?![a-z0-9])`).test(open);
  return [
    ...[...VOCABULARY, ...secrets.words].filter(
      (word) =>
        open.includes(word) || (word.length >= LEAST_LETTERS_IN_TOKENS && rest.includes(word)),
    ),
    ...SHORT.filter(isWord),
    ...secrets.values.filter((value) => kind === "message" && open.includes(`"${value}"`)),
  ];
}

/** A token may be a word in disguise: base64, or hexadecimal digits. */
function hiddenIn({ text }: Item, secrets: Secrets): string[] {
  const words = [...VOCABULARY, ...secrets.words].filter(
    ({ length }) => length >= LEAST_LETTERS_DECODED,
  );
  const decoded = (text.match(/[\w+/-]{8,}/g) ?? []).flatMap((token) => [
    // A word may begin anywhere in what was encoded.
    ...[0, 1, 2, 3].map((start) => Buffer.from(token.slice(start), "base64").toString("latin1")),
    /^[0-9a-f]+$/i.test(token) ? Buffer.from(token, "hex").toString("latin1") : "",
  ]);
  const plain = decoded.join("\n").toLowerCase();
  return words.filter((word) => plain.includes(word)).map((word) => `${word}, encoded`);
}

/** How the members of a trial can be told apart without listening. */
export function memberLeaks({ trials, sent }: SessionRecord): string[] {
  return inOrder(trials).flatMap((trial) => {
    const [one, ...others] = handlesOf(trial).map(({ recording_token }) =>
      told(sent.get(recording_token)),
    );
    return others.flatMap((other) =>
      differences(`trial ${trial.position}: its members`, one, other),
    );
  });
}

/** What a trial presents, in the order in which the page asks for it. */
const handlesOf = ({ first, second, x, others = [] }: HeardTrial) =>
  [first, second, ...others, x].filter((handle) => handle !== null);

const told = (sent: Sent | undefined) => sent && { ...sent, recording_token: null };

/** How one kind of trial can be told from another. */
export function trialLeaks(record: SessionRecord): string[] {
  return [
    ...orderLeaks(record),
    ...recordingLeaks(record),
    ...receiptLeaks(record.receipts),
    ...segments(record).flatMap((trials) => [
      ...messageLeaks(trials),
      ...lookLeaks(record, trials),
    ]),
  ];
}

const inOrder = (trials: ReadonlyMap<number, HeardTrial>): HeardTrial[] =>
  [...trials.values()].sort((one, other) => one.position - other.position);

/** Trials that a participant takes for one kind, in their order. */
export function segments({ trials }: SessionRecord): HeardTrial[][] {
  const looks = ({ training, playback, scale }: HeardTrial) =>
    JSON.stringify([training, playback, scale]);
  const found: HeardTrial[][] = [];
  for (const trial of inOrder(trials)) {
    const last = found.at(-1);
    if (last?.[0] && looks(last[0]) === looks(trial)) last.push(trial);
    else found.push([trial]);
  }
  return found;
}

/** The first before the second, once each, trial after trial. */
function orderLeaks({ trials, asked }: SessionRecord): string[] {
  const expected = inOrder(trials).flatMap((trial) =>
    handlesOf(trial).map(({ recording_token }) => recording_token),
  );
  const wrong = expected.findIndex((token, place) => asked[place] !== token);
  if (wrong >= 0) return [`the ${wrong + 1}. recording was not asked for in its turn`];
  return asked.length > expected.length ? ["a recording was asked for again"] : [];
}

/** Recordings of all trials differ in length and nothing else. */
function recordingLeaks({ trials, sent }: SessionRecord): string[] {
  const all = inOrder(trials)
    .flatMap(handlesOf)
    .map(({ recording_token }) => {
      const { header_names, headers, tail_bytes } = sent.get(recording_token) ?? {};
      return { header_names, headers, tail_bytes };
    });
  const telling = all.flatMap(({ headers }) =>
    Object.keys(headers ?? {})
      .filter((name) => TELLING.test(name) && !HARMLESS.includes(name))
      .map((name) => `recordings: the header ${name}`),
  );
  return [...telling, ...all.flatMap((one) => differences("recordings", all[0], one))];
}

export const receiptLeaks = (receipts: readonly Receipt[]) =>
  receipts.flatMap((one) => differences("receipts", receipts[0], one));

/** What differs between any two trials, and may: where it stands, and how long its clip is. */
export function messageLeaks(trials: readonly (HeardTrial | TypedTrial)[]): string[] {
  const described = trials.map((trial) =>
    Object.entries(trial).map(([key, value]) => {
      if (/token|position|introduction|break_before|duration_ms/.test(key)) return [key, "·"];
      if (["first", "second", "x"].includes(key)) return [key, value && Object.keys(value)];
      if (key === "others") return [key, (value as object[]).map(Object.keys)];
      return [key, value];
    }),
  );
  return described.flatMap((one, index) =>
    differences(`trial ${trials[index]?.position}: message`, described[0], one),
  );
}

/** The page's tree at each moment of a trial, with numbers and tokens taken out. */
export function lookLeaks(
  { shown }: SessionRecord,
  trials: readonly (HeardTrial | TypedTrial)[],
): string[] {
  const positions = trials.map(({ position }) => position);
  const here = shown.filter(({ position }) => positions.includes(position));
  return here.flatMap(({ position, moment, html }) => {
    const model = here.find((other) => other.moment === moment)?.html ?? "";
    return differences(`trial ${position}: look, ${moment}`, shape(model), shape(html));
  });
}

const shape = (html: string): string[] =>
  html
    // How far somebody is in the study, as dashes or a bar.
    .replaceAll(/<div [^>]*data-testid="steps".*?<\/div>/g, "")
    .replaceAll(TOKEN, "·")
    .replaceAll(/_r_[0-9a-z]+_/g, "·")
    .replaceAll(/\d+([.:]\d+)*/g, "#")
    .split(/(?=<)/);

export function differences(what: string, one: unknown, other: unknown): string[] {
  const [left, right] = [lines(one), lines(other)];
  const longer = left.length > right.length ? left : right;
  return longer.flatMap((_, line) =>
    left[line] === right[line] ? [] : [`${what}: ${left[line]} ≠ ${right[line]}`],
  );
}

const lines = (value: unknown): string[] =>
  Array.isArray(value) && value.every((line) => typeof line === "string")
    ? value
    : (JSON.stringify(value, null, 1) ?? "nothing").split("\n");
