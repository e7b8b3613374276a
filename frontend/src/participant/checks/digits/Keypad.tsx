// Keys for the ten digits, as on a telephone.
// SPDX-License-Identifier: Apache-2.0
import { Button } from "../../../design/Button";
import look from "../../../design/look.module.css";
import { useSay } from "../../../language/Speaking";
import styles from "./DigitRounds.module.css";

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"] as const;

interface KeypadProps {
  readonly disabled: boolean;
  readonly onDigit: (digit: string) => void;
  readonly onDelete: () => void;
}

export function Keypad({ disabled, onDigit, onDelete }: KeypadProps) {
  const say = useSay();
  return (
    <fieldset className={styles.keypad} disabled={disabled}>
      <legend className={look.spoken}>{say("hearing.digits.keypad")}</legend>
      {DIGITS.map((digit) => (
        <Button
          key={digit}
          quiet
          className={digit === "0" ? styles.zero : undefined}
          onClick={() => onDigit(digit)}
        >
          {digit}
        </Button>
      ))}
      <Button quiet aria-label={say("hearing.digits.delete")} onClick={onDelete}>
        <span aria-hidden="true">⌫</span>
      </Button>
    </fieldset>
  );
}
