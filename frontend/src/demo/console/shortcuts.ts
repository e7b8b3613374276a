// The presenter's single keys: which key does what, and when a key belongs to
// something else.
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef } from "react";
import { useKeptSwitch } from "../../design/useKeptSwitch";

/** By the key's name in lower case, as `KeyboardEvent.key` has it. */
export type Shortcuts = Readonly<Record<string, () => void>>;

const TYPED_IN =
  'textarea, select, [contenteditable], input:not([type="radio"], [type="checkbox"], [type="range"])';
const PRESSED_BY_SPACE = "button, a, input, summary";

/** Whether the key is somebody's own: it is being typed, or presses what has the focus. What was
 * clicked with a pointer has the focus, too, but nobody means it by the space bar. */
export function isTaken(event: KeyboardEvent, clicked: Element | null = null): boolean {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  if (!(target instanceof Element)) return false;
  if (target.closest(TYPED_IN)) return true;
  const control = target.closest(PRESSED_BY_SPACE);
  return key === " " && control !== null && control !== clicked;
}

/** What a pointer pressed: the control itself, or the one that a label belongs to. */
function controlUnder({ target }: Event): Element | null {
  if (!(target instanceof Element)) return null;
  return target.closest("label")?.control ?? target.closest(PRESSED_BY_SPACE);
}

const NAME = "thinlab.demo.keys";

/** Listens for them while switched on (WCAG 2.1.4); says whether they are, and switches. */
export function useShortcuts(shortcuts: Shortcuts): [boolean, (on: boolean) => void] {
  const [on, setOn] = useKeptSwitch(NAME);
  const current = useRef(shortcuts);
  current.current = shortcuts;
  useEffect(() => {
    if (!on) return;
    let clicked: Element | null = null;
    const point = (event: Event) => {
      clicked = controlUnder(event);
    };
    const press = (event: KeyboardEvent) => {
      // Who goes on by keys means what has the focus.
      if (event.key === "Tab" || event.key.startsWith("Arrow")) clicked = null;
      if (event.defaultPrevented || event.repeat || isTaken(event, clicked)) return;
      const act = current.current[event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act();
    };
    // Some browsers press a button when the space bar is let go.
    const release = (event: KeyboardEvent) => {
      if (event.key === " " && clicked && !isTaken(event, clicked)) event.preventDefault();
    };
    document.addEventListener("pointerdown", point, true);
    document.addEventListener("keydown", press);
    document.addEventListener("keyup", release);
    return () => {
      document.removeEventListener("pointerdown", point, true);
      document.removeEventListener("keydown", press);
      document.removeEventListener("keyup", release);
    };
  }, [on]);
  return [on, setOn];
}
