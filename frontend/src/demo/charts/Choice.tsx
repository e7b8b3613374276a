// A choice among a few, small enough to stand in a chart's head.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { SelectOne } from "../../design/Field";
import look from "../../design/look.module.css";
import styles from "./Choice.module.css";

interface ChoiceProps<Value extends string> {
  readonly name: string;
  readonly options: Readonly<Record<Value, string>>;
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
}

export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { name, options, chosen, onChoose } = props;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is a Select
    <label className={clsx(styles.choice, look.small)}>
      <span>{name}</span>
      <SelectOne
        slim
        options={Object.entries(options) as [Value, string][]}
        chosen={chosen}
        onChoose={onChoose}
      />
    </label>
  );
}
