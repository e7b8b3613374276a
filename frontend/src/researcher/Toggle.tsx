// A few choices side by side, of which one is taken.
// SPDX-License-Identifier: Apache-2.0
import { useId } from "react";

interface ToggleProps<Key extends string> {
  readonly name: string;
  readonly options: Readonly<Record<Key, string>>;
  readonly chosen: Key;
  readonly onChoose: (key: Key) => void;
}

export function Toggle<Key extends string>({ name, options, chosen, onChoose }: ToggleProps<Key>) {
  const group = useId();
  return (
    <fieldset className="toggle small">
      <legend className="visually-hidden">{name}</legend>
      {(Object.keys(options) as Key[]).map((key) => (
        <label key={key}>
          <input
            type="radio"
            className="visually-hidden"
            name={group}
            checked={key === chosen}
            onChange={() => onChoose(key)}
          />
          <span>{options[key]}</span>
        </label>
      ))}
    </fieldset>
  );
}
