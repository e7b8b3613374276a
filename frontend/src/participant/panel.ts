// Whom a panel has sent, as the study's address says: the parameters that its file names.
// SPDX-License-Identifier: Apache-2.0
import type { PanelDoor, PanelIds } from "../api/generated";

/** What ids of panels are made of. A placeholder that nobody filled in is none. */
const ID = /^[\w.~:@+=-]{1,128}$/;

/** `absent`: the address names nobody; `unfit`: what it says cannot be an id. */
export type Sent = PanelIds | "absent" | "unfit";

export function sentBy(door: PanelDoor, search: string): Sent {
  const said = new URLSearchParams(search);
  const read = (name: string | null): string | null | undefined => {
    const values = new Set(name ? said.getAll(name) : []);
    values.delete("");
    // Two that differ: nobody can say which of them is meant.
    if (values.size > 1) return undefined;
    const [value = null] = values;
    return value === null || ID.test(value) ? value : undefined;
  };
  const participant = read(door.participant);
  const session = read(door.session);
  const batch = read(door.batch);
  if (participant === null) return "absent";
  if (participant === undefined || session === undefined || batch === undefined) return "unfit";
  return { participant, session, batch };
}
