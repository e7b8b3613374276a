// Every medium that the contract has is a kind of trial that the desk can show.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import type { Block, StudyDefinition } from "../../api/generated";
import type { Medium } from "./kind";
import { kindOf, kindOfBlock, kindsOf } from "./registry";

// One that the contract has and this lacks does not compile.
const MEDIA: Readonly<Record<Medium, true>> = { heard: true, typed: true };

const trial = { id: "one", kind: "control", condition: "plain", seed: 1 } as const;
const heard = { id: "heard", trials: [{ ...trial, clip: "speech", task: null }] } as Block;
const typed = { id: "typed", trials: [{ ...trial, clip: null, task: "copy" }] } as Block;
const studyOf = (...blocks: Block[]) => ({ definition: { blocks } as StudyDefinition });

test.each(Object.keys(MEDIA))("the desk shows trials that are %s", (medium) => {
  expect(kindOf(medium)).toMatchObject({ medium, plan: expect.anything() });
});

test("a study has the kinds of its blocks, in one order however they are written", () => {
  const media = (...blocks: Block[]) => kindsOf(studyOf(...blocks)).map(({ medium }) => medium);
  expect(media(heard)).toEqual(["heard"]);
  expect(media(typed)).toEqual(["typed"]);
  expect(media(typed, heard, typed)).toEqual(["heard", "typed"]);
});

test("a block's kind names what its trials present", () => {
  const named = (block: Block) => block.trials.map(kindOfBlock(block).stimulus.of);
  expect(named(heard)).toEqual(["speech"]);
  expect(named(typed)).toEqual(["copy"]);
});

test("what is of no kind is a fault that is named", () => {
  expect(() => kindOf("sung")).toThrow("sung");
  expect(() => kindOfBlock({ ...heard, id: "empty", trials: [] })).toThrow("empty");
  expect(() => kindsOf(studyOf())).toThrow("no trial");
});
