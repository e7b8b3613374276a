// Invitations as a table for a mail merge.
// SPDX-License-Identifier: Apache-2.0

/** Columns `label` and `link`; RFC 4180. */
export function csvOf(label: string, links: readonly string[]): string {
  const rows = [["label", "link"], ...links.map((link) => [label, link])];
  return `${rows.map((row) => row.map(field).join(",")).join("\r\n")}\r\n`;
}

/** A text that a spreadsheet would take for a formula is given an apostrophe in front. */
function field(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
