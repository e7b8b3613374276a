// A switch that is on until somebody turns it off, and stays as this browser left it.
// SPDX-License-Identifier: Apache-2.0
import { useState } from "react";

/** Whether it is on, and what turns it. `name`: it is kept under. */
export function useKeptSwitch(name: string): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => read(name) !== "no");
  const change = (next: boolean) => {
    write(name, next ? "yes" : "no");
    setOn(next);
  };
  return [on, change];
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The choice then lasts until the page is closed.
  }
}
