// How loud a page's own sound is.
// SPDX-License-Identifier: Apache-2.0
import { useId } from "react";
import look from "../design/look.module.css";

interface LoudnessProps {
  readonly label: string;
  /** For screen readers alone, where what stands beside it says it already. */
  readonly hidden?: boolean;
  /** 0 to 1. */
  readonly level: number;
  readonly onSet: (level: number) => void;
}

export function Loudness({ label, hidden = false, level, onSet }: LoudnessProps) {
  const id = useId();
  return (
    <>
      <label htmlFor={id} className={hidden ? look.spoken : undefined}>
        {label}
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={1}
        step={0.05}
        value={level}
        onChange={(event) => onSet(Number(event.target.value))}
      />
    </>
  );
}
