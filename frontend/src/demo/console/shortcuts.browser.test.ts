// Which keys are somebody's own.
// SPDX-License-Identifier: Apache-2.0
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { isTaken, useShortcuts } from "./shortcuts";

afterEach(() => document.body.replaceChildren());

/** `clicked`: with a pointer, before. */
function pressed(
  html: string,
  key: string,
  { clicked = false, ...held }: KeyboardEventInit & { clicked?: boolean } = {},
): boolean {
  document.body.innerHTML = html;
  const target = document.body.querySelector("[data-here]") ?? document.body;
  let taken = false;
  const look = (event: Event) => {
    taken = isTaken(event as KeyboardEvent, clicked ? target : null);
  };
  document.body.addEventListener("keydown", look, { once: true });
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...held }));
  return taken;
}

test.each([
  "<input data-here>",
  "<input type=number data-here>",
  "<textarea data-here></textarea>",
  "<select data-here><option>m</option></select>",
  "<div class=xterm><textarea data-here></textarea></div>",
])("what is typed into a field, a list or a terminal is not a shortcut: %s", (field) => {
  expect(pressed(field, "m")).toBe(true);
  expect(pressed(field, " ")).toBe(true);
});

test.each([
  "<button data-here>B</button>",
  "<input type=checkbox data-here>",
  "<input type=radio data-here>",
  "<details><summary data-here>More</summary></details>",
])("on a button or a switch, the space bar is theirs and a letter is not: %s", (control) => {
  expect(pressed(control, " ")).toBe(true);
  expect(pressed(control, "2")).toBe(false);
});

test("anywhere else they are shortcuts, but with a modifier the browser's", () => {
  expect(pressed("<p data-here>A</p>", " ")).toBe(false);
  expect(pressed("<p data-here>A</p>", "1")).toBe(false);
  expect(pressed("<p data-here>A</p>", "1", { ctrlKey: true })).toBe(true);
  expect(pressed("<p data-here>A</p>", "m", { metaKey: true })).toBe(true);
});

test("the space bar is not the switch's that was clicked last", () => {
  for (const control of ["<button data-here>B</button>", "<input type=checkbox data-here>"]) {
    expect(pressed(control, " ", { clicked: true }), control).toBe(false);
  }
  expect(pressed("<input data-here>", " ", { clicked: true })).toBe(true);
});

let pauses = 0;

function Switches() {
  useShortcuts({
    " ": () => {
      pauses += 1;
    },
  });
  return createElement(
    "p",
    null,
    createElement("label", null, createElement("input", { type: "checkbox" }), "Bundling"),
    createElement("a", { href: "#" }, "Elsewhere"),
  );
}

test("who clicks a switch and then presses Space pauses; who goes there by Tab flips it", async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  document.body.innerHTML = "<div></div>";
  const root = createRoot(document.querySelector("div") as Element);
  await act(() => root.render(createElement(Switches)));
  const bundling = document.querySelector("input") as HTMLInputElement;
  await userEvent.click(document.querySelector("label") as Element);
  expect(bundling.checked).toBe(true);
  await userEvent.keyboard(" ");
  await userEvent.keyboard("2 ");
  expect([bundling.checked, pauses]).toEqual([true, 2]);
  await userEvent.tab();
  await userEvent.tab({ shift: true });
  expect(document.activeElement).toBe(bundling);
  await userEvent.keyboard(" ");
  expect([bundling.checked, pauses]).toEqual([false, 2]);
  await act(() => root.unmount());
});
