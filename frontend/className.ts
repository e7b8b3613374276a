// What a class of a CSS module is called in the built pages.
// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { relative } from "node:path";

/** No vowel and no letter of "bbr", "rdb", "rtt", "rto", "off": six of these spell nothing that a
 * participant could read, nor a word that the tests for blinding search for. */
const LETTERS = "cghjklmnpqsvwxz";
const LENGTH = 6;

/** A name by file and class alone, so that every visitor is sent the same. */
export function className(name: string, file: string): string {
  const place = `${relative(import.meta.dirname, file.replace(/\?.*$/, ""))} ${name}`;
  const digest = createHash("sha256").update(place).digest();
  return [...digest.subarray(0, LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]).join("");
}
