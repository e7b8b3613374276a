// How far the typist is, from screens as editors draw them.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { copied, corrected, held, shareCopied } from "./progress";

const NANO = "  GNU nano 7.2                  text";
const lines = ["The quick brown fox", "jumps over the lazy dog."];

test("nothing is typed on an empty screen", () => {
  const progress = copied({ lines }, [NANO, "", "", ""]);
  expect(progress.map(({ typed, done }) => [typed, done])).toEqual([
    [0, false],
    [0, false],
  ]);
  expect(shareCopied(lines, progress)).toBe(0);
});

test("a line that has begun, one with a slip, one that is whole", () => {
  expect(copied({ lines }, [NANO, "The qui"])[0]).toEqual({ typed: 7, wrong: false, done: false });
  expect(copied({ lines }, [NANO, "The qiu"])[0]).toEqual({ typed: 5, wrong: true, done: false });
  const whole = copied({ lines }, [NANO, lines[0] ?? "", "jumps"]);
  expect(whole.map(({ typed, done }) => [typed, done])).toEqual([
    [19, true],
    [5, false],
  ]);
});

test("the same line twice has to be typed twice", () => {
  const twice = ["again", "again"];
  expect(copied({ lines: twice }, ["again"]).map(({ done }) => done)).toEqual([true, false]);
  expect(copied({ lines: twice }, ["again", "again"]).map(({ done }) => done)).toEqual([
    true,
    true,
  ]);
});

const spans = [
  [
    { text: "The ", right: null },
    { text: "qiuck", right: "quick" },
    { text: " brown ", right: null },
    { text: "fxo", right: "fox" },
  ],
  [{ text: "It sleeps.", right: null }],
];

test("each mistake by itself, whatever the other is", () => {
  expect(corrected({ lines: spans }, [NANO, "The qiuck brown fxo", "It sleeps."])).toEqual([
    [false, false],
    [],
  ]);
  expect(corrected({ lines: spans }, [NANO, "The quick brown fxo", "It sleeps."])).toEqual([
    [true, false],
    [],
  ]);
  expect(corrected({ lines: spans }, [NANO, "", "The quick brown fox"])).toEqual([
    [true, true],
    [],
  ]);
  expect(corrected({ lines: spans }, [NANO, "The q brown foxx"])).toEqual([[false, false], []]);
});

test("a line whose right words are gone has nothing corrected", () => {
  expect(corrected({ lines: spans }, [NANO, "quick fox"])).toEqual([[false, false], []]);
});

test("lines that a held key has filled, each above its mark", () => {
  const rows = [NANO, "xxxxxxx", "    ^", "xx", "    ^", "", "    ^", "zzzzz", "    ^"];
  expect(held({ key: "x" }, rows)).toBe(2);
});

test("Enter after a held line leaves what was filled, and the mark for the next", () => {
  const rows = [NANO, "xxxxx", "xxxxxx", "", "    ^", "", "    ^", "", "    ^", "^G Help"];
  expect(held({ key: "x" }, rows)).toBe(2);
});

test("a line that was held beyond the screen is filled, too", () => {
  expect(held({ key: "x" }, [NANO, "xxxxxxxx>", "    ^", "<xxx", "    ^"])).toBe(2);
});
