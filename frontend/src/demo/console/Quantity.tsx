// One number of the path or the stream: a slider with a field beside it, applied
// when it is let go and not while it moves.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { type ChangeEvent, useEffect, useId, useState } from "react";
import { Input } from "../../design/Field";
import look from "../../design/look.module.css";
import styles from "./Quantity.module.css";

/** How a setting is shown: in which unit, from where to where. */
export interface Scale {
  readonly label: string;
  readonly unit: string;
  readonly least: number;
  /** The slider's end; the field takes up to `most`. */
  readonly usual: number;
  readonly most: number;
  readonly step: number;
  /** How many of the unit one of the setting is; 100 where a share is shown in per cent. */
  readonly factor: number;
  /** In place of 0, where that means something else. */
  readonly zero?: string;
}

interface QuantityProps {
  readonly scale: Scale;
  /** As it is in force, or on its way. */
  readonly value: number;
  readonly onItsWay: boolean;
  readonly disabled?: boolean;
  readonly onApply: (value: number) => void;
}

const DIGITS = 6;
const rounded = (value: number) => Number(value.toPrecision(DIGITS));

export function Quantity({ scale, value, onItsWay, disabled = false, onApply }: QuantityProps) {
  const { label, unit, least, usual, most, step, factor, zero } = scale;
  const id = useId();
  const shown = rounded(value * factor);
  const [draft, setDraft] = useState(String(shown));
  const [held, setHeld] = useState(false);
  // Another console, a preset or a refusal changed it.
  useEffect(() => {
    if (!held) setDraft(String(shown));
  }, [shown, held]);
  const apply = () => {
    setHeld(false);
    const wanted = Number(draft);
    if (draft.trim() === "" || !Number.isFinite(wanted)) return setDraft(String(shown));
    const within = Math.min(most, Math.max(least, wanted));
    setDraft(String(within));
    if (within !== shown) onApply(rounded(within / factor));
  };
  const field = {
    min: least,
    disabled,
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      setHeld(true);
      setDraft(event.target.value);
    },
    onBlur: apply,
  };
  return (
    <div className={styles.quantity} data-on-its-way={onItsWay || undefined}>
      <label htmlFor={id}>{label}</label>
      <input
        type="range"
        aria-label={label}
        aria-valuetext={draft === "0" && zero ? zero : `${draft} ${unit}`}
        max={usual}
        step={step}
        value={Number(draft) || 0}
        onPointerUp={apply}
        onKeyUp={apply}
        {...field}
      />
      <Input
        id={id}
        type="number"
        max={most}
        step="any"
        value={draft}
        onKeyDown={(event) => event.key === "Enter" && apply()}
        {...field}
      />
      <span className={clsx(styles.unit, look.note)}>{draft === "0" && zero ? zero : unit}</span>
    </div>
  );
}

interface QuantityOfProps<Key extends string> {
  readonly of: Key;
  readonly scales: Readonly<Record<Key, Scale>>;
  readonly wanted: Readonly<Record<Key, number>>;
  readonly inForce: Readonly<Record<Key, number>> | null;
  readonly disabled: boolean;
  readonly onApply: (change: Partial<Record<Key, number>>) => void;
}

/** One of several numbers that belong together. */
export function QuantityOf<Key extends string>(props: QuantityOfProps<Key>) {
  const { of, scales, wanted, inForce, disabled, onApply } = props;
  return (
    <Quantity
      scale={scales[of]}
      value={wanted[of]}
      onItsWay={wanted[of] !== inForce?.[of]}
      disabled={disabled}
      onApply={(value) => onApply({ [of]: value } as Partial<Record<Key, number>>)}
    />
  );
}
