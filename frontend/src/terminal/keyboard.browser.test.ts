// From real key presses in Chromium to bytes: layouts, dead keys, composed words,
// pastes, keys that stick.
// SPDX-License-Identifier: Apache-2.0

import type {} from "@vitest/browser-playwright";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cdp, userEvent } from "vitest/browser";
import { kindOf, listen, REPEAT_LIMIT, type Stroke } from "./keyboard";
import type { Screen } from "./screen";
import { placeScreen } from "./screenPlace";

let screen: Screen;
let remove: () => void;
let deaf: () => void;
const strokes: Stroke[] = [];
const told: string[] = [];

beforeEach(() => {
  ({ screen, remove } = placeScreen());
  strokes.length = 0;
  told.length = 0;
  deaf = listen(screen.terminal, {
    onStroke: (stroke) => strokes.push(stroke),
    onRelease: (code) => told.push(`release ${code}`),
    onPaste: () => told.push("paste"),
    onStuck: () => told.push("stuck"),
    onWayOut: () => told.push("out"),
  });
  screen.focus();
});

afterEach(() => {
  deaf();
  remove();
});

const typed = () => strokes.map(({ data }) => data).join("");
const textarea = () => screen.terminal.textarea as HTMLTextAreaElement;

/** What a keyboard of some country sends, as the browser is told of it. */
async function press(
  key: string,
  code: string,
  keyCode: number,
  { modifiers = 0, text = key }: { modifiers?: number; text?: string } = {},
): Promise<void> {
  const event = { key, code, windowsVirtualKeyCode: keyCode, modifiers };
  await cdp().send("Input.dispatchKeyEvent", { ...event, type: "keyDown", text });
  await cdp().send("Input.dispatchKeyEvent", { ...event, type: "keyUp" });
}

/** What becomes of a key that does not write by itself: shown first, then written. */
async function compose(key: string, code: string, shown: string, text: string): Promise<void> {
  const event = { type: "rawKeyDown", key, code, windowsVirtualKeyCode: 229 } as const;
  await cdp().send("Input.dispatchKeyEvent", event);
  await cdp().send("Input.imeSetComposition", { text: shown, selectionStart: 1, selectionEnd: 1 });
  await cdp().send("Input.insertText", { text });
}

test("letters, Enter, Backspace, arrows and control keys are what a terminal expects", async () => {
  await userEvent.keyboard("aB 1{Enter}{Backspace}{ArrowLeft}{Control>}o{/Control}");
  expect(strokes.map(({ data, kind }) => [data, kind])).toEqual([
    ["a", "character"],
    ["B", "character"],
    [" ", "character"],
    ["1", "character"],
    ["\r", "enter"],
    ["\u007f", "backspace"],
    ["\u001b[D", "navigation"],
    ["\u000f", "control"],
  ]);
});

test("the instant is the keydown's own, and rises", async () => {
  const seen: number[] = [];
  const watch = (event: KeyboardEvent) => seen.push(event.timeStamp);
  addEventListener("keydown", watch, true);
  await userEvent.keyboard("abc");
  removeEventListener("keydown", watch, true);
  expect(strokes.map(({ at_ms }) => at_ms)).toEqual(seen);
  expect([...seen].sort((one, other) => one - other)).toEqual(seen);
});

test("Norwegian letters, and those that AltGr makes", async () => {
  await press("æ", "Quote", 222);
  await press("ø", "Semicolon", 186);
  await press("å", "BracketLeft", 219);
  await press("Å", "BracketLeft", 219, { modifiers: 8 });
  await press("@", "Digit2", 50);
  await press("{", "Digit7", 55);
  await expect.poll(typed).toBe("æøåÅ@{");
});

test("a dead key makes one letter with the next", async () => {
  await compose("Dead", "Equal", "´", "é");
  await expect.poll(typed).toBe("é");
});

test("a composed word comes whole, as characters", async () => {
  await compose("Process", "KeyN", "に", "日本");
  await expect.poll(typed).toBe("日本");
  expect(new Set(strokes.map(({ kind }) => kind))).toEqual(new Set(["character"]));
});

test("a release is told by its key", async () => {
  await userEvent.keyboard("a");
  await expect.poll(() => told).toContain("release KeyA");
});

test.each(["{Control>}v{/Control}", "{Shift>}{Insert}{/Shift}"])(
  "%s sends nothing",
  async (keys) => {
    await userEvent.keyboard(keys);
    expect(strokes).toEqual([]);
  },
);

test("a paste of a megabyte and a dropped text are refused", () => {
  const data = new DataTransfer();
  data.setData("text/plain", "x".repeat(1_000_000));
  const paste = { clipboardData: data, bubbles: true, cancelable: true };
  textarea().dispatchEvent(new ClipboardEvent("paste", paste));
  textarea().dispatchEvent(
    new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }),
  );
  expect(told).toEqual(["paste", "paste"]);
  expect(strokes).toEqual([]);
  expect(textarea().value).toBe("");
});

test("more at once than a key yields is no key", async () => {
  await cdp().send("Input.insertText", { text: "y".repeat(1_000) });
  await expect.poll(() => told).toContain("paste");
  expect(strokes).toEqual([]);
});

test("a key that sticks is bounded, said once, and works again when it was let go", async () => {
  const down = (repeat: boolean) =>
    textarea().dispatchEvent(
      new KeyboardEvent("keydown", {
        key: "j",
        code: "KeyJ",
        keyCode: 74,
        repeat,
        bubbles: true,
        cancelable: true,
      } as KeyboardEventInit),
    );
  down(false);
  for (let repeats = 0; repeats < 3 * REPEAT_LIMIT; repeats++) down(true);
  expect(strokes).toHaveLength(REPEAT_LIMIT);
  expect(strokes.filter(({ repeat }) => repeat)).toHaveLength(REPEAT_LIMIT - 1);
  expect(told).toEqual(["stuck"]);
  textarea().dispatchEvent(new KeyboardEvent("keyup", { code: "KeyJ", bubbles: true }));
  down(false);
  expect(strokes).toHaveLength(REPEAT_LIMIT + 1);
});

test("F6 leaves, Tab does not", async () => {
  await userEvent.keyboard("{Tab}{F6}");
  expect(typed()).toBe("\t");
  expect(told).toContain("out");
});

test("keys pressed elsewhere in the page are none of the terminal's", async () => {
  screen.terminal.blur();
  await userEvent.keyboard("abc");
  expect(strokes).toEqual([]);
});

describe("kinds", () => {
  test.each([
    ["Delete", "\u001b[3~", "backspace"],
    ["Home", "\u001b[H", "navigation"],
    ["Escape", "\u001b", "control"],
    ["F2", "\u001bOQ", "other"],
    ["Dead", "ê", "character"],
  ])("%s is %s: %s", (key, data, kind) => {
    expect(kindOf(key, data)).toBe(kind);
  });
});
