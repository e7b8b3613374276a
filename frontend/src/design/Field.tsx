// Something to fill in, with its label above.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import { type ComponentPropsWithRef, type ReactNode, useId } from "react";
import styles from "./Field.module.css";
import look from "./look.module.css";

interface FieldProps {
  readonly label: ReactNode;
  /** For those who name it elsewhere. */
  readonly id?: string;
  readonly note?: ReactNode;
  readonly small?: boolean;
  /** What is filled in, under the id that its label names. */
  readonly children: (id: string) => ReactNode;
}

export function Field({ label, id: given, note, small = false, children }: FieldProps) {
  const own = useId();
  const id = given ?? own;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={clsx(small && look.small)}>
        {label}
      </label>
      {children(id)}
      {note && <p className={look.note}>{note}</p>}
    </div>
  );
}

interface Slim {
  readonly slim?: boolean;
}

const classes = (slim: boolean, className?: string) =>
  clsx(styles.input, slim && styles.slim, className);

export function Input({ slim = false, className, ...rest }: ComponentPropsWithRef<"input"> & Slim) {
  return <input {...rest} className={classes(slim, className)} />;
}

export function TextArea({ className, ...rest }: ComponentPropsWithRef<"textarea">) {
  return <textarea {...rest} className={clsx(styles.input, styles.lines, className)} />;
}

type SelectProps = ComponentPropsWithRef<"select"> & Slim;

export function Select({ slim = false, className, ...rest }: SelectProps) {
  return <select {...rest} className={classes(slim, className)} />;
}

interface SelectOneProps<Value extends string>
  extends Omit<SelectProps, "value" | "onChange" | "children"> {
  readonly options: readonly (readonly [value: Value, title: string])[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
}

/** A list of what can be chosen, which is data. */
export function SelectOne<Value extends string>(props: SelectOneProps<Value>) {
  const { options, chosen, onChoose, ...rest } = props;
  return (
    <Select {...rest} value={chosen} onChange={(event) => onChoose(event.target.value as Value)}>
      {options.map(([value, title]) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </Select>
  );
}

interface SliderProps extends Omit<ComponentPropsWithRef<"input">, "onChange"> {
  readonly value: number;
  readonly onSet: (value: number) => void;
}

export function Slider({ onSet, ...rest }: SliderProps) {
  return <input {...rest} type="range" onChange={(event) => onSet(Number(event.target.value))} />;
}

/** A box to tick, or one choice of several, and its words. */
export function Check({ className, ...rest }: ComponentPropsWithRef<"label">) {
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
  return <label {...rest} className={clsx(styles.check, className)} />;
}
