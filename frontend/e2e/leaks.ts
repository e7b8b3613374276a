// What a record of a session gives away: condition words anywhere, and any
// difference between the two members of a pair.
// SPDX-License-Identifier: Apache-2.0
import type { Overview } from "./desk.ts";
import type { Item, Member, SessionRecord } from "./record.ts";

/** Words of conditions and measurements, whatever the study. As substrings, in any case. */
const VOCABULARY = [
  "linear_timeouts",
  "linear timeouts",
  "linear-timeouts",
  "early_fast",
  "fast_retransmit",
  "retransmi",
  "bundling",
  "mechanism",
  "newreno",
  "netem",
  "gilbert",
  "loss_share",
  "rtt_ms",
  "conceal",
  "latency_us",
  "pcapng",
  "linear_retrans",
  "degrad",
] as const;

/** Short ones count as whole words only: as substrings they are in "offset", "start to". */
const SHORT = ["off", "bbr", "rdb", "rtt", "rto"] as const;

/** Words that this study has for what must not be told: conditions, clips, trials. */
export function wordsOf(study: Overview): string[] {
  const words = study.trials.flatMap((trial) => [
    trial.id,
    trial.kind,
    trial.clip,
    trial.clip_title,
    ...trial.recordings.flatMap(({ condition, host_build }) => [
      condition.name,
      condition.mode,
      condition.baseline,
      host_build,
    ]),
  ]);
  return [...new Set([...words, study.study_hash])].filter((word) => word.length > 3);
}

const TOKEN = /[\w-]{20,}/g;

/** Where the words stand in what the browser got. */
export function wordLeaks(record: SessionRecord, study: Overview): string[] {
  const own = wordsOf(study);
  return record.items.flatMap((item) => {
    const text = item.text.toLowerCase();
    // Scripts are the same for every participant and speak English; the study's
    // own prose is the same for every trial. Both may say "song", not "newreno".
    const words =
      item.kind === "script" || item.kind === "prose" ? VOCABULARY : [...VOCABULARY, ...own];
    const long = words.filter((word) => allowed(item, text, word.toLowerCase()));
    const short = SHORT.filter((word) => item.kind !== "script" && hasWord(text, word));
    return [...long, ...short, ...inTokens(item, words)].map(
      (word) => `"${word}" in ${item.where}`,
    );
  });
}

/** ARIA has attributes that are named like the kind of a trial. */
const MARKUP = /aria-controls|cache-control|controls/g;

function allowed(item: Item, text: string, word: string): boolean {
  return (item.kind === "page" ? text.replaceAll(MARKUP, "") : text).includes(word);
}

function hasWord(text: string, word: string): boolean {
  return new RegExp(`(?<![a-z0-9])${word}(?![a-z0-9])`).test(text.replaceAll(TOKEN, ""));
}

/** A token may be a word in disguise: base64, or hexadecimal digits. */
function inTokens(item: Item, words: readonly string[]): string[] {
  const decoded = (item.text.match(TOKEN) ?? []).flatMap((token) => [
    Buffer.from(token, "base64url").toString("latin1").toLowerCase(),
    /^[0-9a-f]+$/i.test(token) ? Buffer.from(token, "hex").toString("latin1").toLowerCase() : "",
  ]);
  return words.filter((word) => decoded.some((text) => text.includes(word.toLowerCase())));
}

/** How the two members of each pair can be told apart without listening. */
export function memberLeaks({ members, places }: SessionRecord): string[] {
  const leaks: string[] = [];
  for (let pair = 0; pair < members.length; pair += 2) {
    const [one, two] = [members[pair], members[pair + 1]];
    const name = `pair ${pair / 2 + 1}`;
    const seen = [one, two].map((member) => places.get(member?.recording_token ?? "")).sort();
    if (seen.join() !== "first,second") leaks.push(`${name}: fetched were ${seen}`);
    const [left, right] = [told(one), told(two)];
    for (let line = 0; line < Math.max(left.length, right.length); line++) {
      if (left[line] !== right[line]) leaks.push(`${name}: ${left[line]} ≠ ${right[line]}`);
    }
  }
  return leaks;
}

const told = (member: Member | undefined): string[] =>
  JSON.stringify({ ...member, recording_token: null }, null, 1).split("\n");
