// The words of each language, a file each in texts/, fetched when needed.
// A language is added by adding its file.
// SPDX-License-Identifier: Apache-2.0
import { negotiate } from "./negotiate";
import { type Say, speaker, type Texts } from "./translation";

const files = import.meta.glob<Texts>("./texts/*.ts", { import: "default" });

/** Tags of the languages that the page itself speaks; English is the one to fall back on. */
export const languages: readonly string[] = Object.keys(files)
  .map((path) => path.replace("./texts/", "").replace(".ts", ""))
  .sort((a, b) => Number(b === "en") - Number(a === "en"));

export interface Speech {
  /** Of the page's own words: another than the study's where the page does not speak that. */
  readonly language: string;
  readonly say: Say;
}

/** The words to speak with who reads `wanted`. Rejects when they cannot be fetched. */
export async function speech(wanted: string): Promise<Speech> {
  const language = negotiate([wanted], languages);
  const load = files[`./texts/${language}.ts`];
  if (!load) throw new Error(`There is no file of words for ${language}.`);
  return { language, say: speaker(await load(), language) };
}

/** What the reader's browser asks for, after what the address asks for. */
export function wishes(search: string = location.search): string[] {
  const asked = new URLSearchParams(search).get("language");
  return [...(asked ? [asked] : []), ...navigator.languages];
}
