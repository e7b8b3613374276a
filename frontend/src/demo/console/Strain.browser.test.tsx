// What the presenter is told of a machine that cannot keep up.

import { flushSync } from "react-dom";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { HeldUpLately } from "../../api/generated";
import { Strain } from "./Strain";

let root: Root;
let place: HTMLElement;

beforeEach(() => {
  place = document.createElement("div");
  document.body.append(place);
  root = createRoot(place);
});
afterEach(() => {
  root.unmount();
  place.remove();
});

const show = (held_up: HeldUpLately | null) =>
  flushSync(() => root.render(<Strain held_up={held_up} />));
const status = () => place.querySelector("[role=status]")?.textContent ?? "";

test("it is said once, however the numbers change, and taken back", () => {
  show(null);
  expect(place.textContent).toBe("");
  show({ standstills: 40, stood_still_ms: 1_500, sound_left_out: 0 });
  const said = status();
  expect(said).toContain("Use fewer lanes");
  expect(place.textContent).toContain("40 times, 1500 ms in all.");
  const spoken = new MutationObserver(() => {});
  spoken.observe(place.querySelector("[role=status]") as Element, {
    subtree: true,
    childList: true,
    characterData: true,
  });
  show({ standstills: 35, stood_still_ms: 900, sound_left_out: 2 });
  expect(place.textContent).toContain("2 packets of sound came too late");
  expect(status()).toBe(said);
  expect(spoken.takeRecords()).toEqual([]);
  show({ standstills: 3, stood_still_ms: 60, sound_left_out: 0 });
  expect(place.textContent).toBe("");
  expect(spoken.takeRecords()).not.toEqual([]);
});
