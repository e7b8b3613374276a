// A few choices side by side, of which one is taken.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import { useId } from "react";
import look from "./look.module.css";
import styles from "./Segments.module.css";

interface SegmentsProps<Key extends string> {
  readonly name: string;
  readonly options: Readonly<Partial<Record<Key, string>>>;
  readonly chosen: Key;
  readonly onChoose: (key: Key) => void;
}

export function Segments<Key extends string>(props: SegmentsProps<Key>) {
  const { name, options, chosen, onChoose } = props;
  const group = useId();
  return (
    <fieldset className={clsx(styles.segments, look.small)}>
      <legend className={look.spoken}>{name}</legend>
      {(Object.keys(options) as Key[]).map((key) => (
        <label key={key}>
          <input
            type="radio"
            className={look.spoken}
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
