// Forms to answers: what is left out, what fits.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { answerTo, isFitting } from "./given";

const asked = { required: false, several: false, minimum: null, maximum: null } as const;
const age = { ...asked, kind: "number", minimum: 18, maximum: 99 } as const;
const words = { ...asked, kind: "text" } as const;
const several = { ...asked, kind: "choice", several: true } as const;

test("numbers are whole and within their range", () => {
  expect(answerTo(age, " 42 ")).toBe(42);
  expect(isFitting(age, "42")).toBe(true);
  for (const wrong of ["17", "100", "42.5", "forty"]) expect(isFitting(age, wrong)).toBe(false);
});

test("what is left out is null, and fits where no answer is needed", () => {
  for (const [question, nothing] of [
    [age, ""],
    [words, "  "],
    [several, []],
    [several, undefined],
  ] as const) {
    const given = Array.isArray(nothing) ? [...nothing] : (nothing as string | undefined);
    expect(answerTo(question, given)).toBeNull();
    expect(isFitting(question, given)).toBe(true);
    expect(isFitting({ ...question, required: true }, given)).toBe(false);
  }
});

test("options are ids, several of them a list", () => {
  expect(answerTo({ ...several, several: false }, "often")).toBe("often");
  expect(answerTo(several, ["radio", "phone"])).toEqual(["radio", "phone"]);
});
