// Single keys for a trial, and the switch that turns them off (WCAG 2.1.4).
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { useEffect } from "react";
import { Check } from "../../../design/Field";
import look from "../../../design/look.module.css";
import { Summary } from "../../../design/Summary";
import { useKeptSwitch } from "../../../design/useKeptSwitch";
import { useSay } from "../../../language/Speaking";
import type { Key } from "../../../language/translation";
import { type AnyInstrument, pressKey } from "../../../player/keys";
import styles from "./TrialKeys.module.css";

const NAME = "thinlab.keys";

export function useTrialKeys(instrument: AnyInstrument): [boolean, (on: boolean) => void] {
  const [on, setOn] = useKeptSwitch(NAME);
  useEffect(() => {
    if (!on) return;
    const press = (event: KeyboardEvent) => {
      if (!event.defaultPrevented && (pressKey(instrument, event) || chooseAnswer(event))) {
        event.preventDefault();
      }
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [instrument, on]);
  return [on, setOn];
}

/** Chooses the answer whose key was pressed; Enter then submits the form. */
function chooseAnswer(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || !/^[a-z0-9]$/i.test(event.key))
    return false;
  const radio = document.querySelector<HTMLInputElement>(
    `input[data-key="${event.key.toLowerCase()}"]:enabled`,
  );
  radio?.focus();
  radio?.click();
  return radio !== null;
}

interface KeyHelpProps {
  readonly instrument: AnyInstrument;
  readonly answers: readonly string[];
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

export function KeyHelp({ instrument, answers, on, onChange }: KeyHelpProps) {
  const say = useSay();
  const chosen: Row[] = answers.length > 0 ? [[answers, "keys.answers"]] : [];
  const rows = [...playerRows(instrument, say("keys.space")), ...chosen];
  return (
    <details className={clsx(styles.keys, look.small)}>
      <Summary>{say("keys.heading")}</Summary>
      <dl>
        {[...rows, [["Enter"], "keys.send"] as const].map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{say(what)}</dd>
          </div>
        ))}
      </dl>
      <Check>
        <input type="checkbox" checked={on} onChange={(event) => onChange(event.target.checked)} />
        {say("keys.use")}
      </Check>
    </details>
  );
}

type PlainKey = Extract<Key, `keys.${string}`>;
type Row = readonly [keys: readonly string[], what: PlainKey];

function playerRows({ kind, members }: AnyInstrument, space: string): Row[] {
  if (kind === "in_turn") return [[[space], "keys.space.in_turn"]];
  return [
    [[space], "keys.space.free"],
    ...(members.includes("third")
      ? [[["1", "2", "…"], "keys.members.rated"] as const, [["0"], "keys.reference"] as const]
      : members.includes("x")
        ? [[["1", "2", "3"], "keys.members.x"] as const]
        : members.length > 1
          ? [[["1", "2"], "keys.members"] as const]
          : []),
    [["←", "→"], "keys.arrows"],
    [[",", "."], "keys.bounds"],
    [["L"], "keys.repeat"],
  ];
}
