// Who listens and votes with this browser: a number drawn once for each demo, which says
// nothing else, so that a page that comes back is the same listener with the same vote.
// SPDX-License-Identifier: Apache-2.0

/** The audience's: the browser's, for this demo. */
export const listenerOf = (code: string): string => keptIn(() => localStorage, `thinlab.d.${code}`);

/** A console's: this window's, as each hears for itself. */
export const listenerHere = (demo_id: number): string =>
  keptIn(() => sessionStorage, `thinlab.console.${demo_id}`);

function keptIn(storage: () => Storage, name: string): string {
  try {
    const kept = storage().getItem(name);
    if (kept) return kept;
    const drawn = draw();
    storage().setItem(name, drawn);
    return drawn;
  } catch {
    // It then lasts until the page is closed.
    return draw();
  }
}

/** A UUID; `crypto.randomUUID` is not there for a phone on a local network, without https. */
export function draw(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const digits = Array.from(bytes, (byte, place) => {
    if (place === 6) return (byte & 0x0f) | 0x40;
    if (place === 8) return (byte & 0x3f) | 0x80;
    return byte;
  }).map((byte) => byte.toString(16).padStart(2, "0"));
  return digits.join("").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
