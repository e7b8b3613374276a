// Writes what the contracts call what is measured and what is chosen, and what can be
// set of a path, of bundling and of SCTP, as TypeScript: one constant a message, so that a page takes along only those
// that it shows.
// SPDX-License-Identifier: Apache-2.0
import { readFileSync, writeFileSync } from "node:fs";

const [, , from, to] = process.argv;
const { "x-terms": messages, "x-quantities": settings } = JSON.parse(readFileSync(from, "utf8"));
const lines = [
  "// Made by `pnpm generate` of what lab-agent/proto/lab.proto and the backend's conditions say.",
  "export interface Term {",
  "  readonly title: string;",
  "  /** Of the number as the contract has it; empty: none. */",
  "  readonly unit: string;",
  "  readonly meaning: string;",
  "}",
];
for (const [message, terms] of Object.entries(messages)) {
  const name = message[0].toLowerCase() + message.slice(1);
  lines.push("", `export const ${name}Terms = ${JSON.stringify(terms, null, 2)} as const;`);
}
for (const [model, quantities] of Object.entries(settings)) {
  const name = model[0].toLowerCase() + model.slice(1);
  lines.push(
    "",
    `export const ${name}Quantities = ${JSON.stringify(quantities, null, 2)} as const;`,
  );
}
writeFileSync(to, `${lines.join("\n")}\n`);
