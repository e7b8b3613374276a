// What the other side of a terminal must not do to the page: change its title,
// make links, write to the clipboard, ring, ask questions whose answers would be
// sent as keys, move or report windows, take the mouse, change colours, keep the page busy. An editor
// needs none of it; a hostile text may hold all of it.
// SPDX-License-Identifier: Apache-2.0
import type { IFunctionIdentifier, Terminal } from "@xterm/xterm";

/** Operating system commands: titles, colours, links, clipboard, notifications. */
const COMMANDS: readonly number[] = [
  0, 1, 2, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 50, 52, 99, 104, 105, 110, 111,
  112, 113, 114, 115, 116, 117, 118, 119, 133, 633, 777, 1337,
];

/** Questions, whose answers xterm would hand over as if they were typed. */
const QUESTIONS: readonly IFunctionIdentifier[] = [
  { final: "c" },
  { prefix: ">", final: "c" },
  { prefix: "=", final: "c" },
  { final: "n" },
  { prefix: "?", final: "n" },
  { final: "t" },
  { final: "x" },
  { intermediates: "$", final: "p" },
  { prefix: "?", intermediates: "$", final: "p" },
  { prefix: ">", final: "q" },
  { prefix: "?", final: "u" },
  { prefix: ">", final: "u" },
];

/** What xterm does as often as it is told to, a thousand million times if need be. */
const REPEATING: readonly IFunctionIdentifier[] = [
  { final: "I" },
  { final: "L" },
  { final: "M" },
  { final: "S" },
  { final: "T" },
  { final: "Z" },
  { final: "b" },
  { intermediates: " ", final: "@" },
  { intermediates: " ", final: "A" },
  { intermediates: "'", final: "}" },
  { intermediates: "'", final: "~" },
];
/** More than there are places on the glass changes nothing. */
const MOST_REPEATS = 80 * 24;

/** Modes that report the mouse or the focus as keys. */
const REPORTING: ReadonlySet<number> = new Set([
  9, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1015, 1016, 2031, 2048,
]);

/** Has the terminal pass over all of it. */
export function disarm(terminal: Terminal): void {
  const { parser } = terminal;
  for (const command of COMMANDS) parser.registerOscHandler(command, () => true);
  for (const question of QUESTIONS) parser.registerCsiHandler(question, () => true);
  for (const repeating of REPEATING) {
    parser.registerCsiHandler(repeating, ([times]) => Number(times ?? 0) > MOST_REPEATS);
  }
  parser.registerDcsHandler({ intermediates: "$", final: "q" }, () => true);
  parser.registerDcsHandler({ intermediates: "+", final: "q" }, () => true);
  parser.registerCsiHandler({ prefix: "?", final: "h" }, (modes) =>
    modes.some((mode) => (Array.isArray(mode) ? mode : [mode]).some((one) => REPORTING.has(one))),
  );
}
