// How fast a replay runs.
// SPDX-License-Identifier: Apache-2.0
import { Segments } from "../design/Segments";

const SPEEDS = {
  // Not as whole numbers, which would come first whatever stands before them.
  "0.10": "⅒ ×",
  "0.50": "½ ×",
  "1.00": "1 ×",
  "2.00": "2 ×",
  "8.00": "8 ×",
} as const;

interface SpeedChoiceProps {
  readonly speed: number;
  readonly onChoose: (speed: number) => void;
}

export function SpeedChoice({ speed, onChoose }: SpeedChoiceProps) {
  return (
    <Segments
      name="Speed"
      options={SPEEDS}
      chosen={speed.toFixed(2) as keyof typeof SPEEDS}
      onChoose={(chosen) => onChoose(Number(chosen))}
    />
  );
}
