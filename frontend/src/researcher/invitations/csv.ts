// Invitations as a table for a mail merge.
// SPDX-License-Identifier: Apache-2.0

/** Columns `label` and `link`; RFC 4180. */
export function csvOf(label: string, links: readonly string[]): string {
  const rows = [["label", "link"], ...links.map((link) => [label, link])];
  return `${rows.map((row) => row.map(field).join(",")).join("\r\n")}\r\n`;
}

/** What a spreadsheet would take for a formula is given an apostrophe in front, also
 * behind what it may take for a separator. */
const FORMULA = /(^|[;|\t\r\n])([ \xa0]*)(?=[=+\-@＝＋－＠])/g;

function field(text: string): string {
  const guarded = text.replace(FORMULA, "$1'$2");
  const safe = /^[\t\r\n]/.test(guarded) ? `'${guarded}` : guarded;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
