// The button that makes a lane heard.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import styles from "./HearButton.module.css";

interface HearButtonProps {
  readonly lane: { readonly letter: string; readonly name: string };
  /** Whether there is anything to hear of it. */
  readonly audible: boolean;
  readonly heard: boolean;
  /** From 1, in the order in which they are shown; the key that one hears it by. */
  readonly place: number;
  /** To be read across a room. */
  readonly large?: boolean;
  readonly onHear: () => void;
}

export function HearButton({
  lane,
  audible,
  heard,
  place,
  large = false,
  onHear,
}: HearButtonProps) {
  return (
    <button
      type="button"
      className={clsx(styles.hear, large && styles.large)}
      data-testid="hear"
      aria-pressed={audible && heard}
      aria-keyshortcuts={String(place)}
      disabled={!audible}
      onClick={onHear}
    >
      <span className={styles.letter}>{lane.letter}</span>
      <span className={styles.name} data-testid="name">
        {lane.name}
        <small>{audible ? (heard ? "You hear it" : "Hear it") : "No sound"}</small>
      </span>
      <kbd>{place}</kbd>
    </button>
  );
}
