// From the finger to the bytes. Every keydown is seen on `window` before xterm.js
// sees it, so that its time is the event's own; xterm.js then says which bytes it
// stands for (layouts, dead keys, composed words); here the two are put together.
// SPDX-License-Identifier: Apache-2.0
import type { Terminal } from "@xterm/xterm";
import type { KeyKind } from "../api/generated";

/** Longest a held key goes on repeating: ten seconds at thirty a second. */
export const REPEAT_LIMIT = 300;
/** Longer than what one keydown yields, shorter than a paste. */
export const DATA_LIMIT_CHARACTERS = 64;
/** Leaves the terminal, as Tab is the editor's. */
export const WAY_OUT = "F6";

/** One keydown, as the terminal encodes it. */
export interface Stroke {
  /** `timeStamp` of the keydown. */
  readonly at_ms: number;
  readonly data: string;
  readonly kind: KeyKind;
  readonly repeat: boolean;
  /** Of the key on the keyboard, to know its release by. */
  readonly code: string;
}

export interface Fingers {
  readonly onStroke: (stroke: Stroke) => void;
  readonly onRelease: (code: string, at_ms: number) => void;
  /** Something was to be pasted or dropped. */
  readonly onPaste: () => void;
  /** A key has been held for so long that it goes on no more. */
  readonly onStuck: () => void;
  readonly onWayOut: () => void;
}

const NAVIGATION = /^(Arrow|Home$|End$|Page)/;

/** What a key is for; of a composed word it is known that it is characters. */
export function kindOf(key: string, data: string): KeyKind {
  if (key === "Enter") return "enter";
  if (key === "Backspace" || key === "Delete") return "backspace";
  if (NAVIGATION.test(key)) return "navigation";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it is about
  if (!/[\x00-\x1f\x7f]/.test(data)) return "character";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it is about
  return /^[\x00-\x1f]$/.test(data) ? "control" : "other";
}

/** What browsers and people paste with; a terminal would send a control character. */
function isPaste({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return (
    ((ctrlKey || metaKey) && key.toLowerCase() === "v") ||
    (shiftKey && !ctrlKey && key === "Insert")
  );
}

/** Joins keydowns with the bytes that they yield. Returns what ends it. */
export function listen(terminal: Terminal, fingers: Fingers): () => void {
  const leaving = new AbortController();
  const early = { capture: true, signal: leaving.signal };
  const repeats = new Map<string, number>();
  let last: KeyboardEvent | null = null;

  const isOurs = (event: Event) => event.target === terminal.textarea;

  addEventListener(
    "keydown",
    (event) => {
      if (!isOurs(event)) return;
      last = event;
      const count = event.repeat ? (repeats.get(event.code) ?? 0) + 1 : 0;
      repeats.set(event.code, count);
      if (count < REPEAT_LIMIT) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (count === REPEAT_LIMIT) fingers.onStuck();
    },
    early,
  );
  addEventListener(
    "keyup",
    (event) => {
      repeats.delete(event.code);
      fingers.onRelease(event.code, event.timeStamp);
    },
    early,
  );
  for (const kind of ["paste", "drop", "dragover"] as const) {
    addEventListener(
      kind,
      (event) => {
        const inside = event.target instanceof Node && terminal.element?.contains(event.target);
        if (!inside) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        if (kind !== "dragover") fingers.onPaste();
      },
      early,
    );
  }

  terminal.attachCustomKeyEventHandler((event) => {
    // The browser then pastes, which is refused above with a word about it.
    if (isPaste(event)) return false;
    if (event.key !== WAY_OUT) return true;
    event.preventDefault();
    if (event.type === "keydown") fingers.onWayOut();
    return false;
  });

  const typed = terminal.onData((data) => {
    if (document.activeElement !== terminal.textarea) return;
    if (data.length > DATA_LIMIT_CHARACTERS) return fingers.onPaste();
    const key = last?.key ?? "";
    fingers.onStroke({
      at_ms: last?.timeStamp ?? performance.now(),
      data,
      kind: kindOf(key, data),
      repeat: last?.repeat ?? false,
      code: last?.code ?? "",
    });
  });

  return () => {
    leaving.abort();
    typed.dispose();
  };
}
