// Which keys are somebody's own.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test } from "vitest";
import { isTaken } from "./shortcuts";

afterEach(() => document.body.replaceChildren());

function pressed(html: string, key: string, held: KeyboardEventInit = {}): boolean {
  document.body.innerHTML = html;
  const target = document.body.querySelector("[data-here]") ?? document.body;
  let taken = false;
  const look = (event: Event) => {
    taken = isTaken(event as KeyboardEvent);
  };
  document.body.addEventListener("keydown", look, { once: true });
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...held }));
  return taken;
}

test("what is typed into a field, a list or a terminal is not a shortcut", () => {
  for (const field of [
    "<input data-here>",
    "<input type=number data-here>",
    "<textarea data-here></textarea>",
    "<select data-here><option>m</option></select>",
    "<div class=xterm><textarea data-here></textarea></div>",
  ]) {
    expect(pressed(field, "m"), field).toBe(true);
    expect(pressed(field, " "), field).toBe(true);
  }
});

test("on a button or a switch, the space bar is theirs and a letter is not", () => {
  for (const control of [
    "<button data-here>B</button>",
    "<input type=checkbox data-here>",
    "<input type=radio data-here>",
    "<details><summary data-here>More</summary></details>",
  ]) {
    expect(pressed(control, " "), control).toBe(true);
    expect(pressed(control, "2"), control).toBe(false);
  }
});

test("anywhere else they are shortcuts, but with a modifier the browser's", () => {
  expect(pressed("<p data-here>A</p>", " ")).toBe(false);
  expect(pressed("<p data-here>A</p>", "1")).toBe(false);
  expect(pressed("<p data-here>A</p>", "1", { ctrlKey: true })).toBe(true);
  expect(pressed("<p data-here>A</p>", "m", { metaKey: true })).toBe(true);
});
