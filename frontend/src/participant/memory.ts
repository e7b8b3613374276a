// What this browser remembers of a participation, under names that tell nothing.
// SPDX-License-Identifier: Apache-2.0

import type { PanelIds } from "../api/generated";

export interface Memory {
  /** The browser's own key: joining twice with it is joining once. */
  readonly join_key: string;
  readonly participant_token: string | null;
  /** None where somebody goes on who joined on another device. */
  readonly withdraw_token: string | null;
  readonly invitation: string | null;
  /** Whom a panel has sent: an address may lose its parameters. */
  readonly panel: PanelIds | null;
  /** The one chosen, which is not what the browser asks for. */
  readonly language: string | null;
  /** On this device. */
  readonly sound_checked: boolean;
  /** And its keyboard and connection. */
  readonly connection_checked: boolean;
}

const nameOf = (slug: string) => `thinlab.s.${slug}`;

export function recall(slug: string): Memory {
  try {
    const text = localStorage.getItem(nameOf(slug));
    if (text) return { ...fresh(), ...(JSON.parse(text) as Partial<Memory>) };
  } catch {
    // Unreadable or forbidden storage is an empty one.
  }
  return fresh();
}

export function remember(slug: string, memory: Memory): Memory {
  try {
    localStorage.setItem(nameOf(slug), JSON.stringify(memory));
  } catch {
    // Without storage the study still works, but not across a reload.
  }
  return memory;
}

export function forget(slug: string): Memory {
  try {
    localStorage.removeItem(nameOf(slug));
  } catch {
    // Nothing was kept then.
  }
  return fresh();
}

const fresh = (): Memory => ({
  join_key: crypto.randomUUID(),
  participant_token: null,
  withdraw_token: null,
  invitation: null,
  panel: null,
  language: null,
  sound_checked: false,
  connection_checked: false,
});
