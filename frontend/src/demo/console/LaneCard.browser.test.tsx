// A lane's card: its mode, the settings of bundling where the lane bundles and those of SCTP where
// that carries it, by keyboard, for a screen reader, at a desk's and a telephone's width.
// SPDX-License-Identifier: Apache-2.0
import "../../design/tokens.css";
import "../../design/base.css";
import axe from "axe-core";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Bundling, DemoLane, LaneState, ModeOption } from "../../api/generated";
import { LaneCard } from "./LaneCard";
import { laneOf } from "./undoing";

const LANE: LaneState = {
  lane: 0,
  letter: "A",
  name: "off",
  named: false,
  baseline: "newreno2008",
  mechanisms: ["bundling"],
  bundling: { max_bytes: 0, max_packets: 0, hidden_loss_response: "baseline", min_iat_ms: null },
  listeners: 0,
};
const MECHANISMS = (
  ["linear_timeouts", "early_fast_retransmit", "bundling", "window_floor"] as const
).map((name) => ({
  name,
  title: name.replaceAll("_", " "),
  available: true,
  reason: "",
  protocols: ["tcp" as const],
}));
const MODES: ModeOption[] = [
  { name: "off", title: "Off", mechanisms: [] },
  { name: "all", title: "All", mechanisms: ["linear_timeouts", "bundling"] },
  { name: "recommended", title: "Recommended", mechanisms: ["bundling", "window_floor"] },
];
/** WCAG 2.2 AA and what axe recommends. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

let root: Root;
let wished: DemoLane[];

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  document.body.innerHTML = "<main><h1>Console</h1><ul id=place></ul></main>";
  document.documentElement.lang = "en";
  root = createRoot(document.querySelector("#place") as Element);
  wished = [];
});
afterEach(() => act(() => root.unmount()));

const show = (lane: LaneState, wanted = laneOf(lane), mechanisms = MECHANISMS) =>
  act(() =>
    root.render(
      <LaneCard
        lane={lane}
        wanted={wanted}
        baselines={[
          { name: "newreno2008", title: "NewReno", available: true, reason: "", protocol: "tcp" },
          { name: "lksctp", title: "SCTP", available: true, reason: "", protocol: "sctp" },
        ]}
        mechanisms={mechanisms}
        modes={MODES}
        audible
        heard={false}
        place={1}
        disabled={false}
        onHear={() => {}}
        onChange={(to) => wished.push(to)}
      />,
    ),
  );
const fold = () => page.getByText("Bundling’s settings");
const OVER_SCTP: LaneState = { ...LANE, baseline: "lksctp", sctp: { sack_delay_ms: null } };
const sctp = () => page.getByText("SCTP’s settings");
const sackDelay = () => page.getByRole("combobox", { name: "SACK delay" });
const waitsAtMost = () => page.getByRole("spinbutton", { name: "Wait at most" });
const asked = () => wished.at(-1)?.bundling;
const bundles = (bundling: Bundling): LaneState => ({ ...LANE, bundling });

const mode = () => page.getByLabelText("Mode, lane A");

test("a mode sets every switch, and is named by what they are", async () => {
  show({ ...LANE, mechanisms: ["window_floor", "bundling"] });
  expect((mode().element() as HTMLSelectElement).value).toBe("recommended");
  await act(() => userEvent.selectOptions(mode(), "All"));
  expect(wished.at(-1)?.mechanisms).toEqual(["linear_timeouts", "bundling"]);
  await act(() => userEvent.selectOptions(mode(), "Off"));
  expect(wished.at(-1)?.mechanisms).toEqual([]);
  show(LANE);
  expect(mode().element().textContent).toContain("As switched");
});

test("a mode that this kernel cannot be in is not offered", () => {
  const lacking = MECHANISMS.map((one) =>
    one.name === "window_floor" ? { ...one, available: false, reason: "too old" } : one,
  );
  show(LANE, laneOf(LANE), lacking);
  const options = [...(mode().element() as HTMLSelectElement).options];
  const offered = options.filter(({ disabled }) => !disabled).map(({ value }) => value);
  expect(offered).toEqual(["off", "all"]);
});

test("only a lane that bundles has its settings", () => {
  show({ ...LANE, mechanisms: ["linear_timeouts"] });
  expect(fold().query()).toBeNull();
  show(LANE);
  expect(fold().query()).not.toBeNull();
});

test("each is set by keyboard and leaves the others as they are wanted", async () => {
  show(LANE, { ...laneOf(LANE), bundling: { ...LANE.bundling, max_bytes: 700 } });
  act(() => (page.getByLabelText("Baseline, lane A").element() as HTMLElement).focus());
  await act(() => userEvent.tab());
  await act(() => userEvent.keyboard("{Enter}"));
  const segments = page.getByRole("spinbutton", { name: "Segments in a bundle" });
  await act(() => userEvent.fill(segments, "2"));
  await act(() => userEvent.keyboard("{Enter}"));
  expect(asked()).toEqual({ ...LANE.bundling, max_bytes: 700, max_packets: 2 });
  await act(() => userEvent.tab());
  await act(() => userEvent.keyboard("{ArrowRight}"));
  expect(asked()).toEqual({ ...LANE.bundling, max_bytes: 700, min_iat_ms: 6 });
  const response = page.getByRole("combobox", { name: "Response to hidden losses" });
  await act(() => userEvent.selectOptions(response, "reduce the window"));
  expect(asked()).toEqual({
    ...LANE.bundling,
    max_bytes: 700,
    hidden_loss_response: "reduce_window",
  });
});

test("no number is beyond what the backend takes", async () => {
  show(LANE);
  await act(() => userEvent.click(fold()));
  for (const [name, most] of [
    ["Largest bundle", 65_535],
    ["Segments in a bundle", 1_000],
    ["Shortest interarrival time", 60_000],
  ] as const) {
    await act(() => userEvent.fill(page.getByRole("spinbutton", { name }), "999999"));
    await act(() => userEvent.keyboard("{Enter}"));
    expect(Object.values(asked() ?? {})).toContain(most);
  }
});

test("what is in force is shown; what is not yet, marked", async () => {
  show(bundles({ ...LANE.bundling, max_packets: 3, min_iat_ms: 0 }), laneOf(LANE));
  await act(() => userEvent.click(fold()));
  const bytes = page.getByRole("slider", { name: "Largest bundle" });
  expect(bytes.element().getAttribute("aria-valuetext")).toBe("the MSS");
  const waiting = [...document.querySelectorAll("[data-on-its-way] label")];
  expect(waiting.map((label) => label.textContent)).toEqual([
    "Segments in a bundle",
    "Shortest interarrival time",
  ]);
  const iat = page.getByRole("spinbutton", { name: "Shortest interarrival time" });
  expect((iat.element() as HTMLInputElement).value).toBe("5");
});

test("a lane over SCTP has its settings, and none of bundling's", () => {
  show(OVER_SCTP);
  expect(fold().query()).toBeNull();
  expect(sctp().query()).not.toBeNull();
  show(LANE);
  expect(sctp().query()).toBeNull();
});

test("SACKs are delayed as the kernel has it, not at all, or by a number, by keyboard", async () => {
  show(OVER_SCTP, { ...laneOf(OVER_SCTP), sctp: { sack_delay_ms: null, unordered: false } });
  act(() => (page.getByLabelText("Baseline, lane A").element() as HTMLElement).focus());
  await act(() => userEvent.tab());
  await act(() => userEvent.keyboard("{Enter}"));
  await act(() => userEvent.tab());
  expect(document.activeElement).toBe(sackDelay().element());
  expect((sackDelay().element() as HTMLSelectElement).value).toBe("kernel");
  expect(waitsAtMost().query()).toBeNull();
  await act(() => userEvent.selectOptions(sackDelay(), "none: each packet at once"));
  // What else the lane was told stays as it is.
  expect(wished.at(-1)?.sctp).toEqual({ sack_delay_ms: 0, unordered: false });
  await act(() => userEvent.selectOptions(sackDelay(), "another"));
  expect(wished.at(-1)?.sctp).toEqual({ sack_delay_ms: 200, unordered: false });

  show({ ...OVER_SCTP, sctp: { sack_delay_ms: 200 } });
  await act(() => userEvent.fill(waitsAtMost(), "70"));
  await act(() => userEvent.keyboard("{Enter}"));
  expect(wished.at(-1)?.sctp).toEqual({ sack_delay_ms: 70 });
  for (const [written, taken] of [
    ["9999", 500],
    ["0", 1],
  ] as const) {
    await act(() => userEvent.fill(waitsAtMost(), written));
    await act(() => userEvent.keyboard("{Enter}"));
    expect(wished.at(-1)?.sctp).toEqual({ sack_delay_ms: taken });
  }
  await act(() => userEvent.selectOptions(sackDelay(), "as the kernel has it, 200 ms"));
  expect(wished.at(-1)?.sctp).toEqual({ sack_delay_ms: null });
});

test("a delay that the kernel does not have yet is marked", async () => {
  show(OVER_SCTP, { ...laneOf(OVER_SCTP), sctp: { sack_delay_ms: 0 } });
  await act(() => userEvent.click(sctp()));
  expect((sackDelay().element() as HTMLSelectElement).value).toBe("none");
  expect(page.getByText("on its way…").query()).not.toBeNull();
  show(OVER_SCTP);
  expect(page.getByText("on its way…").query()).toBeNull();
});

test.each([1280, 390])("SCTP’s can be read and reached at %i px", async (width_px) => {
  await page.viewport(width_px, 900);
  show({ ...OVER_SCTP, sctp: { sack_delay_ms: 70 } });
  await act(() => userEvent.click(sctp()));
  const { violations } = await axe.run(document.body, { runOnly: RULES });
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width_px);
  await page.screenshot({ path: `../../../test-results/lane-card/${width_px}-sctp.png` });
});

test.each([1280, 390])("can be read and reached at %i px", async (width_px) => {
  await page.viewport(width_px, 900);
  show(LANE);
  await page.screenshot({ path: `../../../test-results/lane-card/${width_px}-folded.png` });
  await act(() => userEvent.click(fold()));
  const { violations } = await axe.run(document.body, { runOnly: RULES });
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width_px);
  await page.screenshot({ path: `../../../test-results/lane-card/${width_px}.png` });
});
