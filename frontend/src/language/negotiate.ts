// Which language to speak, of those that there are.
// SPDX-License-Identifier: Apache-2.0

const primary = (tag: string): string => tag.toLowerCase().split("-")[0] ?? "";

/** Languages that readers of the one read as well. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  no: ["nb", "nn"],
  nb: ["no", "nn"],
  nn: ["nb", "no"],
};

function match(wanted: string, offered: readonly string[]): string | undefined {
  const exactly = offered.find((tag) => tag.toLowerCase() === wanted.toLowerCase());
  const related = [primary(wanted), ...(ALSO[primary(wanted)] ?? [])];
  return exactly ?? related.flatMap((name) => offered.filter((tag) => primary(tag) === name)).at(0);
}

/** The first wish that can be met, else the first that is offered. */
export function negotiate(wanted: readonly string[], offered: readonly string[]): string {
  for (const wish of wanted) {
    const found = match(wish, offered);
    if (found) return found;
  }
  return offered[0] ?? "en";
}
