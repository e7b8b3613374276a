// Every test of hearing and equipment, by its name: each folder beside this file is one.
// SPDX-License-Identifier: Apache-2.0
import type { HearingTry } from "../../api/generated";
import type { Check } from "./check";

const files = import.meta.glob<Check>("./*/check.tsx", { import: "check", eager: true });
const checks = new Map(Object.values(files).map((check) => [check.test, check]));

/** @throws Error for a test that no folder is for. */
export function checkOf(test: HearingTry["test"]): Check {
  const check = checks.get(test);
  if (!check) throw new Error(`There is no page for the test of ${test}.`);
  return check;
}
