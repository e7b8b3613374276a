// Single keys for a trial, and the switch that turns them off (WCAG 2.1.4).
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "react";
import type { Instrument } from "../player/instrument";
import { pressKey } from "../player/keys";

const NAME = "thinlab.keys";

export function useTrialKeys(instrument: Instrument): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => read() !== "no");
  useEffect(() => {
    if (!on) return;
    const press = (event: KeyboardEvent) => {
      if (!event.defaultPrevented && (pressKey(instrument, event) || chooseAnswer(event))) {
        event.preventDefault();
      }
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [instrument, on]);
  const change = (next: boolean) => {
    write(next ? "yes" : "no");
    setOn(next);
  };
  return [on, change];
}

/** Chooses the answer whose letter was pressed; Enter then submits the form. */
function chooseAnswer(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || !/^[fsn]$/i.test(event.key)) return false;
  const radio = document.querySelector<HTMLInputElement>(
    `.answer input[data-key="${event.key.toLowerCase()}"]:enabled`,
  );
  radio?.focus();
  radio?.click();
  return radio !== null;
}

interface KeyHelpProps {
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

export function KeyHelp({ on, onChange }: KeyHelpProps) {
  return (
    <details className="keys small">
      <summary>Keyboard</summary>
      <dl>
        <dt>
          <kbd>Space</kbd>
        </dt>
        <dd>play or pause</dd>
        <dt>
          <kbd>1</kbd> <kbd>2</kbd>
        </dt>
        <dd>hear the first, the second</dd>
        <dt>
          <kbd>←</kbd> <kbd>→</kbd>
        </dt>
        <dd>two seconds back, forward</dd>
        <dt>
          <kbd>F</kbd> <kbd>S</kbd> <kbd>N</kbd>
        </dt>
        <dd>answer: first, second, no difference</dd>
        <dt>
          <kbd>Enter</kbd>
        </dt>
        <dd>send the answer that is chosen</dd>
      </dl>
      <label className="check">
        <input type="checkbox" checked={on} onChange={(event) => onChange(event.target.checked)} />
        Use these keys
      </label>
    </details>
  );
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
