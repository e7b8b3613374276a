// The file of invitations as spreadsheets read it.
// SPDX-License-Identifier: Apache-2.0
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { csvOf } from "./csv";

test("what goes in comes out", () => {
  const label = 'Tuesday, "group" two';
  const rows = parse(csvOf(label, ["http://a/s/x#i=1", "http://a/s/x#i=2"]), { columns: true });
  expect(rows).toEqual([
    { label, link: "http://a/s/x#i=1" },
    { label, link: "http://a/s/x#i=2" },
  ]);
});

test("a label is no formula", () => {
  expect(csvOf("=1+1", ["http://a/"])).toContain("'=1+1,");
  expect(csvOf("a;=1+1", ["http://a/"])).toContain("a;'=1+1,");
  expect(csvOf("a\n -1\t@x", ["http://a/"])).toContain("a\n' -1\t'@x");
  expect(csvOf("\t=1", ["http://a/"])).toContain("'\t'=1");
  expect(csvOf("=1;=2", ["http://a/"])).toContain("'=1;'=2");
  expect(csvOf("one-two", ["http://a/"])).toContain("\none-two,");
});
