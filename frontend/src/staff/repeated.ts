// What is done again and again for as long as somebody looks.
// SPDX-License-Identifier: Apache-2.0

/** Does a round at once, and another after each pause that a round asks for; none after `null`.
 * Returns what ends it, for an effect to return; a round under way can tell that it has ended. */
export function repeated(round: (isOver: () => boolean) => Promise<number | null>): () => void {
  let over = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const next = async () => {
    const pause_ms = await round(() => over);
    if (!over && pause_ms !== null) timer = setTimeout(() => void next(), pause_ms);
  };
  void next();
  return () => {
    over = true;
    clearTimeout(timer);
  };
}
