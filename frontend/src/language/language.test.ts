// Every language says everything, fills every place, and is found when asked for.
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from "vitest";
import { negotiate } from "./negotiate";
import english from "./texts/en";
import norwegian from "./texts/nb";
import { speaker, type Texts, translation } from "./translation";

const files = import.meta.glob<Texts>("./texts/*.ts", { import: "default", eager: true });
const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

describe.each(Object.entries(files))("%s", (_, texts) => {
  test("says everything, with the same places to fill", () => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort());
    for (const [key, text] of Object.entries(english)) {
      expect(places(texts[key as keyof Texts]), key).toEqual(places(text));
    }
  });

  test("has a key of its own for each answer, and none that plays", () => {
    const keys = (["first", "second", "no_difference"] as const).map(
      (name) => texts[`key.${name}`],
    );
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) expect(key).toMatch(/^[A-Z]$/);
    expect(keys).not.toContain("L");
  });
});

test("a language that lacks a text or a place does not compile", () => {
  const { again: _, ...lacking } = norwegian;
  // @ts-expect-error: a key is missing
  translation(lacking);
  // @ts-expect-error: the title has no place
  translation({ ...english, "closed.text": "Closed." });
  // @ts-expect-error: the place has another name
  translation({ ...english, "closed.text": "{name} is closed." });
});

test("places are filled, numbers as the language writes them", () => {
  const say = speaker(norwegian, "nb");
  expect(say("trial.title", { position: 3, total: 12 })).toBe("Oppgave 3 av 12");
  expect(say("questions.range", { minimum: 0, maximum: 1_234.5 })).toBe(
    "Et helt tall fra 0 til 1\u00a0234,5.",
  );
});

test("what is asked for is found: exactly, by kinship, else the first offered", () => {
  expect(negotiate(["nb", "en"], ["en", "nb"])).toBe("nb");
  expect(negotiate(["no-NO"], ["en", "nb"])).toBe("nb");
  expect(negotiate(["nn"], ["en", "nb"])).toBe("nb");
  expect(negotiate(["en-GB", "nb"], ["nb", "en"])).toBe("en");
  expect(negotiate(["fi", "sv"], ["en", "nb"])).toBe("en");
  expect(negotiate([], ["nb", "en"])).toBe("nb");
});
