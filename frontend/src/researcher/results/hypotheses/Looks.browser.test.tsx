// Where a study stands that is looked at before its end.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test, vi } from "vitest";
import type { LookFindings } from "../../../api/generated";
import { faultsOf } from "../../../design/accessible";
import { type Rendered, rendered } from "../../../design/rendered";
import { NO_RESULTS } from "../madeUpResults";
import { Standing } from "./Looks";

let shown: Rendered | null = null;

afterEach(() => shown?.close());

const FIRST: LookFindings = {
  number: 1,
  of: 2,
  completed: 24,
  analysed: 23,
  planned: 48,
  fraction: 23 / 48,
  two_sided: 0.00249,
  one_sided: 0.0046,
  verdict: "stop",
  hypotheses: [],
  together: null,
  sentence: "Look 1 of 2: a boundary is crossed.",
};

test("a look tells its information, its levels, its verdict, and who came after it", async () => {
  shown = rendered(
    <Standing results={{ ...NO_RESULTS, interim: { looks: [FIRST], over_run: 3 } }} />,
  );
  const { place } = shown;
  await vi.waitFor(() => expect(place.textContent).toContain(FIRST.sentence));
  const [row] = [...place.querySelectorAll("tbody tr")];
  expect(row?.textContent).toBe("1 of 223 of 48 (47.9 %)0.00250.0046crossed: stops");
  expect(place.textContent).toContain("3 participants finished after the study had stopped");
  expect(await faultsOf(place)).toEqual([]);
});

test("votes that were shown outside of the looks are warned of", async () => {
  const seen: LookFindings = { ...FIRST, verdict: "unplanned" };
  shown = rendered(
    <Standing results={{ ...NO_RESULTS, interim: { looks: [seen], over_run: 0 } }} />,
  );
  const { place } = shown;
  await vi.waitFor(() => expect(place.textContent).toContain("No level is kept"));
});
