// The presenter's single keys: which key does what, and when a key belongs to
// something else.
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from "react";

/** By the key's name in lower case, as `KeyboardEvent.key` has it. */
export type Shortcuts = Readonly<Record<string, () => void>>;

const TYPED_IN =
  'textarea, select, [contenteditable], input:not([type="radio"], [type="checkbox"], [type="range"])';
const PRESSED_BY_SPACE = "button, a, input, summary";

/** Whether the key is somebody's own: it is being typed, or presses what has the focus. */
export function isTaken(event: KeyboardEvent): boolean {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  if (!(target instanceof Element)) return false;
  if (target.closest(TYPED_IN)) return true;
  return key === " " && target.closest(PRESSED_BY_SPACE) !== null;
}

const NAME = "thinlab.demo.keys";

/** Listens for them while switched on (WCAG 2.1.4); says whether they are, and switches. */
export function useShortcuts(shortcuts: Shortcuts): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => read() !== "no");
  const current = useRef(shortcuts);
  current.current = shortcuts;
  useEffect(() => {
    if (!on) return;
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || isTaken(event)) return;
      const act = current.current[event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [on]);
  const change = (next: boolean) => {
    write(next ? "yes" : "no");
    setOn(next);
  };
  return [on, change];
}

function read(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}

function write(value: string): void {
  try {
    localStorage.setItem(NAME, value);
  } catch {
    // The choice then lasts until the page is closed.
  }
}
