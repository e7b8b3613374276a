// Which keys there are, and the switch that turns them off.
// SPDX-License-Identifier: Apache-2.0

import { Card } from "../../design/Card";
import { Check } from "../../design/Field";
import look from "../../design/look.module.css";
import styles from "./KeysHelp.module.css";

interface KeysHelpProps {
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
  readonly lanes: number;
  /** Those beside the lanes' own, and what each does. */
  readonly keys: readonly (readonly [key: string, does: string])[];
}

export const CONSOLE_KEYS = [
  ["Space", "pauses and goes on"],
  ["M", "marks this moment"],
  ["W", "writes a word for it"],
  ["U", "undoes the last change of path or lane"],
  ["J", "shows the way in for the room"],
] as const;

export function KeysHelp({ on, onChange, lanes, keys }: KeysHelpProps) {
  return (
    <Card as="details" className={look.small}>
      <summary>Keys</summary>
      <dl className={styles.keysHelp}>
        <div>
          <dt>
            <kbd>1</kbd>
            {lanes > 1 && (
              <>
                –<kbd>{lanes}</kbd>
              </>
            )}
          </dt>
          <dd>hear a lane; its letter does the same</dd>
        </div>
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Check>
        <input type="checkbox" checked={on} onChange={(event) => onChange(event.target.checked)} />
        Use these keys
      </Check>
    </Card>
  );
}
