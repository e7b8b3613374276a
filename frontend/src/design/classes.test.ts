// Every class that a component names is in its module, and every class of a module
// is named somewhere; and no style sheet has classes for the whole page.
// SPDX-License-Identifier: Apache-2.0
import { globSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import postcss from "postcss";
import { expect, test } from "vitest";

const SOURCES = resolve(import.meta.dirname, "..");
const IMPORT = /import (\w+) from "(\.[^"]*\.module\.css)"/g;

const sheets = globSync("**/*.css", { cwd: SOURCES });
const read = (file: string) => readFileSync(resolve(SOURCES, file), "utf8");

function classesOf(css: string): Set<string> {
  const found = new Set<string>();
  postcss.parse(css).walkRules(({ selector }) => {
    const own = selector.replaceAll(/:global\([^)]*\)/g, "");
    for (const [, name = ""] of own.matchAll(/\.([A-Za-z][\w-]*)/g)) found.add(name);
  });
  return found;
}

/** What a source says of a module that it calls by a name; `whole` where it looks classes up. */
function namedIn(source: string, name: string): { classes: Set<string>; whole: boolean } {
  const dotted = [...source.matchAll(new RegExp(`(?<![\\w./"])${name}\\.(?!module)(\\w+)`, "g"))];
  const quoted = [...source.matchAll(new RegExp(`(?<![\\w.])${name}\\["([^"]+)"\\]`, "g"))];
  const classes = new Set([...dotted, ...quoted].map(([, one = ""]) => one));
  return { classes, whole: new RegExp(`(?<![\\w.])${name}\\[[^"]`).test(source) };
}

const modules = new Map(
  sheets
    .filter((file) => file.endsWith(".module.css"))
    .map((file) => [
      resolve(SOURCES, file),
      { classes: classesOf(read(file)), named: new Set<string>(), whole: false },
    ]),
);
const missing: string[] = [];
const spelled: string[] = [];
for (const file of globSync("**/*.{ts,tsx}", { cwd: SOURCES })) {
  const source = read(file);
  for (const [whole = ""] of source.matchAll(/className=(?:"[^"]*"|\{[^{}]*\})/g)) {
    const compared = /(?:===|\[) ?["'`][^"'`]*["'`]/g;
    if (/["'`]/.test(whole.replaceAll(compared, ""))) spelled.push(`${file}: ${whole}`);
  }
  for (const [, name = "", from = ""] of source.matchAll(IMPORT)) {
    const module = modules.get(resolve(SOURCES, dirname(file), from));
    const { classes, whole } = namedIn(source, name);
    for (const one of classes) {
      if (!module?.classes.has(one)) missing.push(`${file}: ${name}.${one}`);
      module?.named.add(one);
    }
    if (module && whole) module.whole = true;
  }
}

test("components take classes from modules, and spell none", () => {
  expect(spelled).toEqual([]);
});

test("what components name is there", () => {
  expect(missing).toEqual([]);
});

test("what is there is named", () => {
  const unused = [...modules].flatMap(([file, { classes, named, whole }]) =>
    whole ? [] : [...classes].filter((one) => !named.has(one)).map((one) => `${file}: .${one}`),
  );
  expect(unused).toEqual([]);
});

test("only modules have classes", () => {
  const global = sheets.filter((file) => !file.endsWith(".module.css"));
  expect(global.length).toBeGreaterThan(0);
  for (const file of global) expect([...classesOf(read(file))], file).toEqual([]);
});
