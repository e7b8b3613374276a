// A choice among a few, small enough to stand in a chart's head.
// SPDX-License-Identifier: Apache-2.0

interface ChoiceProps<Value extends string> {
  readonly name: string;
  readonly options: Readonly<Record<Value, string>>;
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
}

export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { name, options, chosen, onChoose } = props;
  return (
    <label className="demo-choice small">
      <span>{name}</span>
      <select value={chosen} onChange={(event) => onChoose(event.currentTarget.value as Value)}>
        {(Object.entries(options) as [Value, string][]).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
