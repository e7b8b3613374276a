// The flow of participants: everybody once, and only steps at which somebody was lost say so.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test, vi } from "vitest";
import type { Flow } from "../../../api/generated";
import { faultsOf } from "../../../design/accessible";
import { type Rendered, rendered } from "../../../design/rendered";
import { FlowOf } from "./Flow";

let shown: Rendered | null = null;

afterEach(() => shown?.close());

const ALL: Flow = {
  invited: null,
  consented: 12,
  headphones_failed: 0,
  hearing_failed: 0,
  connection_failed: 0,
  ineligible: 0,
  withdrawn: 0,
  left: 0,
  under_way: 0,
  completed: 12,
  excluded: 0,
  excluded_by_rule: [],
  excluded_by_researcher: 0,
  analysed: 12,
  marked_by_rule: [],
};

const SOME: Flow = {
  ...ALL,
  invited: 20,
  headphones_failed: 1,
  ineligible: 3,
  withdrawn: 2,
  completed: 6,
  excluded: 3,
  excluded_by_rule: [{ rule: "trapping_wrong", participants: 2, excludes: true }],
  excluded_by_researcher: 1,
  analysed: 3,
  marked_by_rule: [{ rule: "page_hidden", participants: 4, excludes: false }],
};

async function said(flow: Flow): Promise<string[]> {
  shown = rendered(<FlowOf flow={flow} />);
  const { place } = shown;
  await vi.waitFor(() => expect(place.querySelector("ol")).not.toBeNull());
  expect(await faultsOf(place)).toEqual([]);
  return [...place.querySelectorAll("ol > li")].map(
    (step) => step.textContent?.replaceAll(/\s+/g, " ") ?? "",
  );
}

test("of whom nobody was lost has its steps alone", async () => {
  expect(await said(ALL)).toEqual(["Consented 12", "Completed 12", "Analysed 12"]);
});

test("who was lost stands where they were lost, with the reason", async () => {
  expect(await said(SOME)).toEqual([
    "Invited 20",
    "Consented 12Headphone test not passed 1Not eligible by their answers 3Withdrew 2",
    "Completed 6Excluded 3Trapping trials wrong 2By the researcher 1",
    "Analysed 3Of these, marked by rules that leave nobody out:Page out of sight 4",
  ]);
});
