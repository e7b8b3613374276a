// A text full of escape sequences, in Chromium: it may draw, and nothing else.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Screen } from "./screen";
import { placeScreen } from "./screenPlace";

const ESC = "\u001b";
const BEL = "\u0007";
const ST = `${ESC}\\`;

let screen: Screen;
let place: HTMLElement;
let remove: () => void;
const replies: string[] = [];

beforeEach(() => {
  ({ screen, place, remove } = placeScreen());
  replies.length = 0;
  screen.terminal.onData((data) => replies.push(data));
  screen.terminal.onBinary((data) => replies.push(data));
});

afterEach(() => {
  remove();
});

const written = (data: string) => new Promise<number>((painted) => screen.write(data, painted));

/** What xterm.js answers, and more that terminals have answered. */
const QUESTIONS = {
  "device attributes": `${ESC}[c${ESC}[0c${ESC}[>c${ESC}[>0c${ESC}[=c`,
  "status and cursor": `${ESC}[5n${ESC}[6n${ESC}[?6n${ESC}[?15n`,
  modes: `${ESC}[4$p${ESC}[?25$p${ESC}[?2004$p`,
  settings: `${ESC}P$qm${ST}${ESC}P$qr${ST}${ESC}P+q544e${ST}`,
  "windows and titles": `${ESC}[14t${ESC}[16t${ESC}[18t${ESC}[19t${ESC}[20t${ESC}[21t`,
  colours: `${ESC}]4;1;?${BEL}${ESC}]10;?${ST}${ESC}]11;?${BEL}${ESC}]12;?${BEL}`,
  version: `${ESC}[>q${ESC}[?u${ESC}[x${ESC}Z\u0005`,
  clipboard: `${ESC}]52;c;?${BEL}`,
} as const;

test.each(Object.entries(QUESTIONS))("a question gets no answer: %s", async (_, question) => {
  await written(`${question}asked`);
  expect(replies).toEqual([]);
  expect(screen.rows().join("\n")).toContain("asked");
});

test("what is asked is indeed answered by a terminal that is not disarmed", async () => {
  const { Terminal } = await import("@xterm/xterm");
  const plain = new Terminal();
  plain.open(place);
  plain.onData((data) => replies.push(data));
  await new Promise<void>((done) => plain.write(`${QUESTIONS["status and cursor"]}`, done));
  plain.dispose();
  expect(replies.length).toBeGreaterThan(0);
});

test("titles, colours and notifications stay with the text", async () => {
  const title = document.title;
  const told = vi.fn();
  screen.terminal.onTitleChange(told);
  await written(
    `${ESC}]0;owned${BEL}${ESC}]2;owned${ST}${ESC}]11;#ff0000${BEL}${ESC}]9;hello${BEL}${ESC}[21tx`,
  );
  expect(told).not.toHaveBeenCalled();
  expect(document.title).toBe(title);
  expect(screen.terminal.options.theme?.background).toBe("#12181b");
});

test("nothing becomes a link", async () => {
  const opened = vi.spyOn(window, "open").mockReturnValue(null);
  await written(`${ESC}]8;;https://example.org/${ST}click me${ESC}]8;;${ST} http://example.org`);
  expect(place.querySelectorAll("a")).toHaveLength(0);
  for (const span of place.querySelectorAll<HTMLElement>(".xterm-rows span")) {
    span.dispatchEvent(new MouseEvent("mousedown", { bubbles: true }));
    span.dispatchEvent(new MouseEvent("mouseup", { bubbles: true }));
    span.click();
  }
  expect(opened).not.toHaveBeenCalled();
  opened.mockRestore();
});

test("nothing is written to the clipboard", async () => {
  const spy = vi.spyOn(navigator.clipboard, "writeText");
  await written(`${ESC}]52;c;${btoa("owned")}${BEL}`);
  expect(spy).not.toHaveBeenCalled();
  spy.mockRestore();
});

test("neither mouse nor focus are reported as keys", async () => {
  for (const mode of [9, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1016]) {
    await written(`${ESC}[?${mode}h${ESC}[?25;${mode}h`);
  }
  const cells = place.querySelector(".xterm-screen");
  for (const kind of ["mousedown", "mousemove", "mouseup"]) {
    cells?.dispatchEvent(
      new MouseEvent(kind, { bubbles: true, clientX: 50, clientY: 50, button: 0 }),
    );
  }
  cells?.dispatchEvent(new WheelEvent("wheel", { bubbles: true, deltaY: 100 }));
  screen.focus();
  screen.terminal.blur();
  expect(replies).toEqual([]);
});

test("markup is text", async () => {
  await written("<img src=x onerror=alert(1)><script>alert(1)</script>");
  expect(place.querySelectorAll("img, script")).toHaveLength(0);
  expect(screen.rows()[0]).toContain("<script>");
});

test("a sequence that never ends, and one that is huge, leave the terminal usable", async () => {
  await written(`${ESC}]0;${"x".repeat(2_000_000)}`);
  await written(`${BEL}x${ESC}[99999999;99999999H`);
  for (const final of ["b", "L", "M", "P", "@", "X", "S", "T", "I", "Z", "A", "B", " @", "'}"]) {
    await written(`${ESC}[2147483647${final}`);
  }
  await written(`${ESC}c${ESC}[2J${ESC}[Hstill here`);
  expect(screen.rows()[0]).toBe("still here");
  expect(screen.terminal.cols).toBe(80);
  expect(screen.terminal.rows).toBe(24);
});
