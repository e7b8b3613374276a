// The names of tokens, by what they are of, as tokens.css has them.
// SPDX-License-Identifier: Apache-2.0
import css from "../tokens.css?raw";

const NAMES = [...new Set([...css.matchAll(/^ {2}(--[\w-]+):/gm)].map(([, name = ""]) => name))];
const OTHER =
  /^--(sans|mono|bold|tight|loose|text-|space-|margin|between|inset|measure|sheet|control|radius|round|motion|shadow)/;

const beginning = (prefix: string) => NAMES.filter((name) => name.startsWith(prefix));

export const SPACES = beginning("--space-");
export const TEXTS = beginning("--text-");
export const MOTIONS = beginning("--motion");
export const COLOURS = NAMES.filter((name) => !OTHER.test(name));
