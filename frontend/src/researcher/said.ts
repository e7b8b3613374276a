// Texts of a study in one of its languages.
// SPDX-License-Identifier: Apache-2.0

type LocalText = string | Readonly<Record<string, string>>;

/** The text in a language; a text of one language is the same in all. */
export const said = (text: LocalText, language: string): string =>
  typeof text === "string" ? text : (text[language] ?? Object.values(text)[0] ?? "");
