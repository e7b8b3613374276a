// What makes a file of words a whole language: every key of the English one,
// with the same places to fill. A file that lacks one does not compile.
// SPDX-License-Identifier: Apache-2.0
import type english from "./texts/en";

type English = typeof english;
export type Key = keyof English;
export type Texts = Readonly<Record<Key, string>>;

/** The names in braces. */
type Places<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Places<Rest>
  : never;

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Each text as it has to be: any that has the places of the English one. */
type Faithful<Given> = {
  readonly [K in Key]: K extends keyof Given
    ? Given[K] extends string
      ? Same<Places<Given[K]>, Places<English[K]>> extends true
        ? Given[K]
        : `needs the places of: ${English[K]}`
      : string
    : string;
};

/** Declares a language; the compiler compares it with the English one. */
export function translation<const Given extends Readonly<Record<Key, string>>>(
  texts: Given & Faithful<Given>,
): Texts {
  return texts;
}

/** What a text wants to be told; nothing when it has no places. */
export type Fillings<K extends Key> = [Places<English[K]>] extends [never]
  ? []
  : [{ readonly [Name in Places<English[K]>]: string | number }];

export type Say = <K extends Key>(key: K, ...fillings: Fillings<K>) => string;

/** Speaks with these words; numbers as the language writes them. */
export function speaker(texts: Texts, language: string): Say {
  const numbers = new Intl.NumberFormat(language);
  return (key, ...[fillings = {}]) => {
    const values: Readonly<Record<string, string | number>> = fillings;
    return texts[key].replaceAll(/\{(\w+)\}/g, (place, name: string) => {
      const value = values[name];
      return typeof value === "number" ? numbers.format(value) : (value ?? place);
    });
  };
}

/** For a place in a text, where each language writes the number in its own way. */
export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
